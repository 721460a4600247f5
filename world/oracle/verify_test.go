package oracle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/det"
	"kingdom/wire"
)

func TestVerify_Accuracy(t *testing.T) {
	type v struct {
		verdict    wire.Verdict
		reputation float64
	}
	for _, tt := range []struct {
		name     string
		verdicts []v
		want     float64
	}{
		{"one ACCURATE", []v{{wire.VerdictAccurate, 0.5}}, 1},
		{"weights count", []v{{wire.VerdictAccurate, 0.75}, {wire.VerdictInaccurate, 0.25}}, 0.75},
		{"partly and outdated", []v{{wire.VerdictPartiallyAccurate, 0.5}, {wire.VerdictOutdated, 0.5}}, 0.4},
		{"nobody has reputation: plain mean", []v{{wire.VerdictAccurate, 0}, {wire.VerdictOutdated, 0}}, 0.65},
		{"who has none does not count beside one who has", []v{{wire.VerdictAccurate, 0}, {wire.VerdictInaccurate, 0.1}}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			e := b.post(0, draft("title"))
			for i, x := range tt.verdicts {
				b.s.reputation[id(i+1)] = x.reputation
				b.verdict(i+1, e, x.verdict)
			}
			if got := b.head(e).Accuracy; got != float32(det.Quantise(tt.want)) {
				t.Errorf("accuracy %v, want %v", got, tt.want)
			}
		})
	}
}

func TestVerify_RewardAndReputationOnce(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.verdict(1, e, wire.VerdictAccurate)
	b.verdict(2, e, wire.VerdictInaccurate)
	b.verdict(3, e, wire.VerdictAccurate)
	b.verdict(4, e, wire.VerdictAccurate)
	want := []string{
		"valued 1 by 1", "valued 0 by 4", "valued 2 by 1", "valued 3 by 1", "entry 10 to 0 by 1 and 3", "valued 4 by 1",
	}
	if d := cmp.Diff(want, b.s.log); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]wire.AgentID{id(1), id(3), id(4)}, b.head(e).VerifiedBy); d != "" {
		t.Error(d)
	}
}

func TestVerify_NewVersionNewVerdict(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.verdict(1, e, wire.VerdictAccurate)
	b.refused(1, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictOutdated}, codeCF, "already")
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("two")})
	b.s.log = nil
	b.verdict(1, e, wire.VerdictInaccurate)
	if h := b.head(e); h.Accuracy != 0 || len(h.VerifiedBy) != 0 {
		t.Errorf("the newer verdict replaces the older: accuracy %v, %d verifiers", h.Accuracy, len(h.VerifiedBy))
	}
	if len(b.s.log) != 0 {
		t.Errorf("a second verdict earned again: %v", b.s.log)
	}
}

func TestVerify_LosingAVerifierEarnsNothing(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	for i := range 3 {
		b.verdict(i+1, e, wire.VerdictAccurate)
	}
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("two")})
	b.s.log = nil
	b.verdict(3, e, wire.VerdictInaccurate) // three become two
	if len(b.s.log) != 0 {
		t.Errorf("earned: %v", b.s.log)
	}
}

func TestVerify_Refusals(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.refused(1, &wire.EntryVerify{EntryID: wire.Hash{9}, Verdict: wire.VerdictAccurate}, codeNF, "entry")
	b.refused(0, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeUA, "own_entry")
}

func TestVerified_CountsForBounties(t *testing.T) {
	b := newBench(t)
	early := b.post(0, draft("early"))
	b.at(300)
	late := b.post(0, draft("late"))
	b.post(0, draft("unverified"))
	faq := draft("other kind")
	faq.Entry.Kind = wire.EntryKindFAQ
	other := b.post(0, faq)
	for _, e := range []wire.Hash{early, late, other} {
		b.verdict(1, e, wire.VerdictAccurate)
	}
	if a, z := b.Verified(id(0), wire.EntryKindPattern, 0), b.Verified(id(0), wire.EntryKindPattern, 300); a != 2 || z != 1 {
		t.Errorf("verified %d ever and %d since, want 2 and 1", a, z)
	}
}

func TestEntryZero(t *testing.T) {
	b := newBench(t)
	b.c.Boundary(20, 0)
	b.c.Source = Self
	if got := b.Genesis(b.c).String(); got != "2581660d31bbe31b165bdda939e15b422da7d8731fd97d336dac487184c20588" {
		t.Errorf("id %s", got)
	}
	h := b.head(EntryZero)
	if h.Accuracy != 1 || h.Completeness != 1 || h.Freshness != 1 || h.Author != Self ||
		h.VerifiedBy[0] != wire.SystemID(wire.SystemNexus) || len(h.Tags) != 5 || string(h.Title) != "Kingdom Starlark and Forge Specification" {
		t.Errorf("%+v", h)
	}
	if _, err := parse(h.Body); err != nil || len(h.Body) < 8_000 || len(h.Body) > 65_536 {
		t.Errorf("body of %d bytes: %v", len(h.Body), err)
	}
	b.at(256)
	b.refused(0, &wire.EntryUpdate{EntryID: EntryZero, NewBody: wire.TextBody("mine")}, codeCF, "immutable")
	b.refused(0, &wire.EntryVerify{EntryID: EntryZero, Verdict: wire.VerdictInaccurate}, codeCF, "immutable")
	b.end(101)
	b.end(501)
	if got := b.head(EntryZero).Freshness; got != 1 {
		t.Errorf("freshness %v", got)
	}
}
