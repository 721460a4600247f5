package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// offering is a turn in the middle of decide, with no affordance listed yet.
func offering(t *testing.T, prepare func(s *solo)) (*solo, *offers) {
	t.Helper()
	s := newSolo(t, genomes[6])
	if prepare != nil {
		prepare(s)
	}
	s.ask()
	s.t.offers.reset()
	return s, &s.t.offers
}

// about is a goal of a kind about a subject, worth 1.
func (s *solo) about(k goals.Kind, subject wire.Hash) *goals.Goal {
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: k, Subject: &subject}, 256)
	g.Priority = 1
	return &g
}

func (s *solo) noteEntries(n byte, e memory.EntryNote) {
	for i := range n {
		e.ID = wire.Hash{0xE1, i}
		s.a.Notebook.SeeEntry(e)
	}
}

func (s *solo) noteMessages(n byte, m memory.MessageNote) {
	for i := range n {
		m.ID = wire.Hash{0xA1, i}
		s.a.Notebook.SeeMessage(m)
	}
}

// TestOffers_LimitsPerKind: how many affordances of a kind a slot lists at most.
func TestOffers_LimitsPerKind(t *testing.T) {
	system := wire.SystemID(wire.SystemMint)
	for _, c := range []struct {
		name    string
		kind    goals.Kind
		prepare func(s *solo)
		run     func(o *offers, g *goals.Goal)
		want    int
	}{
		{"entries to judge", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA, Read: true}) }, func(o *offers, g *goals.Goal) { reader{o}.offerVerify(g) }, 4},
		{"entries judged", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA, Read: true, Judged: true}) }, func(o *offers, g *goals.Goal) { reader{o}.offerVerify(g) }, 0},
		{"entries unread", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA}) }, func(o *offers, g *goals.Goal) { reader{o}.offerVerify(g) }, 0},
		{"an entry to read", goals.KindMentor, func(s *solo) { s.noteEntries(1, memory.EntryNote{Author: peerA, Paid: true}) }, func(o *offers, g *goals.Goal) { reader{o}.offerRead(g) }, 1},
		{"entries to read", goals.KindMentor, func(s *solo) {
			s.noteEntries(6, memory.EntryNote{Author: peerA, Title: []byte("Starlark pattern: words")})
		}, func(o *offers, g *goals.Goal) { reader{o}.offerRead(g) }, 1},
		{"entries that nothing counted speaks about", goals.KindMentor, func(s *solo) {
			s.noteEntries(6, memory.EntryNote{Author: peerA, Title: []byte("Words")})
		}, func(o *offers, g *goals.Goal) { reader{o}.offerRead(g) }, 0},
		{"entries read", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA, Read: true}) }, func(o *offers, g *goals.Goal) { reader{o}.offerRead(g) }, 0},
		{"own entries", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Own: true}) }, func(o *offers, g *goals.Goal) { reader{o}.offerRead(g) }, 0},
		{"messages to answer with a signal", goals.KindMentor, func(s *solo) {
			s.noteMessages(6, memory.MessageNote{Opinion: memory.OpinionFor, Author: peerA, Read: true})
		}, func(o *offers, g *goals.Goal) { talker{o}.offerSignal(g) }, 4},
		{"messages signed", goals.KindMentor, func(s *solo) {
			s.noteMessages(6, memory.MessageNote{Opinion: memory.OpinionFor, Author: peerA, Read: true, Signed: true})
		}, func(o *offers, g *goals.Goal) { talker{o}.offerSignal(g) }, 0},
		{"messages unread", goals.KindMentor, func(s *solo) { s.noteMessages(6, memory.MessageNote{Opinion: memory.OpinionFor, Author: peerA}) }, func(o *offers, g *goals.Goal) { talker{o}.offerSignal(g) }, 0},
		{"questions", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
		}, func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) }, 1},
		{"questions of an answer goal", goals.KindAnswer, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
		}, func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) }, 0},
		{"statements", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindStatement, Read: true})
		}, func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) }, 0},
		{"questions answered", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true, Answered: true})
		}, func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) }, 0},
		{"questions, no post left", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
			s.a.Notebook.Posts = 10
		}, func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) }, 0},
		{"questions, a post left", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
			s.a.Notebook.Posts = 9
		}, func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) }, 1},
		{"an own question", goals.KindExplore, (*solo).glimpse, func(o *offers, g *goals.Goal) { talker{o}.offerQuestion(g) }, 1},
		{"a question about what was never seen", goals.KindTryNovel, nil, func(o *offers, g *goals.Goal) { talker{o}.offerQuestion(g) }, 0},
		{"a second question", goals.KindExplore, func(s *solo) { s.glimpse(); s.a.Notebook.Asked = 1 }, func(o *offers, g *goals.Goal) { talker{o}.offerQuestion(g) }, 0},
		{"a question, no post left", goals.KindExplore, func(s *solo) { s.glimpse(); s.a.Notebook.Posts = 10 }, func(o *offers, g *goals.Goal) { talker{o}.offerQuestion(g) }, 0},
		{"a question, a post left", goals.KindExplore, func(s *solo) { s.glimpse(); s.a.Notebook.Posts = 9 }, func(o *offers, g *goals.Goal) { talker{o}.offerQuestion(g) }, 1},
		{"proposals of a system", goals.KindEarn, func(s *solo) { s.proposals(6, system, 256) }, func(o *offers, g *goals.Goal) { citizen{o}.offerVote(g) }, 4},
		{"proposals past their deadline", goals.KindEarn, func(s *solo) { s.proposals(6, system, 255) }, func(o *offers, g *goals.Goal) { citizen{o}.offerVote(g) }, 0},
		{"proposals of agents", goals.KindEarn, func(s *solo) { s.proposals(6, peerA, 300) }, func(o *offers, g *goals.Goal) { citizen{o}.offerVote(g) }, 0},
		{"proposals for another vote goal", goals.KindVote, func(s *solo) { s.proposals(6, system, 300) }, func(o *offers, g *goals.Goal) { citizen{o}.offerVote(g) }, 0},
		{"claims to give back", goals.KindEarn, func(s *solo) { s.held(4, wire.BountyStatusClaimed) }, func(o *offers, g *goals.Goal) { worker{o}.offerRelease(g) }, 2},
		{"claims under review", goals.KindEarn, func(s *solo) { s.held(4, wire.BountyStatusReviewing) }, func(o *offers, g *goals.Goal) { worker{o}.offerRelease(g) }, 0},
		{"experiments", goals.KindExplore, nil, func(o *offers, g *goals.Goal) { explorer{o}.offerExperiment(g) }, 3},
		{"experiments of a newcomer's own accord", goals.KindTryNovel, func(s *solo) { s.a.Notebook.Novel = 0 }, func(o *offers, g *goals.Goal) { explorer{o}.offerOwnPace(g) }, 3},
		{"a peer to look up", goals.KindMentor, func(s *solo) { s.noteEntries(2, memory.EntryNote{Author: peerA, Read: true}) }, func(o *offers, g *goals.Goal) { mentor{o}.offerStanding(g) }, 1},
	} {
		s, o := offering(t, c.prepare)
		c.run(o, s.about(c.kind, wire.Hash{0xFF}))
		if len(o.list) != c.want {
			t.Errorf("%s: %d offered, want %d", c.name, len(o.list), c.want)
		}
	}
}

// glimpse has the agent see that its channels bring something, without counting what.
func (s *solo) glimpse() {
	for _, c := range channelRound {
		s.a.Memory.Findings.AddUncounted(memory.MeasureAsked, []byte(llm.ChannelName(c)), 1)
	}
}

func (s *solo) proposals(n byte, author wire.AgentID, deadline wire.Tick) {
	for i := range n {
		s.view.Proposals = append(s.view.Proposals, wire.ProposalView{ID: wire.Hash{0xB1, i}, Kind: wire.ProposalKindKillAgent, Author: author, Deadline: deadline})
	}
}

// held shows bounties that this agent holds and means to give back.
func (s *solo) held(n byte, status wire.BountyStatus) {
	me := s.a.ID
	for i := range n {
		id := wire.Hash{0xC1, i}
		s.view.Claims = append(s.view.Claims, wire.BountyView{ID: id, Claimer: &me, Status: status})
		s.a.Notebook.Release(id)
	}
}

// TestOfferStep_ShowsTextOfItsSubject: an entry's, a message's, or a claimed bounty's title.
func TestOfferStep_ShowsTextOfItsSubject(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind    goals.Kind
		subject wire.Hash
		author  wire.AgentID
		text    string
	}{
		{"an entry", goals.KindEarn, wire.Hash{1}, peerA, "entry"},
		{"a message", goals.KindEarn, wire.Hash{2}, peerB, "message"},
		{"a claimed bounty", goals.KindClaimBounty, wire.Hash{3}, wire.SystemID(wire.SystemAgora), "Patterns"},
		{"anything else", goals.KindEarn, wire.Hash{3}, wire.AgentID{}, ""},
	} {
		s, o := offering(t, func(s *solo) { s.holding() })
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: peerA, Text: []byte("entry")})
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{2}, Author: peerB, Text: []byte("message")})
		step := &plannedStep{step: 3, planned: &memory.PlanStep{}, subject: c.subject, payload: &wire.EntryGet{EntryID: c.subject}, act: &decodedAction{stepAction: stepAction{Action: "entry_get"}}}
		o.offerStep(s.about(c.kind, mine), &memory.Plan{ID: 8}, step)
		a, ref := &o.list[0], o.refs[0]
		want := ""
		if !c.author.IsZero() {
			want = nameOf(c.author)
		}
		if a.Author != want || string(a.Text) != c.text || !a.Plan || ref.plan != 8 || ref.step != 3 {
			t.Errorf("%s: %q by %q, ref %+v", c.name, a.Text, a.Author, ref)
		}
	}
}

// Each affordance names the author and the text of its subject, and how likely its success is.
func TestOffers_ShowAuthorAndTextOfSubject(t *testing.T) {
	system := wire.SystemID(wire.SystemMint)
	s, o := offering(t, func(s *solo) {
		s.noteEntries(1, memory.EntryNote{Author: peerA, Read: true, Text: []byte("entry")})
		s.noteMessages(1, memory.MessageNote{Author: peerB, Kind: wire.MessageKindQuestion, Read: true, Opinion: memory.OpinionFor, Text: []byte("question")})
		s.proposals(1, system, 300)
		s.held(1, wire.BountyStatusClaimed)
	})
	for _, n := range []generator{genVerify, genSignal, genAnswer, genVote, genRelease} {
		o.generate(n, s.about(goals.KindMentor, wire.Hash{}))
	}
	want := []struct {
		action, author, text string
		success              float64
	}{
		{"entry_verify", peerA.Alias(), "entry", 0.5},
		{"signal_send", peerB.Alias(), "question", 0.35},
		{"msg_post", peerB.Alias(), "question", 0.5},
		{"proposal_vote", wire.SystemMint.String(), "", 0.5},
		{"bounty_review", "", "", 1},
	}
	for i, w := range want {
		if i >= len(o.list) || o.list[i].Name() != w.action || o.list[i].Author != w.author || string(o.list[i].Text) != w.text || o.list[i].Success != w.success {
			t.Errorf("affordance %d is %+v, want %+v", i, o.list[min(i, len(o.list)-1)], w)
		}
	}
}

// A mind that reads may judge an entry about something that the agent never counted, but the factor "know" is low.
func TestOfferVerify_UncountedEntryHasLowKnowFactor(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.noteEntries(1, memory.EntryNote{Author: peerA, Title: []byte("Words"), Read: true})
	})
	reader{o}.offerVerify(s.about(goals.KindMentor, wire.Hash{0xFF}))
	if len(o.list) != 1 || o.list[0].Know != knowsNothing {
		t.Errorf("%d offers, want one whose factor know is %v", len(o.list), knowsNothing)
	}
}
