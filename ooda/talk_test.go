package ooda

import (
	"slices"
	"strings"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

func TestOfferStanding_ForUnknownOrOldReputation(t *testing.T) {
	for _, c := range []struct {
		name string
		age  wire.Tick        // of what is known of peer A; 0: nothing
		gap  float32          // between its reputation and the agent's
		work memory.EntryNote // of peer A
		want bool
	}{
		{"unknown", 0, 0, memory.EntryNote{Read: true}, true},
		{"eight cycles", 2048, 0, memory.EntryNote{Read: true}, true},
		{"a tick less", 2047, 0, memory.EntryNote{Read: true}, false},
		{"far apart", 2048, 0.31, memory.EntryNote{Read: true}, false},
		{"far apart, a tick less than ten cycles", 2559, 0.31, memory.EntryNote{Read: true}, false},
		{"far apart for ten cycles", 2560, 0.31, memory.EntryNote{Read: true}, true},
		{"its entry was not read", 0, 0, memory.EntryNote{}, false},
		{"its entry was judged", 0, 0, memory.EntryNote{Read: true, Judged: true}, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.next = 2600
			s.view.Reputation = 0.5 + float64(c.gap)
			s.meet(peerA)
			c.work.Author = peerA
			s.noteEntries(1, c.work)
			if c.age > 0 {
				s.a.Notebook.SeePeer(peerA, 0.5, 2600-c.age)
			}
		})
		mentor{o}.offerStanding(s.about(goals.KindMentor, wire.Hash{}))
		if got := len(o.list) == 1; got != c.want || got && o.list[0].Subject != wire.Hash(peerA) {
			t.Errorf("%s: offered %v", c.name, got)
		}
	}
}

// TestOfferStanding_NotWhileSomebodyLowerWaits: nobody's reputation is looked up while somebody waits that is known to have a lower one, be it
// with a question or with an entry; it is helped first.
func TestOfferStanding_NotWhileSomebodyLowerWaits(t *testing.T) {
	const unknown, lower, higher = -1, 0.1, 0.9 // reputations of peer B
	for _, c := range []struct {
		name       string
		reputation float32
		asks       bool // peer B asks; else it has written
		done       bool // the agent has answered or judged that
		want       bool
	}{
		{"a higher one asks, too", higher, true, false, true},
		{"a lower one asks, too", lower, true, false, false},
		{"a lower one asked and has an answer", lower, true, true, true},
		{"a higher one has written", higher, false, false, true},
		{"a lower one has written", lower, false, false, false},
		{"a lower one's entry was judged", lower, false, true, true},
		{"another unknown one asks, too", unknown, true, false, true},
	} {
		s, o := offering(t, func(s *solo) {
			s.view.Reputation = 0.5
			s.meet(peerA)
			s.meet(peerB)
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
			if c.asks {
				s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{2}, Author: peerB, Kind: wire.MessageKindQuestion, Read: true, Answered: c.done})
			} else {
				s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{2}, Author: peerB, Read: true, Judged: c.done})
			}
			if c.reputation != unknown {
				s.a.Notebook.SeePeer(peerB, c.reputation, 256)
			}
		})
		mentor{o}.offerStanding(s.about(goals.KindMentor, wire.Hash{}))
		if got := len(o.list) == 1; got != c.want {
			t.Errorf("%s: a reputation is looked up: %v", c.name, got)
		}
	}
}

// A reputation is looked up if a question that was read waits, not for other messages, not for those of systems, and not by who is
// blind to peers.
func TestOfferStanding_OnlyForQuestionsOfPeers(t *testing.T) {
	for _, c := range []struct {
		name  string
		note  memory.MessageNote
		blind []string
		want  bool
	}{
		{"a question", memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true}, nil, true},
		{"a question that was not read", memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion}, nil, false},
		{"a statement", memory.MessageNote{Author: peerA, Kind: wire.MessageKindStatement, Read: true}, nil, false},
		{"a question of a system", memory.MessageNote{Author: wire.SystemID(wire.SystemAgora), Kind: wire.MessageKindQuestion, Read: true}, nil, false},
		{"a question, blind to peers", memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true}, []string{"peers"}, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.Blind = llm.LayersOf(c.blind)
			s.noteMessages(1, c.note)
		})
		mentor{o}.offerStanding(s.about(goals.KindMentor, wire.Hash{}))
		if got := len(o.list) == 1; got != c.want {
			t.Errorf("%s: a reputation is looked up: %v", c.name, got)
		}
	}
}

// Where the agent judges, answers or looks around it may also call a sleeper.
func TestOfferCall_BesideWhatConcernsOthers(t *testing.T) {
	for name, run := range map[string]func(*offers, *goals.Goal){ //house:sorted each is looked at by itself
		"verdicts": func(o *offers, g *goals.Goal) { reader{o}.offerVerify(g) }, "signals": func(o *offers, g *goals.Goal) { talker{o}.offerSignal(g) }, "answers": func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) }, "looks": func(o *offers, g *goals.Goal) { talker{o}.offerLook(g) },
	} {
		s, o := offering(t, func(s *solo) {
			s.a.Memory.Dealings.AddSleeper(peerA)
			s.waitFor(peerA)
		})
		run(o, s.about(goals.KindMentor, wire.Hash{}))
		calls := 0
		for i := range o.list {
			if o.list[i].Compose == llm.ComposeCall {
				calls++
			}
		}
		if calls != 1 {
			t.Errorf("%s: %d calls are offered", name, calls)
		}
	}
}

// waitFor lets the agent wait for an answer to a question about promises, on which some peers work.
func (s *solo) waitFor(peers ...wire.AgentID) {
	question := wire.Hash{0x77}
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: question, Author: s.a.ID, Kind: wire.MessageKindQuestion, Text: []byte("Does 0a0b0000 keep its promises? I ask.")})
	s.a.Memory.Market.Want(memory.Want{Subject: question, Since: 256})
	for _, peer := range peers {
		s.a.Memory.Peers.Interest(peer, []byte(memory.TopicPromises.String()), 256)
	}
}

func TestOfferCall_NeedsWantedSleeperAndPostLeft(t *testing.T) {
	for _, c := range []struct {
		name     string
		sleepers int
		posts    uint32
		wanted   bool
		want     int
	}{{"nobody sleeps", 0, 0, true, 0}, {"a sleeper", 1, 9, true, 1}, {"two sleepers", 2, 9, true, 1}, {"no post left", 1, 10, true, 0}, {"nothing is wanted", 1, 9, false, 0}} {
		s, o := offering(t, func(s *solo) {
			s.a.Notebook.Posts = c.posts
			for i := range c.sleepers {
				who := wire.AgentID{0xAA, byte(i)}
				s.a.Memory.Dealings.AddSleeper(who)
				if c.wanted {
					s.waitFor(who)
				}
			}
		})
		for range 2 {
			talker{o}.offerCall(s.about(goals.KindEarn, wire.Hash{}))
		}
		if len(o.list) != c.want || c.want > 0 && o.list[0].Compose != llm.ComposeCall {
			t.Errorf("%s: %d calls, want %d", c.name, len(o.list), c.want)
		}
	}
}

// TestUnreadChannels_NewestFirstAndBounded: where something is unread, the newest first, a few at most.
func TestUnreadChannels_NewestFirstAndBounded(t *testing.T) {
	s := newSolo(t, genomes[6])
	o := &s.t.offers
	o.seen.tick = 512
	if unread, call := (talker{o}).unreadChannels(); unread != 0 || call != canWait || len(o.payloads.lookAt) != 0 {
		t.Errorf("%v, unread %v of none", o.payloads.lookAt, unread)
	}
	note := func(id, channel byte, m memory.MessageNote) {
		m.ID, m.Channel = wire.Hash{id}, wire.Hash{0xC0, channel} // of tick 0: more than a cycle ago
		s.a.Notebook.SeeMessage(m)
	}
	note(1, 1, memory.MessageNote{})
	note(2, 2, memory.MessageNote{})
	note(3, 3, memory.MessageNote{Read: true})
	note(4, 4, memory.MessageNote{Signed: true}) // given up
	note(5, 1, memory.MessageNote{})
	if unread, call := (talker{o}).unreadChannels(); unread != 3 || call != suffices || !slices.Equal(o.payloads.lookAt, []wire.Hash{{0xC0, 1}, {0xC0, 2}}) {
		t.Errorf("%v, unread %v", o.payloads.lookAt, unread)
	}
	for i := range byte(6) {
		note(10+i, 10+i, memory.MessageNote{})
	}
	if unread, _ := (talker{o}).unreadChannels(); unread != lookChannels || len(o.payloads.lookAt) != lookChannels {
		t.Errorf("%v, unread %v of many", o.payloads.lookAt, unread)
	}
}

// Channels are read if ten messages are unread, one has waited for a cycle, or one is addressed to the agent.
func TestUnreadChannels_AreReadIfManyOldOrAddressed(t *testing.T) {
	for _, c := range []struct {
		messages byte
		age      wire.Tick
		names    memory.Addressee
		want     calling
	}{
		{9, 10, memory.AddresseeNone, canWait},
		{10, 10, memory.AddresseeNone, suffices},
		{1, 511, memory.AddresseeNone, canWait},
		{1, 512, memory.AddresseeNone, suffices},
		{1, 10, memory.AddresseeOther, canWait},
		{1, 10, memory.AddresseeSelf, calls},
	} {
		s := newSolo(t, genomes[6])
		s.t.slotView.tick = 1000
		s.noteMessages(c.messages, memory.MessageNote{At: 1000 - c.age, Addressee: c.names})
		if unread, call := (talker{&s.t.offers}).unreadChannels(); call != c.want || unread != int(c.messages) {
			t.Errorf("%+v: %d unread, call %d", c, unread, call)
		}
	}
}

// How soon messages are read depends on whom they are for: a question to the agent at once, an answer to it after a cycle, a question
// that it wants to answer once it no longer leaves it to others. One that calls is not outweighed by many that do not.
func TestUnreadChannels_CallByAddresseeAndGoal(t *testing.T) {
	const answer, question, statement = wire.MessageKindAnswer, wire.MessageKindQuestion, wire.MessageKindStatement
	for _, c := range []struct {
		name   string
		kind   wire.MessageKind
		names  memory.Addressee
		age    wire.Tick
		goal   bool // to answer it
		others int  // messages besides, half older and half newer
		want   calling
	}{
		{"a question to the agent", question, memory.AddresseeSelf, 1, false, 0, calls},
		{"a statement to the agent", statement, memory.AddresseeSelf, 1, false, 0, calls},
		{"an answer to the agent", answer, memory.AddresseeSelf, 255, false, 0, canWait},
		{"an answer to the agent, a cycle old", answer, memory.AddresseeSelf, 256, false, 0, suffices},
		{"an answer to another, a cycle old", answer, memory.AddresseeOther, 256, false, 0, canWait},
		{"a question that the agent wants to answer", question, memory.AddresseeNone, 1, true, 0, calls},
		{"a question that it does not want to answer", question, memory.AddresseeNone, 1, false, 0, canWait},
		{"a question to the agent among many messages", question, memory.AddresseeSelf, 1, false, 24, calls},
		{"an old answer among many messages", answer, memory.AddresseeSelf, 256, false, 24, suffices},
	} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		s.t.slotView.tick = 1000
		see := func(id byte, m memory.MessageNote) {
			m.ID, m.Channel, m.Author = wire.Hash{0xA1, id}, channelHelp, peerA
			s.a.Notebook.SeeMessage(m)
		}
		for i := range c.others / 2 {
			see(byte(100+i), memory.MessageNote{At: 990})
		}
		see(1, memory.MessageNote{Kind: c.kind, Addressee: c.names, At: 1000 - c.age})
		for i := range c.others / 2 {
			see(byte(200+i), memory.MessageNote{At: 1000})
		}
		if c.goal {
			if err := s.a.Goals.Add(*s.about(goals.KindAnswer, wire.Hash{0xA1, 1}), &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		if _, call := (talker{&s.t.offers}).unreadChannels(); call != c.want {
			t.Errorf("%s: call %d, want %d", c.name, call, c.want)
		}
	}
}

// Which question an agent answers besides its goals: one that it has read, that waits for it and of which it has counted something,
// unless a goal is about it, somebody else is asked first, or the asker was helped too often already.
func TestOfferAnswer_QuestionsThatWaitForTheAgent(t *testing.T) {
	asks := memory.MeasureReward.Question([]byte("HARD"))
	for _, c := range []struct {
		name    string
		note    memory.MessageNote
		counted int
		goal    bool
		helped  int
		want    bool
	}{
		{"one that it has counted", memory.MessageNote{Read: true, Text: []byte(asks)}, 3, false, 0, true},
		{"one that it has not counted", memory.MessageNote{Read: true, Text: []byte(asks)}, 0, false, 0, false},
		{"one that it has not read", memory.MessageNote{Text: []byte(asks)}, 3, false, 0, false},
		{"one that a goal is about", memory.MessageNote{Read: true, Text: []byte(asks)}, 3, true, 0, false},
		{"one that names another", memory.MessageNote{Read: true, Addressee: memory.AddresseeOther, At: 1000, Text: []byte(asks)}, 3, false, 0, false},
		{"one of a peer that was helped often", memory.MessageNote{Read: true, Text: []byte(asks)}, 3, false, 9, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.next = 1000
			s.view.Bounties = []wire.BountyView{{ID: wire.Hash{0xB1}, Creator: peerB, Status: wire.BountyStatusOpen, Title: []byte("a hard bounty"), Difficulty: wire.DifficultyHard}}
			for range c.counted {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), 10, 1)
			}
			for range c.helped {
				s.a.Memory.Peers.Help(peerA, 256)
			}
			c.note.Author, c.note.Kind = peerA, wire.MessageKindQuestion
			if c.note.At == 0 {
				c.note.At = 900
			}
			s.noteMessages(1, c.note)
		})
		if c.goal {
			if err := s.a.Goals.Add(*s.about(goals.KindAnswer, wire.Hash{0xA1, 0}), &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		talker{o}.offerAnswer(s.about(goals.KindMentor, wire.Hash{}))
		if got := len(o.list) == 1; got != c.want {
			t.Errorf("%s: an answer is offered %v", c.name, got)
			continue
		}
		if c.want && (o.list[0].Finding == nil || o.list[0].Finding.Title != memory.MeasureReward.Title([]byte("HARD")) || string(o.list[0].Finding.Shows) != "a hard bounty" || string(o.list[0].Text) != asks) {
			t.Errorf("%s: it states %+v to %q", c.name, o.list[0].Finding, o.list[0].Text)
		}
	}
}

// Objections come before thanks, as long as they have not been made. What is signed or objected to is shown with what it states.
func TestOfferSignal_ObjectionsFirst(t *testing.T) {
	says := []byte("Bounties of difficulty HARD offer 90.0 Spark each (n 9, cycle 3), by my own count.")
	for _, c := range []struct {
		name  string
		doubt memory.MessageNote // the first message; the second is one to agree with
		want  []byte             // which of them get a signal
	}{
		{"an objection", memory.MessageNote{Read: true, Opinion: memory.OpinionDoubt}, []byte{0}},
		{"one that was made", memory.MessageNote{Read: true, Signed: true, Opinion: memory.OpinionDoubt}, []byte{1}},
		{"none", memory.MessageNote{Read: true}, []byte{1}},
		{"two to agree with", memory.MessageNote{Read: true, Opinion: memory.OpinionFor}, []byte{1, 0}},
	} {
		s, o := offering(t, func(s *solo) {
			for range 9 {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), 30, 3)
			}
			for i, m := range []memory.MessageNote{c.doubt, {Read: true, Opinion: memory.OpinionFor}} {
				m.ID, m.Author, m.Text = wire.Hash{0xA1, byte(i)}, peerA, says
				s.a.Notebook.SeeMessage(m)
			}
		})
		talker{o}.offerSignal(s.about(goals.KindMentor, wire.Hash{}))
		var got []byte
		for i := range o.list {
			a := &o.list[i]
			got = append(got, a.Subject[1])
			if a.Said == nil || a.Said.Value != 90 || a.Finding == nil || a.Finding.Value != 30 {
				t.Errorf("%s: shown beside %+v is %+v", c.name, a.Said, a.Finding)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: signals to %v, want %v", c.name, got, c.want)
		}
	}
}

// A second answer that says the same is a DUPLICATE of the first; if the first is forgotten it is as good.
func TestSignalTo_RepeatedAnswer(t *testing.T) {
	says := func(value string) []byte {
		return []byte("Bounties of difficulty HARD offer " + value + " Spark each (n 9, cycle 3), by my own count.")
	}
	for _, c := range []struct {
		name  string
		first []byte // nil: it is forgotten
		want  wire.SignalKind
	}{
		{"the first is known", says("30.0"), wire.SignalKindDuplicate},
		{"the first is forgotten", nil, wire.SignalKindHelpful},
		{"another answer is known", says("90.0"), wire.SignalKindHelpful},
	} {
		s, o := offering(t, nil)
		if c.first != nil {
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: peerA, Kind: wire.MessageKindAnswer, At: 250, Text: c.first})
		}
		second := s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{2}, Author: peerB, Kind: wire.MessageKindAnswer, At: 254, Opinion: memory.OpinionRepeated, Text: says("30.0")})
		got := scribe{o}.signalTo(second)
		if got.Kind != c.want || (got.Reference != nil) != (c.want == wire.SignalKindDuplicate) || got.Reference != nil && *got.Reference != (wire.Hash{1}) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// Without news the pause until the next look doubles up to a limit; after news it is one cycle.
func TestLookedAround_PauseDoublesWithoutNews(t *testing.T) {
	pause := uint8(0)
	for _, want := range []uint8{2, 4, 8, 8} {
		if pause = lookedAround(pause, 0); pause != want {
			t.Errorf("a pause of %d cycles, want %d", pause, want)
		}
	}
	if pause = lookedAround(pause, 1); pause != 1 {
		t.Errorf("a pause of %d cycles after news", pause)
	}
}

// TestFreshness: what is known to be new is a share of what a look shows.
func TestFreshness(t *testing.T) {
	for news, want := range map[int]float64{0: 0.5, 1: 0.1, 4: 0.4, 10: 1, 30: 1} {
		if got := freshness(news); got != want {
			t.Errorf("%d news: %v, want %v", news, got, want)
		}
	}
}

// Channels are looked at if messages are known to be unread, and once a cycle without; entries likewise, from two on.
func TestOfferLookAndBrowse_OnlyWhereSomethingIsUnread(t *testing.T) {
	for _, c := range []struct {
		unread   int
		age      wire.Tick
		look     bool
		limit    uint32
		browse   bool
		unknowns bool // entries that the agent cannot judge
	}{
		{unread: 0, age: 255},
		{unread: 0, age: 256, look: true, limit: 10, browse: true},
		{unread: 1, age: 1, look: true, limit: 10},
		{unread: 2, age: 1, look: true, limit: 10, browse: true},
		{unread: 14, age: 1, look: true, limit: 14, browse: true},
		{unread: 14, age: 1, look: true, limit: 14, unknowns: true},
	} {
		s, o := offering(t, func(s *solo) {
			for i := range c.unread {
				s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{0x11, byte(i)}, Channel: channelHelp})
				title := []byte("Starlark pattern: words")
				if c.unknowns {
					title = []byte(memory.MeasureKeeps.Title([]byte("a1b2c3d4")))
				}
				s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0x12, byte(i)}, Author: peerA, Title: title})
			}
		})
		o.seen.tick = 1000
		o.notes.Looked, o.notes.Browsed = 1000-c.age, 1000-c.age
		g := s.about(goals.KindMentor, wire.Hash{})
		talker{o}.offerLook(g)
		if looks := len(o.list) == 1; looks != c.look || looks && o.payloads.look.Limit != c.limit {
			t.Errorf("%+v: %d offers, limit %d", c, len(o.list), o.payloads.look.Limit)
		}
		before := len(o.list)
		if (reader{o}).offerBrowse(g); len(o.list) > before != c.browse {
			t.Errorf("%+v: browses %v", c, !c.browse)
		}
	}
}

func TestOfferCall_OncePerSleeperAcrossResume(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.meet(peerA)
	s.waitFor(peerA)
	s.ask(event(wire.KindAgentStatusChange, 256, peerA, &wire.AgentStatusChangeEvent{AgentID: peerA, NewStatus: wire.StatusDormant}))
	s.t.Act(answered(`{"action":"nop"}`))
	s.t.Record(wire.Reply{})

	id := agent.NewIdentity(s.rules.WorldSeed, 1, 41, genomes[6])
	back, err := agent.Restore(id, agent.DefaultLimits, s.a.Flush(260))
	if err != nil {
		t.Fatal(err)
	}
	s.a, s.t = back, NewTurn(back, &s.rules)

	asked := s.ask()
	a := findCall(asked.Prompt)
	if a == nil {
		t.Fatal("no call is offered")
	}
	post := a.Params.(*wire.MsgPost)
	if text := string(messageText(post.Content)); post.Channel != channelHelp || post.Kind != wire.MessageKindStatement ||
		!strings.Contains(text, peerA.Alias()) || len(post.References) != 1 || wire.AgentID(post.References[0]) != peerA {
		t.Errorf("call %+v %q", post, text)
	}
	if k := a.GoalKind; k != goals.KindMentor.String() && k != goals.KindImproveReputation.String() && k != goals.KindAnswer.String() {
		t.Errorf("the call serves %s", k)
	}
	for i := 1; i < len(asked.Prompt.Affordances)-1; i++ {
		if asked.Prompt.Affordances[i].Priority > asked.Prompt.Affordances[i-1].Priority {
			t.Errorf("affordance %d is worth more than the one before", i)
		}
	}
	s.t.Act(answered(string(a.Action.AppendJSON([]byte(`{"action":"msg_post","params":`), a.Params)) + "}"))
	s.t.Record(wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{1}}})
	if asked := s.ask(); findCall(asked.Prompt) != nil {
		t.Error("the sleeper is to be called twice")
	}
}

func findCall(p *llm.Prompt) *llm.Affordance {
	for i := range p.Affordances {
		if p.Affordances[i].Compose == llm.ComposeCall {
			return &p.Affordances[i]
		}
	}
	return nil
}

// TestOfferCall_ForVerdictsUntilTwo: who wants verdicts on an entry calls a sleeper that works on its topic, until the entry has the two for
// which its author is paid, or is eight cycles old: a sleeper that was called and does not judge it would be called for ever.
func TestOfferCall_ForVerdictsUntilTwo(t *testing.T) {
	for _, c := range []struct {
		verdicts int
		age      wire.Tick    // of the entry
		works    memory.Topic // of the sleeper
		want     bool
	}{
		{0, 0, memory.TopicPromises, true},
		{1, 8*256 - 1, memory.TopicPromises, true},
		{1, 8 * 256, memory.TopicPromises, false},
		{2, 0, memory.TopicPromises, false},
		{3, 0, memory.TopicPromises, false},
		{0, 0, memory.TopicReviews, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.next = 4096
			s.a.Memory.Dealings.AddSleeper(peerA)
			s.a.Memory.Peers.Interest(peerA, []byte(c.works.String()), 256)
			title := []byte(memory.MeasureKeeps.Title([]byte("0a0b0000")))
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: s.a.ID, Title: title, At: 4096 - c.age, Own: true, Judged: true})
			s.a.Memory.Findings.Observe(memory.MeasureKeeps, []byte("0a0b0000"), 1, 1)
			s.a.Learning.Publish(wire.Hash{3}, wire.EntryKindFAQ, 250)
			for range c.verdicts {
				s.a.Learning.Verify(wire.Hash{3}, wire.VerdictAccurate, 1)
			}
		})
		talker{o}.offerCall(s.about(goals.KindEarn, wire.Hash{}))
		if got := len(o.list) == 1; got != c.want || got && o.list[0].Finding.Title != memory.MeasureKeeps.Title([]byte("0a0b0000")) {
			t.Errorf("%d verdicts after %d ticks, the sleeper works on %s: %d calls", c.verdicts, c.age, c.works, len(o.list))
		}
	}
}
