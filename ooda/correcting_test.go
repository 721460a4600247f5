package ooda

import (
	"testing"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// counted gives an agent some observations about a peer, and an entry that states something about it.
func counted(t *testing.T, times int, note memory.EntryNote) (*solo, *memory.EntryNote, *memory.Finding) {
	t.Helper()
	s := newSolo(t, genomes[6])
	s.ask()
	subject := []byte("0a0b0000")
	for range times {
		s.a.Memory.Findings.Observe(memory.MeasureKeeps, subject, 1, 0)
	}
	note.ID, note.Title, note.At = wire.Hash{0xE1}, []byte(memory.MeasureKeeps.Title(subject)), 200
	return s, s.a.Notebook.SeeEntry(note), s.a.Memory.Findings.GetOrAdd(memory.MeasureKeeps, subject)
}

// updates are the updates of entries that an agent is offered for what it is about.
func (s *solo) updates(offer func(scribe)) []wire.EntryUpdate {
	s.t.offers.reset()
	offer(scribe{&s.t.offers})
	return s.t.offers.payloads.updates
}

// TestOfferCorrection_OfEntryOwnCountContradicts: an agent corrects an entry that it found wrong if it has counted enough to publish
// that itself, nobody did before as far as it knows, and only once.
func TestOfferCorrection_OfEntryOwnCountContradicts(t *testing.T) {
	wrong := memory.EntryNote{Author: peerA, Judged: true, Verdict: uint8(wire.VerdictInaccurate)}
	for _, c := range []struct {
		name  string
		times int
		note  func(*memory.EntryNote)
		want  int
	}{
		{"it found it wrong", 12, func(*memory.EntryNote) {}, 1},
		{"it found it out of date", 12, func(n *memory.EntryNote) { n.Verdict = uint8(wire.VerdictOutdated) }, 1},
		{"it is its own", 12, func(n *memory.EntryNote) { n.Own = true }, 0},
		{"it has hardly counted", 1, func(*memory.EntryNote) {}, 0},
		{"it found it right", 12, func(n *memory.EntryNote) { n.Verdict = uint8(wire.VerdictAccurate) }, 0},
		{"it did not judge it", 12, func(n *memory.EntryNote) { n.Verdict = 0 }, 0},
		{"another's correction waits", 12, func(n *memory.EntryNote) { n.Pending = 2 }, 0},
		{"it did so already", 12, func(n *memory.EntryNote) { n.Corrected = true }, 0},
	} {
		note := wrong
		c.note(&note)
		s, n, _ := counted(t, c.times, note)
		g := &s.t.offers.general
		got := s.updates(func(o scribe) { o.offerCorrection(g) })
		if len(got) != c.want || c.want > 0 && (got[0].EntryID != n.ID || got[0].RejectVersion != nil) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.want > 0 {
			if a := &s.t.offers.list[0]; a.Finding == nil || a.Finding.Title != string(n.Title) || a.Know != s.t.expert().knowOf(memory.MeasureKeeps, []byte("0a0b0000")) || string(a.Author) != string(n.Author.Alias()) {
				t.Errorf("%s: it is to state %+v against %s", c.name, a.Finding, a.Author)
			}
		}
	}
	s, n, _ := counted(t, 0, wrong) // what is right in a program is no matter of counting
	n.Title = []byte("Starlark pattern: memo")
	s.a.Memory.Findings.Observe(memory.MeasurePattern, []byte("memo"), 1, 1)
	for i := range s.a.Memory.Topics {
		s.a.Memory.Topics[i].Know = 1
	}
	if got := s.updates(func(o scribe) { o.offerCorrection(&s.t.offers.general) }); len(got) > 0 {
		t.Errorf("a pattern is corrected: %+v", got)
	}
	s, n, _ = counted(t, 12, wrong)
	s.reply(&wire.EntryUpdate{EntryID: n.ID}, wire.Reply{Type: wire.TypeAck, Body: &wire.EntryUpdateAck{Version: 2}})
	if !n.Corrected {
		t.Error("a correction that was taken is offered again")
	}
}

// An author rejects another's update of its entry while its own count agrees with the entry, and accepts it otherwise.
func TestOfferVeto_WhileOwnCountStands(t *testing.T) {
	for _, c := range []struct {
		name    string
		stated  float32
		pending uint32
		want    int
	}{
		{"its count stands", 1, 2, 1},
		{"its count has moved a little", 0.86, 2, 1},
		{"its count has moved by more than 0.15", 0.84, 2, 0},
		{"its count has moved", 0.2, 2, 0},
		{"nothing waits", 1, 0, 0},
	} {
		s, n, f := counted(t, 12, memory.EntryNote{Own: true, Judged: true, Pending: c.pending})
		n.Author = s.a.ID
		f.SetEntry(n.ID)
		f.Own, f.Stated = true, c.stated
		g := &s.t.offers.general
		got := s.updates(func(o scribe) { o.offerVeto(g) })
		if len(got) != c.want || c.want > 0 && (got[0].RejectVersion == nil || *got[0].RejectVersion != c.pending) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.want > 0 && (!s.t.offers.refs[0].presses || s.t.offers.list[0].Compose != llm.ComposeNone || string(s.t.offers.list[0].Text) != string(n.Title)) {
			t.Errorf("%s: it can wait, but the version does not: %+v", c.name, s.t.offers.list[0])
		}
		since := f.Since
		s.reply(&wire.EntryUpdate{EntryID: n.ID, RejectVersion: &c.pending}, wire.Reply{Type: wire.TypeAck, Body: &wire.EntryUpdateAck{}})
		if n.Pending != 0 || f.Since != since {
			t.Errorf("%s: after the veto %+v, %+v", c.name, n, f)
		}
	}
}

// Of two own entries only the count behind the one that is to be changed decides.
func TestOfferVeto_ByTheCountBehindThatEntry(t *testing.T) {
	for _, moved := range []bool{true, false} {
		s, n, _ := counted(t, 12, memory.EntryNote{Own: true, Judged: true, Pending: 2})
		other := s.a.Memory.Findings.GetOrAdd(memory.MeasureReward, []byte("HARD")) // comes before
		f := s.a.Memory.Findings.Get(memory.MeasureKeeps, []byte("0a0b0000"))
		f.SetEntry(n.ID)
		other.SetEntry(wire.Hash{0xE2})
		f.Own, other.Own = true, true
		if f.Stated, other.Stated = f.Value, 99; moved {
			f.Stated, other.Stated = 0, other.Value
		}
		if got := s.updates(func(o scribe) { o.offerVeto(&s.t.offers.general) }); (len(got) == 0) != moved {
			t.Errorf("its count has moved %v: %+v", moved, got)
		}
	}
}

// An author's own update takes effect at once, and what waited is dropped. A correction of its own the agent does not judge, and its
// own entry as another has corrected it states what it has counted by now.
func TestEntryUpdate_ByAuthorByAgentAndOfOwnEntry(t *testing.T) {
	update := func(version uint32, by wire.AgentID) *wire.Event {
		return event(wire.KindEntryUpdated, 260, by, &wire.EntryUpdatedEvent{EntryID: wire.Hash{0xE1}, Version: version, Author: by})
	}
	s, n, _ := counted(t, 0, memory.EntryNote{Author: peerA, Judged: true})
	s.see(update(2, peerB))
	if s.see(update(3, peerA)); n.Pending != 0 || !n.Judged {
		t.Errorf("after an update by its author: %+v", n)
	}
	s, n, _ = counted(t, 0, memory.EntryNote{Author: peerA, Judged: true, Verdict: uint8(wire.VerdictInaccurate)})
	s.see(update(2, s.a.ID))
	if s.see(update(2, s.a.ID)); n.Pending != 0 || !n.Judged || n.Verdict != 0 {
		t.Errorf("once its own correction has taken effect: %+v", n)
	}
	s, n, f := counted(t, 12, memory.EntryNote{Own: true, Judged: true})
	n.Author = s.a.ID
	f.SetEntry(n.ID)
	f.Own, f.Stated = true, 0.2
	s.see(update(2, peerB))
	s.see(update(2, peerB))
	if f = s.a.Memory.Findings.Get(memory.MeasureKeeps, []byte("0a0b0000")); !n.Judged || f.Stated != f.Value || f.Since != memory.CycleNumber(s.t.seen.cycle) {
		t.Errorf("once its own entry has been corrected: %+v, %+v", n, f)
	}
}

// While an update by another agent is pending, the note of the entry keeps its verdicts. Once the update has taken
// effect it is a new text without verdicts; if it is rejected nothing changes.
func TestEntryUpdate_VerdictsAreForgottenOnceItTakesEffect(t *testing.T) {
	judged := memory.EntryNote{Author: peerA, Read: true, Judged: true, Verdict: uint8(wire.VerdictInaccurate), Verdicts: 2, Disputed: 1, Vouched: 1, Since: 3}
	update := func(by wire.AgentID) *wire.Event {
		return event(wire.KindEntryUpdated, 260, by, &wire.EntryUpdatedEvent{EntryID: wire.Hash{0xE1}, Version: 2, Author: by})
	}
	s, n, _ := counted(t, 0, judged)
	if s.see(update(peerB)); n.Pending != 2 || !n.Judged || n.Verdicts != 2 {
		t.Errorf("while it waits: %+v", n)
	}
	if s.see(update(peerB)); n.Pending != 0 || n.Judged || n.Read || n.Verdict != 0 || n.Verdicts != 0 || n.Disputed != 0 || n.Vouched != 0 {
		t.Errorf("once it has taken effect: %+v", n)
	}
	s, n, _ = counted(t, 0, judged)
	s.see(update(peerB))
	s.see(event(wire.KindEntryUpdateRejected, 264, peerA, &wire.EntryUpdateRejectedEvent{EntryID: n.ID, Version: 2, RejectedBy: peerA}))
	if n.Pending != 0 || !n.Judged || n.Verdict == 0 {
		t.Errorf("rejected: %+v", n)
	}
	if s.see(update(peerA)); n.Pending != 0 || !n.Judged {
		t.Errorf("the author's own: %+v", n)
	}
}
