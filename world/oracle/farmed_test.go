package oracle

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// An update waits for its author's objection. Meanwhile two agents verify the entry, and from then on only its author may
// change it. The update of another does not replace what they verified, also if the author sleeps.
func TestUpdate_DoesNotReplaceWhatTwoVerifiedMeanwhile(t *testing.T) {
	for verifiers, version := range []uint32{2, 2, 1} {
		b := newBench(t)
		e := b.post(0, draft("title"))
		b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("junk")})
		for i := range verifiers {
			b.verdict(2+i, e, wire.VerdictAccurate)
		}
		b.end(1)
		b.end(2)
		if h := b.head(e); h.Version != version || version == 1 && len(h.VerifiedBy) != verifiers {
			t.Errorf("%d verifiers: version %d with verifiers %v, want version %d", verifiers, h.Version, h.VerifiedBy, version)
		}
		if dropped := slices.Contains(b.kinds(), "entry_update_rejected"); dropped != (version == 1) {
			t.Errorf("%d verifiers: a rejection is announced: %t", verifiers, dropped)
		}
		b = b.restored()
		b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("better")})
		b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("not rejected by the author, so not barred")})
	}
}

func (s *fakeSiblings) Unlock(_ *world.Context, a wire.AgentID, amount uint64) {
	s.locked[a] -= amount
	s.funds[a] += amount
}

// An entry that nobody reviews, or one agent only, is published after sixteen cycles like any other, and its author has the
// fee back. Before, both were lost for ever.
func TestPeerReview_EndsAfterSixteenCycles(t *testing.T) {
	b := newBench(t)
	e, one := b.post(0, hidden("title", "tag")), b.post(0, hidden("reviewed by one"))
	decided := b.post(0, hidden("decided"))
	b.verdict(1, one, wire.VerdictAccurate)
	b.verdict(3, decided, wire.VerdictAccurate)
	b.verdict(4, decided, wire.VerdictAccurate)
	for cycle := wire.Cycle(1); cycle < 17; cycle++ {
		b.end(cycle)
		if b.s.locked[id(0)] != 2*ReviewFee || len(b.titles(wire.EntryQuery{})) != 1 {
			t.Fatalf("cycle %d: %d ⚡ are locked, %q published", cycle, b.s.locked[id(0)], b.titles(wire.EntryQuery{}))
		}
		b = b.restored()
	}
	b.end(17)
	if got, want := b.kinds(), []string{"peer_review_complete", "peer_review_complete"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if b.s.locked[id(0)] != 0 || b.s.funds[id(0)] != 98 || len(b.titles(wire.EntryQuery{})) != 3 || b.reviews.Len() != 0 {
		t.Errorf("%d ⚡ are locked, %d free, %q published", b.s.locked[id(0)], b.s.funds[id(0)], b.titles(wire.EntryQuery{}))
	}
	if h := b.head(e); h.Accuracy != 0 || h.Version != 1 {
		t.Errorf("%+v", h)
	}
	b = b.restored()
	b.end(18)
	b.verdict(1, one, wire.VerdictAccurate)
}
