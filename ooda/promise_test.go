package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// An act for a bounty that the agent holds comes before doing nothing, and before what is worth less than doing nothing.
func TestKeepsPromises_BeforeDoingNothing(t *testing.T) {
	publish, _ := action.ByName("entry_publish")
	for _, c := range []struct {
		name   string
		held   float64 // what the act for the held bounty is worth; 0: none is held
		blind  []string
		idle   float64
		others [2]bool // whether acts worth 0.3 and 0.5 are put off
	}{
		{"nothing is held", 0, nil, 0.5, [2]bool{}},
		{"it is worth less than doing nothing", 0.2, nil, 0.1, [2]bool{true, false}},
		{"it is worth more than twice as much", 1.2, nil, 0.5, [2]bool{}},
		{"it is worth hardly anything", 0.099, nil, 0.5, [2]bool{}},
		{"it is worth just enough", 0.1, nil, 0.05, [2]bool{true, false}},
		{"without notes", 0.2, []string{"notes"}, 0.5, [2]bool{}},
	} {
		s := newSolo(t, genomes[6])
		s.rules.Blind = llm.LayersOf(c.blind)
		s.ask()
		s.a.Memory.Market.Wage = 30 * float64(s.a.TickBudget) // doing nothing is worth one half
		o := &s.t.offers
		o.reset()
		for _, worth := range []float64{0.3, 0.5, c.held} { // doing nothing is worth 0.5, too
			a := llm.Affordance{Action: publish, Priority: 4 * worth, Success: 0.5}
			a.Considered.Weigh(llm.FactorNeed, 0.5)
			o.list = append(o.list, a)
			o.refs = append(o.refs, offerRef{goal: goals.KindClaimBounty, held: worth == c.held})
		}
		weigher{o}.keepsPromises()
		if !near(o.idleWorth, c.idle) {
			t.Errorf("%s: doing nothing is worth %v, want %v", c.name, o.idleWorth, c.idle)
		}
		for i, off := range c.others {
			want := 1.0
			if off {
				want = forLater
			}
			if got := o.list[i].Considered.Of(llm.FactorCommit); !near(got, want) {
				t.Errorf("%s: act %d has the factor %v, want %v", c.name, i, got, want)
			}
		}
		if o.list[2].Considered.Of(llm.FactorCommit) != 1 {
			t.Errorf("%s: the promised act is put off", c.name)
		}
		if idle := o.withIdling(); idle[len(idle)-1].Priority != o.idleWorth {
			t.Errorf("%s: nop has priority %v", c.name, idle[len(idle)-1].Priority)
		}
	}
}

// What an agent has promised is offered although more goals than are looked at rank higher.
func TestCollect_PromisedGoalIsLookedAtEarly(t *testing.T) {
	for _, holds := range []bool{true, false} {
		s, o := offering(t, func(s *solo) {
			if holds {
				s.holding()
			} else {
				s.bounty()
			}
		})
		var ranked []*goals.Goal
		for i := range byte(lookedAt + 1) { // questions that the agent has never seen: there is nothing to do for them
			g := s.about(goals.KindAnswer, wire.Hash{0xA0, i + 1})
			g.Priority = 2
			ranked = append(ranked, g)
		}
		bounty := s.aboutBounty()
		bounty.Priority = 1
		o.collect(append(ranked, bounty))
		found := false
		for i := range o.list {
			found = found || o.refs[i].goal == goals.KindClaimBounty
		}
		if found != holds {
			t.Errorf("held %v: offered %v", holds, found)
		}
	}
}

// Who claims a bounty for a program knows programs, however capable of other work it is.
func TestProspects_ProgramTakesKnowledgeOfPrograms(t *testing.T) {
	for _, c := range []struct {
		know float32
		want bool
	}{{0, false}, {0.2, false}, {0.6, true}} {
		s, b := coder(t)
		s.ask()
		s.a.Memory.Topics[memory.TopicPrograms-1].Know = c.know
		e := &wire.BountyCreatedEvent{BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward, Difficulty: wire.DifficultyModerate, Deadline: b.Deadline}
		s.a.Genome.Traits.RiskTolerance = 0.5
		if _, able := s.t.goals.prospects(e); able != c.want {
			t.Errorf("who knows programs %v claims one of moderate difficulty: %v", c.know, able)
		}
	}
}

// The better its reputation, the sooner an agent takes a bounty; in the middle it waits as long as it would without.
func TestLeavesBounty_FirstToThoseOfGoodReputation(t *testing.T) {
	wait := func(own float32, blind ...string) float64 {
		s := newSolo(t, genomes[6])
		s.rules.Blind = llm.LayersOf(blind)
		s.ask()
		s.meet(peerA)
		s.meet(peerB)
		s.t.notes.SeePeer(peerA, 0.2, 256)
		s.t.notes.SeePeer(peerB, 0.6, 256)
		s.a.Reputation = own
		return s.t.deferral().leavesBounty(&wire.BountyView{ID: wire.Hash{0x77}, Reward: 10, Title: []byte("x")})
	}
	if middle, blind := wait(0.4), wait(0.4, "reputation"); middle != blind || middle <= 0 {
		t.Errorf("in the middle it waits %v ticks, blind to reputation %v", middle, blind)
	}
	if best, middle, worst := wait(0.9), wait(0.4), wait(0.1); best != 0 || !near(worst, 4*middle) {
		t.Errorf("the best, the middle and the worst wait %v, %v and %v ticks", best, middle, worst)
	}
}
