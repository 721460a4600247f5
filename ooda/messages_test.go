package ooda

import (
	"strings"
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// reads lets the agent read messages of a channel at tick 300.
func (s *solo) reads(channel wire.Hash, list ...wire.Message) {
	for i := range list {
		if list[i].Channel = channel; list[i].Tick == 0 {
			list[i].Tick = 290
		}
		if list[i].Content == nil {
			list[i].Content = textContent("x")
		}
	}
	s.reply(&wire.MsgQuery{Channels: &[]wire.Hash{channel}}, wire.Reply{Body: &wire.MsgQueryReply{Messages: list}})
}

// keeps counts the working notes of a sort.
func (s *solo) keeps(sort string) (n int) {
	for _, x := range s.a.Memory.Working.Notes() {
		if strings.HasPrefix(x.Key, sort) {
			n++
		}
	}
	return n
}

// An agent that asks waits for the answer and may want to pay for one; who answers has helped the asker.
func TestPosted_QuestionsAndAnswersAreRemembered(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   wire.MessageKind
		to     wire.AgentID // who asked what it refers to
		asks   bool
		helped int32
	}{
		{"a question", wire.MessageKindQuestion, peerA, true, 0},
		{"an answer", wire.MessageKindAnswer, peerA, false, 1},
		{"an answer to a system", wire.MessageKindAnswer, wire.SystemID(wire.SystemAgora), false, 0},
		{"a statement", wire.MessageKindStatement, peerA, false, 0},
	} {
		s, _ := writing(t, 1)
		asked := wire.Hash{1}
		s.meet(peerA)
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: asked, Author: c.to, Kind: wire.MessageKindQuestion, Text: []byte("How?")})
		s.reply(&wire.MsgPost{Channel: channelHelp, Kind: c.kind, Content: textContent("How do I sort?"), References: []wire.Hash{asked}}, wire.Reply{Body: &wire.MsgPostAck{MessageID: wire.Hash{2}}})
		waits := s.keeps(noteAsked) > 0
		if waits != c.asks || s.a.Memory.Market.HasWant(wire.Hash{2}) != c.asks {
			t.Errorf("%s: it waits for an answer %v, wants one %v", c.name, waits, s.a.Memory.Market.HasWant(wire.Hash{2}))
		}
		p := s.peer(peerA)
		if got := -int32(p.Balance()); got != c.helped {
			t.Errorf("%s: it has helped by %d", c.name, got)
		}
	}
}

// An answer to an own question makes its author one who has served the agent, ends the wait for it, and counts for the question, unless it
// does not say what was asked: then the question goes on waiting, and its author is trusted less.
func TestRead_AnswersToOwnQuestions(t *testing.T) {
	asks := memory.MeasureReward.Question([]byte("HARD"))
	const says, beside = "Bounties of difficulty HARD offer 30.0 Spark each (n 8, cycle 3).", "Good morning."
	for _, c := range []struct {
		name   string
		asked  string
		says   string
		served bool
		good   bool // the dealing
	}{
		{"it says what was asked", asks, says, true, true},
		{"it does not", asks, beside, false, false},
		{"nobody can tell", "How do I sort?", beside, true, true},
		{"a program cannot be told from the words", memory.MeasurePattern.Question([]byte("memo")), beside, true, true},
	} {
		s, _ := writing(t, 1)
		question := wire.Hash{1}
		s.reply(&wire.MsgPost{Channel: channelHelp, Kind: wire.MessageKindQuestion, Content: textContent(c.asked)}, wire.Reply{Body: &wire.MsgPostAck{MessageID: question}})
		s.a.Notebook.Message(question).Text = []byte(c.asked)
		s.a.Memory.Effects.Add(memory.Effect{Experience: 1, Object: question})
		s.reads(channelHelp, wire.Message{ID: wire.Hash{2}, Author: peerA, Kind: wire.MessageKindAnswer, Content: textContent(c.says), References: []wire.Hash{question}})
		p := s.peer(peerA)
		if p.Interactions != 1 || (p.Successes == 1) != c.good || (p.Balance() == 1) != c.served {
			t.Errorf("%s: the author is seen as %+v", c.name, p)
		}
		if ended := s.keeps(noteAsked) == 0; ended != c.served {
			t.Errorf("%s: the wait for an answer has ended %v", c.name, ended)
		}
		if e := s.a.Memory.Effects.ByObject(question); e.Answers != 1 {
			t.Errorf("%s: %d answers came", c.name, e.Answers)
		}
		if n := s.a.Notebook.Message(question).Answers; (n == 1) != c.good {
			t.Errorf("%s: the question has %d answers", c.name, n)
		}
	}
}

// What a message is about decides what the agent makes of it: a peer that names it and its own entry has that judged first, and a statement
// about an entry that the agent found wrong is doubted.
func TestRead_StatementsAboutEntries(t *testing.T) {
	for _, c := range []struct {
		name    string
		author  wire.AgentID
		names   bool // the agent
		kind    wire.MessageKind
		verdict wire.Verdict // of the agent on the entry
		paid    bool
		doubt   bool
	}{
		{"it invites the agent", peerA, true, wire.MessageKindStatement, 0, true, false},
		{"it invites another", peerA, false, wire.MessageKindStatement, 0, false, false},
		{"it invites to another's entry", peerB, true, wire.MessageKindStatement, 0, false, false},
		{"it asks", peerA, true, wire.MessageKindQuestion, 0, false, false},
		{"about an entry that the agent found wrong", peerA, false, wire.MessageKindStatement, wire.VerdictInaccurate, false, true},
		{"about one that it found out of date", peerA, false, wire.MessageKindStatement, wire.VerdictOutdated, false, true},
		{"about one that it found right", peerA, false, wire.MessageKindStatement, wire.VerdictAccurate, false, false},
		{"about one of another that it found wrong", peerB, false, wire.MessageKindStatement, wire.VerdictInaccurate, false, false},
		{"a question about one that it found wrong", peerA, false, wire.MessageKindQuestion, wire.VerdictInaccurate, false, false},
	} {
		s, _ := writing(t, 1)
		entry := wire.Hash{0xE1}
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA, Verdict: uint8(c.verdict)})
		refs := []wire.Hash{wire.Hash(peerB), entry}
		if c.names {
			refs[0] = wire.Hash(s.a.ID)
		}
		s.reads(channelHelp, wire.Message{ID: wire.Hash{2}, Author: c.author, Kind: c.kind, References: refs}, wire.Message{ID: wire.Hash{3}, Author: c.author, Kind: c.kind})
		if n := s.a.Notebook.Entry(entry); n.Paid != c.paid {
			t.Errorf("%s: the entry is judged first %v", c.name, n.Paid)
		}
		if m := s.a.Notebook.Message(wire.Hash{2}); (m.Opinion == memory.OpinionDoubt) != c.doubt {
			t.Errorf("%s: its opinion is %d", c.name, m.Opinion)
		}
	}
}

// A look counts the messages that are new to the agent, by channel. If it knew of none before, the next look comes later the less it brought.
func TestRead_LooksCountWhatIsNew(t *testing.T) {
	s, _ := writing(t, 1)
	s.a.Memory.Topics[memory.TopicTalk-1].Know = 1
	s.a.Notebook.LookPause = 1
	other := wire.Hash{0xC0}
	s.a.Notebook.SeeChannel(memory.ChannelNote{ID: other, Name: []byte("den")})
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{9}, Channel: channelHelp, Author: peerA, Kind: wire.MessageKindStatement, Read: true})
	s.reply(&wire.MsgQuery{Channels: &[]wire.Hash{channelHelp, other}}, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{
		{ID: wire.Hash{1}, Tick: 290, Channel: channelHelp, Author: peerA, Kind: wire.MessageKindStatement, Content: textContent("x")},
		{ID: wire.Hash{2}, Tick: 290, Channel: other, Author: peerA, Kind: wire.MessageKindStatement, Content: textContent("x")},
		{ID: wire.Hash{3}, Tick: 290, Channel: other, Author: peerA, Kind: wire.MessageKindStatement, Content: textContent("x")},
		{ID: wire.Hash{4}, Tick: 290, Channel: wire.Hash{0xC1}, Author: peerA, Kind: wire.MessageKindStatement, Content: textContent("x")},
		{ID: wire.Hash{9}, Tick: 290, Channel: other, Author: peerA, Kind: wire.MessageKindStatement, Content: textContent("x")}, // known
		{ID: wire.Hash{5}, Tick: 290, Channel: other, Author: s.a.ID, Kind: wire.MessageKindStatement, Content: textContent("x")},
	}}})
	for channel, want := range map[string]float32{"help": 1, "den": 2} { //house:sorted each is looked at by itself
		if f := s.a.Memory.Findings.Get(memory.MeasureLook, []byte(channel)); f == nil || f.Value != want {
			t.Errorf("a look at #%s brought %+v, want %v", channel, f, want)
		}
	}
	if p := s.a.Notebook.LookPause; p != 1 {
		t.Errorf("after news the next look comes in %d cycles", p)
	}
	s.reads(channelHelp)
	if p := s.a.Notebook.LookPause; p != 2 {
		t.Errorf("without news the next look comes in %d cycles", p)
	}
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{7}, Channel: channelHelp, Author: peerA, Kind: wire.MessageKindStatement, At: 299})
	s.reads(other)
	if p := s.a.Notebook.LookPause; p != 2 {
		t.Errorf("while something is known to be unread the next look comes in %d cycles", p)
	}
}

// What else a reply or a refusal teaches the agent.
func TestReplies_WhatEachTeaches(t *testing.T) {
	discarded := wire.EntryDiscarded
	bounty := wire.Hash{0xB1}
	for _, c := range []struct {
		name    string
		payload any
		reply   wire.Reply
		taught  func(s *solo) bool
	}{
		{"a refused correction is not tried again", &wire.EntryUpdate{EntryID: wire.Hash{1}}, refusedFor("pending"), func(s *solo) bool {
			n := s.a.Notebook.Entry(wire.Hash{1})
			return n.Corrected && n.Pending == 0
		}},
		{"one without a body can be mended", &wire.EntryUpdate{EntryID: wire.Hash{1}}, refusedFor("bad payload (new_body)"), func(s *solo) bool { return !s.a.Notebook.Entry(wire.Hash{1}).Corrected }},
		{"a bounty that was refused is not offered in this cycle", &wire.BountyCreate{}, refusedFor("funds"), func(s *solo) bool { return s.a.Memory.Market.Funded }},
		{"a stake is placed once", &wire.StakeCreate{Proposal: wire.Hash{3}}, ack, func(s *solo) bool { return s.a.Memory.Dealings.Staked(wire.Hash{3}) }},
		{"a stake that is refused, too", &wire.StakeCreate{Proposal: wire.Hash{3}}, refusedFor("x"), func(s *solo) bool { return s.a.Memory.Dealings.Staked(wire.Hash{3}) }},
		{"a version is reviewed once", &wire.ReviewRequest{Repo: ownRepo, HeadSnap: ownSnap}, refusedFor("x"), func(s *solo) bool { return s.a.Notebook.WorkOf(ownRepo).Asked == ownSnap }},
		{"an own verdict", &wire.EntryVerify{EntryID: wire.Hash{1}, Verdict: wire.VerdictOutdated}, ack, func(s *solo) bool {
			n := s.a.Notebook.Entry(wire.Hash{1})
			return s.a.Notebook.Judged == 1 && n.Verdict == uint8(wire.VerdictOutdated) && n.Since == s.t.slotView.cycle+1
		}},
		{"a discarded entry needs no verdict", &wire.EntryGet{EntryID: wire.Hash{1}}, wire.Reply{Body: &wire.EntryGetReply{Entry: wire.OracleEntry{ID: wire.Hash{1}}, Status: &discarded}}, func(s *solo) bool {
			n := s.a.Notebook.Entry(wire.Hash{1})
			return n.Judged && !n.Read
		}},
		{"a cited entry is watched", &wire.CitationAdd{Source: wire.Hash{2}, Target: wire.Hash{1}}, ack, func(s *solo) bool { return len(s.a.Memory.Market.Cited) == 1 }},
		{"a claim is a promise", &wire.BountyClaim{BountyID: bounty}, ack, func(s *solo) bool { return s.keeps(notePromised) == 1 }},
		{"a proposal that it voted on is not made again", &wire.ProposalVote{ProposalID: wire.Hash{4}}, ack, func(s *solo) bool {
			g := s.a.Memory.Grievances.Get(memory.ComplaintCopied, nil)
			return g != nil && g.Proposed > 0
		}},
	} {
		s, _ := working(t, memory.WorkNote{Kind: memory.WorkModule, Repo: ownRepo})
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: peerA, Pending: 2})
		s.t.slotView.bounties = []wire.BountyView{{ID: bounty, Creator: peerA}}
		s.t.slotView.proposals = []wire.ProposalView{{ID: wire.Hash{4}, Kind: wire.ProposalKindCustom, Description: textContent(memory.ComplaintCopied.ProposalText(nil))}}
		if s.reply(c.payload, c.reply); !c.taught(s) {
			t.Errorf("%s: it is not noted", c.name)
		}
	}
}

// An answer to a question of the agent is welcome, whatever it states; what others tell each other is worth no signal if nothing in it can be
// compared.
func TestRead_AnswersToTheAgentAreWelcome(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  wire.MessageKind
		asker wire.AgentID // zero: the agent
		asked wire.MessageKind
		want  memory.Opinion
	}{
		{"an answer to the agent", wire.MessageKindAnswer, wire.AgentID{}, wire.MessageKindQuestion, memory.OpinionFor},
		{"an answer to another", wire.MessageKindAnswer, peerB, wire.MessageKindQuestion, memory.OpinionNone},
		{"an answer to a statement", wire.MessageKindAnswer, wire.AgentID{}, wire.MessageKindStatement, memory.OpinionNone},
		{"a statement about its question", wire.MessageKindStatement, wire.AgentID{}, wire.MessageKindQuestion, memory.OpinionNone},
	} {
		s, _ := writing(t, 1)
		if c.asker.IsZero() {
			c.asker = s.a.ID
		}
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: c.asker, Kind: c.asked, Text: []byte("How do I sort?")})
		s.reads(channelHelp, wire.Message{ID: wire.Hash{2}, Author: peerA, Kind: c.kind, Content: textContent("With sorted."), References: []wire.Hash{{1}}})
		m := s.a.Notebook.Message(wire.Hash{2})
		if m.Opinion != c.want || m.Signed != (c.want == memory.OpinionNone) || (m.Text == nil) != m.Signed {
			t.Errorf("%s: opinion %d, signed %v, text %q", c.name, m.Opinion, m.Signed, m.Text)
		}
	}
}

// A question of others waits for an answer or a signal after it was read; one of a system has nothing to be said to.
func TestRead_QuestionsWaitForAnAnswer(t *testing.T) {
	asks := memory.MeasureReward.Question([]byte("HARD"))
	for author, signed := range map[wire.AgentID]bool{peerA: false, wire.SystemID(wire.SystemAgora): true} { //house:sorted each is looked at by itself
		s, _ := writing(t, 1)
		s.reads(channelHelp, wire.Message{ID: wire.Hash{1}, Author: author, Kind: wire.MessageKindQuestion, Content: textContent(asks)})
		if m := s.a.Notebook.Message(wire.Hash{1}); !m.Read || m.Answered || m.Signed != signed || string(m.Text) != asks {
			t.Errorf("of %s: %+v", nameOf(author), m)
		}
		if f := s.a.Memory.Findings.Get(memory.MeasureDemand, []byte(memory.TopicBounties.String())); f == nil || f.N != 1 {
			t.Errorf("of %s: it is not counted", nameOf(author))
		}
	}
}

// Requests for which no ticks were left say nothing about the action; other refusals are counted.
func TestReplies_RefusalsAreCountedUnlessTicksWereMissing(t *testing.T) {
	for code, want := range map[uint32]bool{wire.CodeNoTicks: false, wire.CodeNoTicks + 1: true} { //house:sorted each is looked at by itself
		s, _ := writing(t, 1)
		s.reply(&wire.EntryGet{}, wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Code: code}})
		f := s.a.Memory.Findings.Get(memory.MeasureRefused, []byte("an act"))
		if counted := f != nil && f.N == 1 && f.Value == 1; counted != want {
			t.Errorf("code %d: counted is %+v", code, f)
		}
	}
}
