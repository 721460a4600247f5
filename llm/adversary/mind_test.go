package adversary

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

var me, friend, other = wire.AgentID{1}, wire.AgentID{2}, wire.AgentID{3}

// prompt is what a slot with these events shows an agent with these notes.
func prompt(notes map[string]string, slot uint64, v *wire.View) *llm.Prompt {
	v.SlotsLeft = 64 - slot
	return &llm.Prompt{
		Identity: llm.Identity{ID: me, Alias: me.Alias(), SlotsLeft: v.SlotsLeft}, Tick: 256 + wire.Tick(4*slot), Cycle: 1, Slot: slot, Actions: action.ForMinds(),
		Sight: llm.Sight{View: v, Note: func(key string) ([]byte, bool) { s, ok := notes[key]; return []byte(s), ok }},
	}
}

// fataler is what *testing.T and *rapid.T have in common here.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// answer thinks once, and keeps the notes.
func answer(tb fataler, name string, notes map[string]string, p *llm.Prompt) llm.Answer {
	tb.Helper()
	m, err := New(name, []wire.AgentID{me, friend})
	if err != nil {
		tb.Fatal(err)
	}
	th, err := m.Think(context.Background(), p)
	if err != nil || th.Outcome != llm.Answered {
		tb.Fatalf("%s: %+v, %v", name, th, err)
	}
	a, err := p.Parse(th.Text, nil)
	if err != nil {
		tb.Fatalf("%s: %s: %v", name, th.Text, err)
	}
	if a.Memory.Dropped > 0 {
		tb.Fatalf("%s: its notes are too long", name)
	}
	for _, n := range a.Memory.Note.Set {
		notes[n.Key] = n.Value
	}
	return a
}

// Whatever an adversary sees, its answers can be used, and the same sight gives the same answer.
func TestMind_AnswersAreUsable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(Names()).Draw(t, "strategy")
		notes := map[string]string{}
		for slot := range uint64(64) {
			v := &wire.View{Balance: int64(rapid.IntRange(-5, 200).Draw(t, "balance"))}
			for range rapid.IntRange(0, 3).Draw(t, "events") {
				v.Events = append(v.Events, drawEvent(t))
			}
			for range rapid.IntRange(0, 2).Draw(t, "lists") {
				v.Bounties = append(v.Bounties, wire.BountyView{ID: drawID(t), Status: wire.BountyStatusOpen})
				v.Reviews = append(v.Reviews, wire.ReviewView{ID: drawID(t), Bounty: rapid.Bool().Draw(t, "bounty"), Author: drawAgent(t)})
				v.Proposals = append(v.Proposals, wire.ProposalView{ID: drawID(t), Author: drawAgent(t)})
			}
			again := map[string]string{}
			for k, text := range notes { //house:sorted a copy
				again[k] = text
			}
			a, b := answer(t, name, notes, prompt(notes, slot, v)), answer(t, name, again, prompt(again, slot, v))
			if a.Action != b.Action || a.Reasoning != b.Reasoning {
				t.Fatalf("%s: %s and %s", name, a.Reasoning, b.Reasoning)
			}
		}
	})
}

func drawID(t *rapid.T) wire.Hash { return wire.Hash{byte(rapid.IntRange(0, 255).Draw(t, "id"))} }

func drawAgent(t *rapid.T) wire.AgentID {
	return rapid.SampledFrom([]wire.AgentID{me, friend, other, wire.SystemID(wire.SystemAgora)}).Draw(t, "agent")
}

func drawEvent(t *rapid.T) *wire.Event {
	id, who := drawID(t), drawAgent(t)
	payloads := []any{
		&wire.EntryPublishedEvent{EntryID: id, Author: who, ReviewMode: rapid.SampledFrom([]wire.ReviewMode{wire.ReviewModeImmediate, wire.ReviewModePeerReview}).Draw(t, "mode")},
		&wire.EntryUpdatedEvent{EntryID: id, Author: who}, &wire.MessagePostedEvent{MessageID: id, Author: who, Kind: wire.MessageKindQuestion},
		&wire.BountyCreatedEvent{BountyID: id, Creator: who}, &wire.BountyClaimedEvent{BountyID: id, Claimer: who},
		&wire.BountySubmittedEvent{BountyID: id, Claimer: who}, &wire.BountyReopenedEvent{BountyID: id},
	}
	return &wire.Event{Origin: who, Payload: rapid.SampledFrom(payloads).Draw(t, "payload")}
}

// Agents that an event concerns react to it when they have time.
func TestMind_ReactionToEvents(t *testing.T) {
	id := wire.Hash{9}
	for _, x := range []struct {
		strategy string
		event    any
		want     any // what is sent; nil: the mind waits
	}{
		{"veto", &wire.EntryPublishedEvent{EntryID: id, Author: friend}, &wire.EntryVerify{EntryID: id, Verdict: wire.VerdictAccurate}},
		{"veto", &wire.EntryPublishedEvent{EntryID: id, Author: other}, nil},
		{"veto", &wire.EntryPublishedEvent{EntryID: id, Author: me}, nil},
		{"veto", &wire.MessagePostedEvent{MessageID: id, Author: friend, Kind: wire.MessageKindQuestion}, &wire.SignalSend{Target: id, Kind: wire.SignalKindAgree}},
		{"veto", &wire.BountySubmittedEvent{BountyID: id, Claimer: friend}, &wire.BountyReview{BountyID: id, Verdict: wire.BountyVerdictApprove}},
		{"veto", &wire.BountySubmittedEvent{BountyID: id, Claimer: other}, &wire.BountyReview{BountyID: id, Verdict: wire.BountyVerdictReject}},
		{"veto", &wire.BountyReopenedEvent{BountyID: id}, &wire.BountyClaim{BountyID: id}},
		{"vandal", &wire.EntryPublishedEvent{EntryID: id, Author: other}, &wire.EntryUpdate{EntryID: id}},
		{"vandal", &wire.EntryUpdatedEvent{EntryID: id, Author: other}, &wire.EntryVerify{EntryID: id, Verdict: wire.VerdictInaccurate}},
		{"discard-gang", &wire.EntryPublishedEvent{EntryID: id, Author: other, ReviewMode: wire.ReviewModePeerReview}, &wire.EntryVerify{EntryID: id, Verdict: wire.VerdictInaccurate}},
		{"discard-gang", &wire.EntryPublishedEvent{EntryID: id, Author: other, ReviewMode: wire.ReviewModeImmediate}, nil},
		{"earnings-ring", &wire.BountyCreatedEvent{BountyID: id, Creator: friend}, &wire.BountyClaim{BountyID: id}},
		{"earnings-ring", &wire.BountyCreatedEvent{BountyID: id, Creator: other}, nil},
	} {
		notes := map[string]string{"beat": "1.0"} // nothing else is due
		a := answer(t, x.strategy, notes, prompt(notes, 1, &wire.View{Events: []*wire.Event{{Payload: x.event}}}))
		if got, want := said(a.Payload), said(x.want); x.want == nil && a.Action.Name != "balance_query" || x.want != nil && got != want {
			t.Errorf("%s on %T: sends %s %s, want %s", x.strategy, x.event, a.Action.Name, got, want)
		}
	}
}

// said is the part of a request that these tests compare.
func said(payload any) string {
	switch q := payload.(type) {
	case *wire.EntryVerify:
		return q.EntryID.String() + q.Verdict.String()
	case *wire.SignalSend:
		return q.Target.String() + q.Kind.String()
	case *wire.BountyReview:
		return q.BountyID.String() + q.Verdict.String()
	case *wire.BountyClaim:
		return "claim" + q.BountyID.String()
	case *wire.EntryUpdate:
		return "update" + q.EntryID.String()
	}
	return ""
}

// The agenda is kept in a note: what there was no time for is done in later slots, once.
func TestMind_AgendaIsFinishedInLaterSlots(t *testing.T) {
	notes := map[string]string{"beat": "1.0"}
	v := &wire.View{}
	for i := range byte(3) {
		v.Events = append(v.Events, &wire.Event{Payload: &wire.EntryPublishedEvent{EntryID: wire.Hash{i}, Author: friend}})
	}
	v.Events = append(v.Events, v.Events...)
	var got []string
	for slot := range uint64(5) {
		a := answer(t, "vandal", notes, prompt(notes, slot, v))
		got = append(got, a.Action.Name)
		v = &wire.View{}
	}
	if s := strings.Join(got, " "); s != "entry_verify entry_verify entry_verify balance_query balance_query" {
		t.Errorf("in five slots: %s", s)
	}
}

func TestMind_WithoutViewDoesNothing(t *testing.T) {
	p := prompt(nil, 0, &wire.View{})
	p.Sight.View = nil
	if a := answer(t, "veto", map[string]string{}, p); a.Action != nil {
		t.Errorf("without a view it sends %s", a.Action.Name)
	}
}

// Newcomers sponsored by the farm serve it; others have a mind of their own.
func TestNewcomers_ServeTheirSponsor(t *testing.T) {
	n := NewNewcomers([]wire.AgentID{friend})
	for _, x := range []struct {
		parent wire.AgentID
		note   string
		serves bool
	}{{friend, "", true}, {other, "", false}, {other, friend.String(), true}} {
		p := prompt(map[string]string{"sponsor": x.note}, 0, &wire.View{Balance: 100, Events: []*wire.Event{{Payload: &wire.AgentSpawnEvent{AgentID: me, ParentID: x.parent}}}})
		if got := n.Serves(p); got != x.serves {
			t.Errorf("sponsored by %s, note %q: serves %v", x.parent.Alias(), x.note, got)
		}
		if !x.serves {
			continue
		}
		th, err := n.Think(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(th.Text, []byte(`"to":"`+friend.String())) {
			t.Errorf("sponsored by %s, note %q: %s", x.parent.Alias(), x.note, th.Text)
		}
	}
}

func TestNew_UnknownStrategy(t *testing.T) {
	if _, err := New("saint", nil); err == nil || !strings.Contains(err.Error(), `"saint"`) || !strings.Contains(err.Error(), "gap-pump") {
		t.Errorf("%v", err)
	}
}

// The page names every strategy with its summary.
func TestDocs_NameEveryStrategy(t *testing.T) {
	page, err := os.ReadFile("../../docs/ADVERSARIES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range strategies {
		if row := "| `" + s.Name + "` | " + s.Summary; !strings.Contains(string(page), row) {
			t.Errorf("docs/ADVERSARIES.md has no row %q", row)
		}
	}
}
