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
// which its author is paid.
func TestOfferCall_ForVerdictsUntilTwo(t *testing.T) {
	for _, c := range []struct {
		verdicts int
		works    memory.Topic // of the sleeper
		want     bool
	}{
		{0, memory.TopicPromises, true},
		{1, memory.TopicPromises, true},
		{2, memory.TopicPromises, false},
		{3, memory.TopicPromises, false},
		{0, memory.TopicReviews, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.a.Memory.Dealings.AddSleeper(peerA)
			s.a.Memory.Peers.Interest(peerA, []byte(c.works.String()), 256)
			title := []byte(memory.MeasureKeeps.Title([]byte("0a0b0000")))
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: s.a.ID, Title: title, Own: true, Judged: true})
			s.a.Memory.Findings.Observe(memory.MeasureKeeps, []byte("0a0b0000"), 1, 1)
			s.a.Learning.Publish(wire.Hash{3}, wire.EntryKindFAQ, 250)
			for range c.verdicts {
				s.a.Learning.Verify(wire.Hash{3}, wire.VerdictAccurate, 1)
			}
		})
		talker{o}.offerCall(s.about(goals.KindEarn, wire.Hash{}))
		if got := len(o.list) == 1; got != c.want || got && o.list[0].Finding.Title != memory.MeasureKeeps.Title([]byte("0a0b0000")) {
			t.Errorf("%d verdicts, the sleeper works on %s: %d calls", c.verdicts, c.works, len(o.list))
		}
	}
}
