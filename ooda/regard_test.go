package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// TestAnswers_GoToThoseWhoHelped: of two askers the one that served the agent more weighs more, and reputation
// weighs beside it.
func TestAnswers_GoToThoseWhoHelped(t *testing.T) {
	weigh := func(served, helped int, reputation float32) float64 {
		s, o := offering(t, func(s *solo) {
			s.meet(peerA)
			for range served {
				s.a.Memory.Peers.Serve(peerA, 256)
			}
			for range helped {
				s.a.Memory.Peers.Help(peerA, 256)
			}
			s.a.Notebook.SeePeer(peerA, reputation, 256)
			s.a.Notebook.SeePeer(peerB, 0.8, 256)
			s.noteMessages(1, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true, Text: []byte("What is on your mind?")})
		})
		o.offerAnswer(s.about(goals.KindMentor, wire.Hash{}))
		scale{o}.weigh()
		if len(o.list) != 1 {
			t.Fatalf("served %d, helped %d: %d answers offered", served, helped, len(o.list))
		}
		return o.list[0].Considered.Of(llm.FactorPeer)
	}
	if even, owed, ahead := weigh(1, 1, 0.8), weigh(2, 1, 0.8), weigh(0, 1, 0.8); ahead >= even || even >= owed {
		t.Errorf("helped before it was served %v, even %v, served %v: want them to grow", ahead, even, owed)
	}
	if low, high := weigh(1, 1, 0.2), weigh(1, 1, 0.8); low >= high {
		t.Errorf("an asker of little reputation weighs %v, of much %v", low, high)
	}
}

// TestHelpedEnough_LeavesWhoNeverReturnsIt, unless it asks by name; the social go on longer.
func TestHelpedEnough_LeavesWhoNeverReturnsIt(t *testing.T) {
	for _, c := range []struct {
		name           string
		helped, served int
		collab         float32
		names          memory.Named
		want           bool
	}{
		{"once", 1, 0, 0, memory.NamesNobody, false},
		{"twice", 2, 0, 0, memory.NamesNobody, true},
		{"twice, the social", 2, 0, 1, memory.NamesNobody, false},
		{"five times, the social", 5, 0, 1, memory.NamesNobody, true},
		{"returned", 5, 4, 0, memory.NamesNobody, false},
		{"asked by name", 5, 0, 0, memory.NamesMe, false},
	} {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.Collaboration = c.collab
		s.meet(peerA)
		for range c.helped {
			s.a.Memory.Peers.Help(peerA, 256)
		}
		for range c.served {
			s.a.Memory.Peers.Serve(peerA, 256)
		}
		if got := s.t.goals.helpedEnough(&memory.MessageNote{Author: peerA, Names: c.names}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestLeftToOther: a question is left to the agent that it names for a while, as long as nobody answered.
func TestLeftToOther(t *testing.T) {
	for _, c := range []struct {
		names   memory.Named
		answers uint8
		age     wire.Tick
		want    bool
	}{
		{memory.NamesAnother, 0, 63, true}, // a quarter of a cycle
		{memory.NamesAnother, 0, 64, false},
		{memory.NamesAnother, 1, 0, false},
		{memory.NamesMe, 0, 0, false},
		{memory.NamesNobody, 0, 0, false},
	} {
		s := newSolo(t, genomes[6])
		s.t.seen.tick = 1000
		if got := s.t.self.leftToOther(&memory.MessageNote{At: 1000 - c.age, Names: c.names, Answers: c.answers}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestReads_ByTheNewestVerdicts: of a peer whose newest entry was found wrong after a good one the answers still count, but its
// entries are not read.
func TestReads_ByTheNewestVerdicts(t *testing.T) {
	for _, c := range []struct {
		verdicts    string // of its entries, in order
		heeds, read bool
	}{{"", true, true}, {"+", true, true}, {"-", false, false}, {"+-", true, false}, {"-+", true, true}, {"----", false, false}} {
		s := newSolo(t, genomes[6])
		for _, v := range c.verdicts {
			s.a.Memory.Peers.Verdict(peerA, v == '+', 1, 256)
		}
		if heeds, read := s.t.heeds(peerA), s.t.reads(peerA); heeds != c.heeds || read != c.read {
			t.Errorf("verdicts %q: heeds %v, reads %v (word %v)", c.verdicts, heeds, read, s.t.word(peerA))
		}
	}
}

// TestPeersDecideWhatIsRead: of what a list shows an agent goes on to the author whose word it found best, and it stops
// reading who was found wrong too often.
func TestPeersDecideWhatIsRead(t *testing.T) {
	s := newSolo(t, genomes[6])
	for range 10 {
		s.a.Memory.Peers.Verdict(peerA, false, 1, 256)
		s.a.Memory.Peers.Verdict(peerB, true, 1, 256)
	}
	if s.t.heeds(peerA) || !s.t.heeds(peerB) {
		t.Errorf("reads the author of wrong entries: %v, of right ones: %v", s.t.heeds(peerA), s.t.heeds(peerB))
	}
	if s.t.reads(peerA) || !s.t.reads(peerB) {
		t.Errorf("spends time on wrong entries: %v, on right ones: %v", s.t.reads(peerA), s.t.reads(peerB))
	}
	s.rules.Blind = llm.LayersOf([]string{"peers"})
	if !s.t.heeds(peerA) || !s.t.reads(peerA) {
		t.Error("blind to peers, it does not read somebody")
	}
}
