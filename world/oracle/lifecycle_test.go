package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// restored returns a bench whose Oracle was restored from the rows written so far.
func (b *bench) restored() *bench {
	b.t.Helper()
	b.store()
	n := newBench(b.t)
	n.s, n.rows, n.msgs, *n.c = b.s, slices.Clone(b.rows), b.msgs, *b.c
	n.s.pairs = maps.Clone(b.s.pairs)
	n.Attach(&world.Siblings{Nexus: n.s, Mint: n.s, Agora: n.s})
	load := func(r world.Row) {
		if err := n.State().Load(r); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, r := range b.rows {
		if r.Chain {
			load(r)
		}
	}
	for _, r := range b.State().All() {
		load(r)
	}
	for _, h := range b.State().Heads() {
		if err := n.State().SetHead(h); err != nil {
			b.t.Fatal(err)
		}
	}
	n.Restored()
	if got, want := n.State().FinishRestore(), b.State().Hash(); got != want {
		b.t.Fatalf("restored state hashes to %v, want %v", got, want)
	}
	return n
}

// hidden is a request to publish an entry after peer review.
func hidden(title string, tags ...string) *wire.EntryPublish {
	q := draft(title, tags...)
	q.Review = wire.ReviewModePeerReview
	return q
}

// What peer review discarded takes no place any more, is read with its status, and cannot be judged, also after a restore.
func TestDiscarded_TakesNoPlace(t *testing.T) {
	b := newBench(t)
	e := b.post(0, hidden("title"))
	b.verdict(1, e, wire.VerdictInaccurate)
	b = b.restored()
	b.refused(1, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeCF, "already")
	b.verdict(2, e, wire.VerdictInaccurate)
	for _, again := range []bool{false, true} {
		if again {
			b = b.restored()
		}
		if n := b.entries.Len(); n != 0 {
			t.Errorf("restored %t: %d entries are counted", again, n)
		}
		if _, ok := b.Entry(e); ok {
			t.Errorf("restored %t: it is still an entry", again)
		}
		if got := b.must(3, &wire.EntryGet{EntryID: e}).Body.(*wire.EntryGetReply); got.Status == nil || *got.Status != wire.EntryDiscarded {
			t.Errorf("restored %t: who asks for it gets %+v", again, got)
		}
		if len(b.reviews.reviewers)+b.reviews.Len() != 0 {
			t.Errorf("restored %t: its reviews are kept", again)
		}
		b.refused(2, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeNF, "entry")
	}
}

// Entry returns the head of an entry without its text.
func TestEntry_IsTheHead(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title", "tag"))
	h, ok := b.Entry(e)
	if !ok || h.ID != e || string(h.Title) != "title" || h.Author != id(0) || h.Version != 1 || h.Body != nil {
		t.Errorf("%t %+v", ok, h)
	}
	if h, ok := b.Entry(wire.Hash{9}); ok || h.Version != 0 {
		t.Errorf("of an unknown entry: %t %+v", ok, h)
	}
	if n := len(b.entries.foreignEdits); n != 0 {
		t.Errorf("edits of others are kept for %d entries that nobody edited", n)
	}
}

// An entry is closed to an agent that judged its text, to all once its author superseded it or peer review discarded it.
func TestClosed_EachWay(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.verdict(1, e, wire.VerdictAccurate)
	judged := b.post(0, hidden("hidden"))
	b.verdict(1, judged, wire.VerdictAccurate)
	released := b.post(0, hidden("released"))
	b.verdict(3, released, wire.VerdictAccurate)
	b.verdict(4, released, wire.VerdictAccurate)
	gone := b.post(0, hidden("gone"))
	b.verdict(5, gone, wire.VerdictInaccurate)
	b.verdict(6, gone, wire.VerdictInaccurate)
	old := b.post(2, draft("old"))
	q := draft("new")
	q.Entry.Supersedes = &old
	b.post(2, q)
	for range 2 {
		for _, tt := range []struct {
			entry wire.Hash
			by    int
			want  string
		}{
			{e, 1, "entry JUDGED"},
			{e, 2, "open"},
			{judged, 1, "entry JUDGED"},
			{judged, 2, "open"},
			{released, 3, "open"}, // an approval is no verdict on it
			{gone, 9, "entry DISCARDED"},
			{wire.Hash{9}, 9, "open"},
			{old, 9, "entry SUPERSEDED by 2"},
		} {
			s, closed := b.Closed(tt.entry, id(tt.by), b.c.Tick)
			got := "open"
			if closed {
				if got = s.Kind + " " + s.Status; s.ID != tt.entry {
					t.Errorf("asked about %v, told about %v", tt.entry, s.ID)
				}
				if !s.By.IsZero() {
					got += fmt.Sprint(" by ", s.By[1])
				}
			}
			if got != tt.want {
				t.Errorf("entry %v to agent %d: %s, want %s", tt.entry, tt.by, got, tt.want)
			}
		}
		b = b.restored()
	}
}

// A world of twice the scale holds twice as many entries and citations.
func TestBounds_GrowWithTheWorld(t *testing.T) {
	b := newBench(t)
	b.rules.Population = 16
	for n, refused := range map[int]bool{2*entriesPerS - 1: false, 2 * entriesPerS: true} {
		b.entries.count = n
		r := b.Apply(b.c, draft(fmt.Sprint("title ", n)))
		if (r.Err != nil) != refused {
			t.Errorf("with %d entries: %+v", n, r.Err)
		}
		if refused {
			if limit, _ := r.Err.Context.Get("limit"); string(limit) != "200000" {
				t.Errorf("the refusal names a limit of %s", limit)
			}
		}
	}
	if got := New(b.rules).citations.limit; got != 2_000_000 {
		t.Errorf("%d citations, want 2,000,000", got)
	}
}

// Genesis publishes entry #0, and the examples in it are programs of the bootstrap.
func TestPhases_PublishEntryZero(t *testing.T) {
	b := newBench(t)
	var boot world.Bootstrap
	phases := b.Phases(&boot)
	if len(phases) != 1 || phases[0].Tick != 20 {
		t.Fatalf("%+v", phases)
	}
	b.c.Boundary(20, 0)
	b.c.Source = Self
	kind, payload := phases[0].Run(b.c)
	if kind != wire.KindOracleReady || payload.(*wire.OracleReadyEvent).EntryID != EntryZero || boot.Specification != EntryZero {
		t.Errorf("%v %+v", kind, payload)
	}
	if d := cmp.Diff([]string{"entry_published"}, b.kinds()); d != "" {
		t.Error(d)
	}
	if len(boot.Programs) != len(examples) || boot.Programs[0] != examples[0].source {
		t.Errorf("%d programs, want %d", len(boot.Programs), len(examples))
	}
	var m world.Metrics
	if b.Measure(&m); m.OracleEntries != 1 {
		t.Errorf("%d entries are published", m.OracleEntries)
	}
	b.at(256)
	if got := b.titles(wire.EntryQuery{Sort: wire.OracleSortRecent}); len(got) != 1 {
		t.Errorf("a query finds %q", got)
	}
}

// An entry of a daemon is announced.
func TestPublishSystem_IsAnnounced(t *testing.T) {
	b := newBench(t)
	b.c.CycleEnd(511)
	b.PublishSystem(b.c, wire.SystemID(wire.SystemAgora), wire.EntryKindFAQ, []byte("decision"), wire.TextBody("decided"), nil, []wire.Hash{{7}})
	if d := cmp.Diff([]string{"entry_published", "citation_added"}, b.kinds()); d != "" {
		t.Error(d)
	}
}

// What Forge reads is the JSON of a published entry, at once or when its text has come from the store.
func TestShowEntry(t *testing.T) {
	for _, forgets := range []bool{false, true} {
		b := newBench(t)
		b.forgets = forgets
		e, h := b.post(0, draft("title", "tag")), b.post(1, hidden("hidden"))
		b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("the second text")})
		reader := Entries(b.Daemon)
		var missing []wire.Missing
		var got []string
		show := func(text []byte) { got = append(got, string(text)) }
		if !reader.ShowEntry(&missing, e, show) || (len(missing) == 1) != forgets || (len(got) == 0) != forgets {
			t.Errorf("store %t: shows %q, misses %d", forgets, got, len(missing))
		}
		b.fill(missing)
		want := string(headCodec.AppendJSON(nil, new(b.head(e))))
		if len(got) != 1 || got[0] != want || !strings.Contains(want, "the second text") || !strings.Contains(want, `"title"`) {
			t.Errorf("store %t: %q, want %s", forgets, got, want)
		}
		for _, none := range []wire.Hash{h, {9}} {
			if reader.ShowEntry(&missing, none, show) || len(got) != 1 {
				t.Errorf("store %t: shows what is not published", forgets)
			}
		}
	}
}

// An entry names its first 32 contributors and verifiers, each once; all have judged it.
func TestEntry_NamesThe32First(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	x := b.entries.find(e)
	var want []wire.AgentID
	for i := range maxNamed + 1 {
		for range 2 {
			b.entries.addContributor(x, id(40+i))
		}
		if i < maxNamed {
			want = append(want, id(40+i))
		}
		b.verdict(40+i, e, wire.VerdictAccurate)
	}
	h := b.head(e)
	if d := cmp.Diff(want, h.Contributors); d != "" {
		t.Error("contributors ", d)
	}
	if d := cmp.Diff(want, h.VerifiedBy); d != "" {
		t.Error("verifiers ", d)
	}
	b.refused(40+maxNamed, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeCF, "already")
	if b.votes.judged(wire.Hash{9}, 1, id(40)) {
		t.Error("a verdict counts for an entry that is not there")
	}
}

// A cooldown is kept up to its last cycle, also after a restore; an update that took effect is forgotten.
func TestUpdate_RestsAndDuesAreForgotten(t *testing.T) {
	for _, again := range []bool{false, true} {
		b := newBench(t)
		e := b.post(0, draft("title"))
		b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("worse")})
		two := uint32(2)
		b.must(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &two}) // in cycle 1
		b.must(2, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("better")})
		if again {
			b = b.restored()
		}
		b.end(2)
		if got := b.head(e).Version; got != 3 {
			t.Errorf("restored %t: version %d", again, got)
		}
		if n := len(b.entries.pending.Due(99)); n != 0 {
			t.Errorf("restored %t: %d updates are still due", again, n)
		}
		for cycle, want := range []int{15: 1, 16: 0} {
			if cycle < 15 {
				continue
			}
			b.end(wire.Cycle(cycle))
			if b.cooldowns.Len() != want || len(b.cooldowns.expiring) != want {
				t.Errorf("restored %t, end of cycle %d: %d rests, %d indexed; want %d", again, cycle, b.cooldowns.Len(), len(b.cooldowns.expiring), want)
			}
		}
	}
}

// A new text has the completeness of its blocks.
func TestUpdate_ChangesCompleteness(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	list := []wire.ContentBlock{text("p"), definition("t", "m")}
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: Body(list)})
	if got := b.head(e).Completeness; got != completeness(list) || got < 0.3 {
		t.Errorf("completeness %v", got)
	}
}
