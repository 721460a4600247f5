package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// TestOfferAnswer_PrefersAskerWhoHelpedMore: of two askers the one that served the agent more weighs more, and reputation
// weighs beside it.
func TestOfferAnswer_PrefersAskerWhoHelpedMore(t *testing.T) {
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
		talker{o}.offerAnswer(s.about(goals.KindMentor, wire.Hash{}))
		weigher{o}.weigh()
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

// A peer that never answers back is helped a few times only, by social agents more often, unless it asks by name.
func TestHelpedEnough_StopsAnsweringPeersWhoNeverAnswerBack(t *testing.T) {
	for _, c := range []struct {
		name           string
		helped, served int
		collab         float32
		names          memory.Addressee
		want           bool
	}{
		{"once", 1, 0, 0, memory.AddresseeNone, false},
		{"twice", 2, 0, 0, memory.AddresseeNone, true},
		{"twice, the social", 2, 0, 1, memory.AddresseeNone, false},
		{"five times, the social", 5, 0, 1, memory.AddresseeNone, true},
		{"returned", 5, 4, 0, memory.AddresseeNone, false},
		{"asked by name", 5, 0, 0, memory.AddresseeSelf, false},
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
		if got := s.t.goals.helpedEnough(&memory.MessageNote{Author: peerA, Addressee: c.names}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestLeftToOther_QuestionNamingAnotherAgentWaits: a question is left to the agent that it names for a while, as long as nobody answered.
func TestLeftToOther_QuestionNamingAnotherAgentWaits(t *testing.T) {
	for _, c := range []struct {
		names   memory.Addressee
		answers uint8
		age     wire.Tick
		want    bool
	}{
		{memory.AddresseeOther, 0, 7, true}, // two slots of four ticks
		{memory.AddresseeOther, 0, 8, false},
		{memory.AddresseeOther, 1, 0, false},
		{memory.AddresseeSelf, 0, 0, false},
		{memory.AddresseeNone, 0, 0, false},
	} {
		s := newSolo(t, genomes[6])
		s.t.seen.tick = 1000
		if got := s.t.self.deferral().leftToOther(&memory.MessageNote{At: 1000 - c.age, Addressee: c.names, Answers: c.answers}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// If the newest entry of a peer was judged wrong after a good one, its answers still count, but its entries are not
// read.
func TestHeedsAndReads_ByNewestVerdicts(t *testing.T) {
	for _, c := range []struct {
		verdicts    string // of its entries, in order
		heeds, read bool
	}{{"", true, true}, {"+", true, true}, {"-", false, false}, {"+-", true, false}, {"-+", true, true}, {"----", false, false}} {
		s := newSolo(t, genomes[6])
		for _, v := range c.verdicts {
			s.a.Memory.Peers.Verdict(peerA, v == '+', 1, 256)
		}
		if heeds, read := s.t.relations().heeds(peerA), s.t.relations().reads(peerA); heeds != c.heeds || read != c.read {
			t.Errorf("verdicts %q: heeds %v, reads %v (word %v)", c.verdicts, heeds, read, s.t.relations().workQuality(peerA))
		}
	}
}

// Below some competence the answers of a peer do not count; a little above its entries are not read.
func TestHeedsAndReads_ByCompetence(t *testing.T) {
	for _, c := range []struct {
		competence   float32
		heeds, reads bool
	}{{.41, false, false}, {.43, true, false}, {.49, true, false}, {.5, true, true}} {
		s := newSolo(t, genomes[6])
		s.meet(peerA)
		s.a.Memory.Peers.Get(peerA).Competence = c.competence
		if heeds, reads := s.t.relations().heeds(peerA), s.t.relations().reads(peerA); heeds != c.heeds || reads != c.reads {
			t.Errorf("competence %v: heeds %v, reads %v", c.competence, heeds, reads)
		}
	}
	if s := newSolo(t, genomes[6]); s.t.relations().workQuality(peerA) != .5 {
		t.Errorf("the word of a stranger is worth %v", s.t.relations().workQuality(peerA))
	}
}

// Verdicts on the work of peers decide whose answers count and whose entries are read. An agent that is blind to peers
// reads all of them.
func TestHeedsAndReads_ByVerdictsUnlessBlindToPeers(t *testing.T) {
	s := newSolo(t, genomes[6])
	for range 10 {
		s.a.Memory.Peers.Verdict(peerA, false, 1, 256)
		s.a.Memory.Peers.Verdict(peerB, true, 1, 256)
	}
	if s.t.relations().heeds(peerA) || !s.t.relations().heeds(peerB) {
		t.Errorf("reads the author of wrong entries: %v, of right ones: %v", s.t.relations().heeds(peerA), s.t.relations().heeds(peerB))
	}
	if s.t.relations().reads(peerA) || !s.t.relations().reads(peerB) {
		t.Errorf("spends time on wrong entries: %v, on right ones: %v", s.t.relations().reads(peerA), s.t.relations().reads(peerB))
	}
	s.rules.Blind = llm.LayersOf([]string{"peers"})
	if !s.t.relations().heeds(peerA) || !s.t.relations().reads(peerA) {
		t.Error("blind to peers, it does not read somebody")
	}
}

// The question of a trusted asker is deferred for a shorter time, that of an asker whom the agent owes an answer for a
// much shorter time, that of an asker who owes it answers up to three times as long.
func TestDistance_ByTrustAndAnswersOwed(t *testing.T) {
	for _, c := range []struct {
		name             string
		trust            float64
		served, answered uint32
		want             float64
	}{
		{"a stranger", -1, 0, 0, 1},
		{"known, not trusted", 0, 0, 0, 1},
		{"half trusted", .5, 0, 0, .7},
		{"trusted", 1, 0, 0, .4},
		{"trusted, and owed an answer", 1, 1, 0, .4 * .2},
		{"not trusted, and owed an answer", 0, 2, 0, .2},
		{"owes an answer", 0, 0, 1, 1.5},
		{"trusted, and owes an answer", 1, 0, 1, .4 * 1.5},
		{"owes four", 0, 0, 4, 3},
		{"owes nine", 0, 0, 9, 3},
	} {
		s := newSolo(t, genomes[6])
		s.t.seen.tick = 250
		if c.trust >= 0 {
			s.meet(peerA)
			p := s.a.Memory.Peers.Get(peerA)
			p.Interactions, p.Successes, p.Served, p.Helped = 2, uint32(2*c.trust), c.served, c.answered
		}
		if got := s.t.relations().peerWaitFactor(peerA); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestDealQuality_StrangersAreExpectedToDealWell: dealings with strangers are expected to go well, and one that did not weighs less than all of them.
func TestDealQuality_StrangersAreExpectedToDealWell(t *testing.T) {
	for _, c := range []struct {
		well, all uint32
		want      float64
	}{{0, 0, 1}, {1, 1, 1}, {0, 1, .5}, {1, 3, .5}, {3, 7, .5}} {
		s := newSolo(t, genomes[6])
		if c.all > 0 {
			s.meet(peerA)
			p := s.a.Memory.Peers.Get(peerA)
			p.Successes, p.Interactions = c.well, c.all
		}
		if got := s.t.relations().dealQuality(peerA); !near(got, c.want) {
			t.Errorf("%d of %d went well: %v, want %v", c.well, c.all, got, c.want)
		}
	}
}

// What the agent knows of a peer counts by the kind of act: the quality of the peer's work for reading and citing, its
// reliability for a claim, who helped whom for an answer. Where the agent knows nothing, reputation counts. Verdicts do
// not depend on the peer.
func TestWeigh_PeerFactorsByKindOfAct(t *testing.T) {
	entry, question, bounty := wire.Hash{0xE1}, wire.Hash{0xC1}, wire.Hash{0xB1}
	seen := memory.Peer{Competence: .75, Reliability: .25, Served: 1, Helped: 3}
	for _, c := range []struct {
		name       string
		act        string
		params     any
		compose    llm.Compose
		subject    wire.Hash
		peer       *memory.Peer
		reputation float32
		known      float64 // knownPeer
		stranger   float64
		esteem     float64
	}{
		{"reads", "entry_get", &wire.EntryGet{EntryID: entry}, 0, entry, &seen, .4, .75, 1, 1},
		{"cites", "citation_add", &wire.CitationAdd{Target: entry}, 0, entry, &seen, .4, .75, 1, 1},
		{"claims", "bounty_claim", &wire.BountyClaim{BountyID: bounty}, 0, bounty, &seen, .4, .25, 1, 1},
		{"answers who helped less", "msg_post", &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{question}}, llm.ComposeAnswer, wire.Hash{}, &seen, .4, .4, 1, .5},
		{"answers who helped much less", "msg_post", &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{question}}, llm.ComposeAnswer, wire.Hash{}, &memory.Peer{Helped: 9}, .4, .2, 1, .5},
		{"answers who helped more", "msg_post", &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{question}}, llm.ComposeAnswer, wire.Hash{}, &memory.Peer{Served: 9, Helped: 1}, .8, 1, 1, 1},
		{"answers who helped as much", "msg_post", &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{question}}, llm.ComposeAnswer, wire.Hash{}, &memory.Peer{Served: 2, Helped: 2}, .4, .8, 1, .5},
		{"answers no message", "msg_post", &wire.MsgPost{Kind: wire.MessageKindAnswer}, llm.ComposeAnswer, wire.Hash{}, &seen, .4, 1, 1, 1},
		{"states", "msg_post", &wire.MsgPost{Kind: wire.MessageKindStatement, References: []wire.Hash{question}}, 0, wire.Hash{}, &seen, .4, 1, 1, 1},
		{"judges", "entry_verify", &wire.EntryVerify{EntryID: entry}, 0, entry, &seen, .4, 1, 1, 1},
		{"reads a stranger", "entry_get", &wire.EntryGet{EntryID: entry}, 0, entry, nil, .4, 1, .4, 1},
		{"reads one of no reputation", "entry_get", &wire.EntryGet{EntryID: entry}, 0, entry, nil, -1, 1, .3, 1},
		{"reads one of whom no work was judged", "entry_get", &wire.EntryGet{EntryID: entry}, 0, entry, &memory.Peer{Competence: .5, Served: 1}, .4, 1, .4, 1},
		{"claims from one that promised nothing", "bounty_claim", &wire.BountyClaim{BountyID: bounty}, 0, bounty, &memory.Peer{Competence: .9, Reliability: .5}, .4, 1, .4, 1},
		{"answers one with whom it had nothing to do", "msg_post", &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{question}}, llm.ComposeAnswer, wire.Hash{}, &memory.Peer{Competence: .9}, .4, 1, .4, .5},
	} {
		for collab, weight := range map[float32]float64{0: .3, .5: .6, 1: .9} { //house:sorted each is looked at by itself
			s, o := offering(t, func(s *solo) {
				s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA})
				s.a.Notebook.SeeMessage(memory.MessageNote{ID: question, Author: peerA, Kind: wire.MessageKindQuestion})
				s.view.Bounties = []wire.BountyView{{ID: bounty, Creator: peerA, Status: wire.BountyStatusOpen, Title: []byte("x")}}
			})
			s.a.Genome.Traits.Collaboration = collab
			if c.peer != nil {
				s.meet(peerA)
				p := s.a.Memory.Peers.Get(peerA)
				p.Competence, p.Reliability, p.Served, p.Helped = c.peer.Competence, c.peer.Reliability, c.peer.Served, c.peer.Helped
			}
			if c.reputation >= 0 {
				s.a.Notebook.SeePeer(peerA, c.reputation, 256)
			}
			s.a.Notebook.SeePeer(peerB, .8, 256)
			row, _ := action.ByName(c.act)
			a := &llm.Affordance{Action: row, Params: c.params, Subject: c.subject, Compose: c.compose}
			w := weigher{o}
			for _, f := range []struct {
				name      string
				got, want float64
			}{{"known", w.knownPeer(a, nil), c.known}, {"stranger", w.stranger(a, nil), c.stranger}, {"esteem", w.esteem(a, nil), c.esteem}} {
				if want := 1 - weight*(1-f.want); !near(f.got, want) {
					t.Errorf("%s, collaboration %v: %s %v, want %v", c.name, collab, f.name, f.got, want)
				}
			}
		}
	}
}

// An entry of an author who was always right needs a verdict less, unless the agent doubts the entry.
func TestNeedsCheck_LessForAccurateAuthors(t *testing.T) {
	entry := wire.Hash{0xE1}
	for _, c := range []struct {
		name       string
		compose    llm.Compose
		competence float32
		distance   float64
		want       float64
	}{
		{"of a beginner", llm.ComposeVerdict, .5, 0, 1},
		{"of one that was often wrong", llm.ComposeVerdict, .25, 0, 1},
		{"of one that was mostly right", llm.ComposeVerdict, .75, 0, .5},
		{"of one that was always right", llm.ComposeVerdict, 1, 0, 0},
		{"of one that was always right, doubted", llm.ComposeVerdict, 1, .9, 1},
		{"not a verdict", llm.ComposeAnswer, 1, 0, 1},
	} {
		s, o := offering(t, func(s *solo) { s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA}) })
		s.meet(peerA)
		s.a.Memory.Peers.Get(peerA).Competence = c.competence
		a := &llm.Affordance{Compose: c.compose, Subject: entry}
		if c.distance > 0 {
			a.Said = &llm.Finding{Distance: c.distance}
		}
		if got := (weigher{o}).needsCheck(a, nil); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
