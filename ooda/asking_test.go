package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// TestOpen_WhatIsWorthAsking: an agent asks for what it cannot say itself, and again for what it counted or read long ago, but
// not for what somebody asked for lately.
func TestOpen_WhatIsWorthAsking(t *testing.T) {
	const now = wire.Cycle(40)
	subject := []byte("HARD")
	for _, c := range []struct {
		name     string
		observed int
		at       wire.Cycle
		entry    bool
		asked    wire.Cycle // plus one; 0: nobody asked
		want     bool
	}{
		{"never seen", 0, 0, false, 0, false},
		{"seen once", 1, now - 1, false, 0, true},
		{"seen once, and it can be read", 1, now - 1, true, 0, false},
		{"counted", 20, now - 1, false, 0, false},
		{"counted seven cycles ago", 20, now - staleCycles + 1, false, 0, false},
		{"counted eight cycles ago", 20, now - staleCycles, false, 0, true},
		{"read eight cycles ago", 20, now - staleCycles, true, 0, true},
		{"counted long ago, asked for lately", 20, now - staleCycles, false, now - askAgain + 1, false},
		{"counted long ago, asked for long ago", 20, now - staleCycles, false, now - askAgain, true},
		{"seen once, asked for lately", 1, now - 1, false, now - askAgain + 1, false},
	} {
		_, o := offering(t, func(s *solo) {
			for range c.observed {
				s.a.Memory.Findings.Observe(memory.MeasureReward, subject, 10, c.at)
			}
			if f := s.a.Memory.Findings.Get(memory.MeasureReward, subject); f != nil {
				f.Asked = memory.CycleNumber(c.asked)
				if c.entry {
					f.SetEntry(wire.Hash{7})
				}
			}
		})
		o.seen.cycle = now
		if got := (scribe{o}).open(memory.MeasureReward, subject); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestProspects_WantsOnlyWhatWasCounted: an agent takes on to document what it has counted, and looks again later at what it has not,
// however much it knows of such things.
func TestProspects_WantsOnlyWhatWasCounted(t *testing.T) {
	for _, c := range []struct {
		name     string
		observed int
		want     bool
	}{{"nothing", 0, false}, {"once", 1, false}, {"often", 8, true}} {
		s := newSolo(t, genomes[2])
		s.a.Genome.Traits.RiskTolerance = 1
		s.a.Memory.Topics = make(memory.TopicNotes, memory.Topics)
		s.a.Memory.Topics.Learn(memory.MeasureReward.Topic([]byte("HARD")), 100, 0)
		for range c.observed {
			s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), 10, 1)
		}
		b := &wire.BountyCreatedEvent{BountyID: wire.Hash{7}, Creator: peerA, Difficulty: wire.DifficultyEasy, Reward: 10, Title: []byte(titleDocument + memory.MeasureReward.Asks([]byte("HARD")))}
		if _, able := s.t.goals.prospects(b); able != c.want {
			t.Errorf("counted %s: it is able %v", c.name, able)
		}
	}
}

// TestVotes_SeveralAtATime: a vote waits for others as long as there is time, and not once it presses or enough of them wait.
func TestVotes_SeveralAtATime(t *testing.T) {
	for _, c := range []struct {
		name     string
		votes    int
		deadline wire.Tick // from now
		want     bool
	}{
		{"one, with much time", 1, 1024, true},
		{"two, with much time", 2, 1024, true},
		{"three", 3, 1024, false},
		{"one that ends in half a cycle", 1, 128, true},
		{"one that ends sooner", 1, 127, false},
	} {
		s := newSolo(t, genomes[2])
		s.ask()
		deadline := s.t.seen.tick + c.deadline
		for i := range c.votes {
			g := s.about(goals.KindVote, wire.Hash{0xB1, byte(i)})
			g.Deadline = &deadline
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		g := s.goal(goals.KindVote)
		if got := (patient{&s.t.self}).canWait(g); got != c.want {
			t.Errorf("%s: can wait %v", c.name, got)
		}
	}
}
