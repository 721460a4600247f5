package oracle

import (
	"slices"
	"testing"

	"kingdom/wire"
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
