package ooda

import (
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// The first entry about a measure is the one that states it, unless the agent publishes one itself; from then on its own count is compared
// with what it stated.
func TestPublished_EntryThatStatesTheCount(t *testing.T) {
	theirs, later, own := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	title := []byte(memory.MeasureReward.Title([]byte("HARD")))
	s, _ := writing(t, 1)
	s.t.slotView.cycle = 7
	s.hasCounted(memory.MeasureReward, "HARD", 30, 9)
	finding := func() *memory.Finding { return s.a.Memory.Findings.Get(memory.MeasureReward, []byte("HARD")) }
	publish := func(id wire.Hash, by wire.AgentID) {
		s.t.events.countEvent(event(wire.KindEntryPublished, 256, by, &wire.EntryPublishedEvent{EntryID: id, Author: by, Title: title}))
	}
	publish(theirs, peerA)
	publish(later, peerB)
	if f := finding(); f.Entry() != theirs || f.Own || f.Stated != 0 || !s.a.Memory.Titles.Contains(title) {
		t.Errorf("after two entries of others: %+v by %v", f, f.Entry())
	}
	s.reply(&wire.EntryPublish{Entry: wire.EntryDraft{Kind: wire.EntryKindFAQ, Title: title}}, wire.Reply{Body: &wire.EntryPublishAck{EntryID: own}})
	if f := finding(); f.Entry() != own || !f.Own || f.Stated != 30 || f.Since != 7 {
		t.Errorf("after an own entry: %+v by %v", f, f.Entry())
	}
	publish(later, peerB)
	publish(own, s.a.ID)
	if f := finding(); f.Entry() != own || !f.Own {
		t.Errorf("after more entries: %+v by %v", f, f.Entry())
	}
	s.a.Memory.Findings = nil
	s.t.events.countEvent(event(wire.KindEntryPublished, 256, peerA, &wire.EntryPublishedEvent{EntryID: theirs, Author: peerA, Title: []byte("Words")}))
	if len(s.a.Memory.Findings) != 0 {
		t.Errorf("an entry about nothing that agents count states %+v", s.a.Memory.Findings)
	}
}

// An update that was taken states the count anew, a rejection of another's update ends its wait, and a correction of another's entry is not
// offered again.
func TestUpdated_OwnCountIsStatedAnew(t *testing.T) {
	version := uint32(2)
	for _, c := range []struct {
		name      string
		own       bool
		reject    *uint32
		stated    float32
		pending   uint32
		corrected bool
	}{
		{"its own entry", true, nil, 30, 2, false},
		{"its own entry, against another's update", true, &version, 10, 0, false},
		{"the entry of another", false, nil, 10, 2, true},
	} {
		s, _ := writing(t, 1)
		s.t.slotView.cycle = 7
		f := s.hasCounted(memory.MeasureReward, "HARD", 30, 9)
		f.SetEntry(wire.Hash{1})
		f.Own, f.Stated, f.Since = c.own, 10, 2
		n := s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: peerA, Own: c.own, Pending: 2})
		s.reply(&wire.EntryUpdate{EntryID: n.ID, RejectVersion: c.reject}, wire.Reply{Body: &wire.EntryUpdateAck{}})
		if f.Stated != c.stated || (f.Since == 7) != (c.stated == 30) || n.Pending != c.pending || n.Corrected != c.corrected {
			t.Errorf("%s: it states %v since %d, note %+v", c.name, f.Stated, f.Since, n)
		}
	}
}

// Once an entry is cited, nothing more is to be cited for what it has moved.
func TestCited_EntryThatMovedACount(t *testing.T) {
	s, _ := writing(t, 1)
	for i, subject := range []string{"a", "b", "c"} {
		said := memory.Stated(memory.MeasureGenre, subject, 0.8, 9, 1)
		s.hasCounted(memory.MeasureGenre, subject, 1, 9).Hear(&said, wire.Hash{0xE0, byte(i / 2)}, 1)
	}
	s.reply(&wire.CitationAdd{Source: wire.Hash{1}, Target: wire.Hash{0xE0, 0}}, wire.Reply{})
	for i, want := range []wire.Hash{{}, {}, {0xE0, 1}} {
		if f := &s.a.Memory.Findings[i]; f.MovedBy() != want {
			t.Errorf("%s is still moved by %v", f.Subject(), f.MovedBy())
		}
	}
}

// An entry that was read teaches its topic to who knows less of it than others found it right, faster to generalists.
func TestRead_EntryTeachesItsTopic(t *testing.T) {
	for _, c := range []struct {
		name    string
		title   string
		own     bool
		know    float32
		breadth float32
		want    float64
	}{
		{"more accurate than the agent knows the topic", memory.MeasureReward.Title([]byte("HARD")), false, 0.5, 1, 0.6},
		{"the same, to one who is half a specialist", memory.MeasureReward.Title([]byte("HARD")), false, 0.5, 0.5, 0.55},
		{"less accurate than the agent knows the topic", memory.MeasureReward.Title([]byte("HARD")), false, 1, 1, 1},
		{"its own", memory.MeasureReward.Title([]byte("HARD")), true, 0.5, 1, 0.5},
		{"about nothing that agents count", "Words", false, 0.5, 1, 0.5},
	} {
		s, _ := writing(t, c.know)
		s.a.Genome.Traits.DepthVsBreadth = c.breadth
		e := wire.OracleEntry{ID: wire.Hash{1}, Author: peerA, Title: []byte(c.title), Accuracy: 1, VerifiedBy: []wire.AgentID{peerB}, Body: wire.TextBody("text")}
		if c.own {
			e.Author = s.a.ID
		}
		s.reply(&wire.EntryGet{EntryID: e.ID}, wire.Reply{Body: &wire.EntryGetReply{Entry: e}})
		if got := s.a.Memory.Topics.Know(memory.TopicBounties); !near(got, c.want) {
			t.Errorf("%s: it knows the topic by %v, want %v", c.name, got, c.want)
		}
		if stated := s.a.Memory.Titles.Contains([]byte(c.title)); stated != (!c.own && c.title != "Words") {
			t.Errorf("%s: it knows of the entry %v", c.name, stated)
		}
	}
}

// What was asked, by the agent or by others, is not asked again soon.
func TestAsked_QuestionsOfTheAgentAndOfOthers(t *testing.T) {
	asks := memory.MeasureReward.Question([]byte("HARD"))
	for name, run := range map[string]func(s *solo){ //house:sorted each is looked at by itself
		"its own": func(s *solo) {
			s.reply(&wire.MsgPost{Channel: channelHelp, Kind: wire.MessageKindQuestion, Content: textContent(asks)}, wire.Reply{Body: &wire.MsgPostAck{MessageID: wire.Hash{1}}})
		},
		"another's": func(s *solo) {
			s.reply(&wire.MsgQuery{}, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{{ID: wire.Hash{1}, Tick: 290, Author: peerA, Kind: wire.MessageKindQuestion, Content: textContent(asks)}}}})
		},
	} {
		s, _ := writing(t, 1)
		s.t.slotView.cycle = 7
		run(s)
		if f := s.a.Memory.Findings.Get(memory.MeasureReward, []byte("HARD")); f == nil || f.Asked != 8 {
			t.Errorf("%s: noted is %+v", name, f)
		}
	}
}

// In a large population each act of which an agent hears stands for several.
func TestSampleFactor_ByPopulation(t *testing.T) {
	for active, want := range map[uint32]float64{0: 1, 2: 1, 33: 1, 65: 2, 321: 10} { //house:sorted each is looked at by itself
		s, _ := writing(t, 1)
		s.t.notes.Active = active
		if got := s.t.expert().sampleFactor(); got != want {
			t.Errorf("of %d agents each act stands for %v, want %v", active, got, want)
		}
	}
}

// An author is believed as it is trusted after dealings, without any by its reputation, and a stranger a little. Systems are believed.
func TestBelieves_ByTrustElseReputation(t *testing.T) {
	for _, c := range []struct {
		name string
		who  wire.AgentID
		seen bool // its reputation
		met  bool
		want float64
	}{
		{"a system", wire.SystemID(wire.SystemOracle), false, false, 1},
		{"a stranger", peerA, false, false, 0.3},
		{"a stranger of whose reputation it knows", peerA, true, false, 0.75},
		{"a peer with whom a dealing went well", peerA, true, true, 1},
	} {
		s, _ := writing(t, 1)
		s.t.slotView.tick = 250
		if c.seen {
			s.a.Notebook.SeePeer(c.who, 0.75, 250)
		}
		if c.met {
			s.meet(c.who)
		}
		if got := s.t.relations().believes(c.who); !near(got, c.want) {
			t.Errorf("%s: believed by %v, want %v", c.name, got, c.want)
		}
	}
}
