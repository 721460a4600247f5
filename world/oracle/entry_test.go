package oracle

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/det"
	"kingdom/wire"
)

func TestPublish_ImmediateEntryIsLiveAtOnce(t *testing.T) {
	b := newBench(t)
	old := b.post(0, draft("first"))
	q := draft("second", "a", "b", "a")
	q.Entry.Supersedes = &old
	e := b.post(1, q)
	if d := cmp.Diff([]string{"entry_published", "citation_added"}, b.kinds()); d != "" {
		t.Error(d)
	}
	want := wire.OracleEntry{
		ID: EntryID(wire.EntryKindPattern, []byte("second"), id(1), 256), Kind: wire.EntryKindPattern, Title: []byte("second"),
		Version: 1, Author: id(1), Contributors: []wire.AgentID{}, CreatedAt: 256, UpdatedAt: 256,
		Body: wire.TextBody("about second"), Tags: [][]byte{[]byte("a"), []byte("b")}, References: []wire.Hash{}, Supersedes: &old,
		Completeness: float32(209715) / (1 << 20), Freshness: 1, VerifiedBy: []wire.AgentID{}, MsgID: b.c.Msg,
	}
	if d := cmp.Diff(want, b.head(e)); d != "" {
		t.Error(d)
	}
	if got := b.head(old).Citations; got != 1 {
		t.Errorf("the superseded entry has %d citations", got)
	}
	q = draft("third")
	q.Entry.Supersedes = &want.ID
	third := b.post(1, q)
	for e, want := range map[wire.Hash]string{old: "", want.ID: wire.EntrySuperseded, third: ""} { // another's word replaces nothing
		status := ""
		if s := b.must(3, &wire.EntryGet{EntryID: e}).Body.(*wire.EntryGetReply).Status; s != nil {
			status = *s
		}
		if status != want {
			t.Errorf("who asks for %v gets the status %q, want %q", e, status, want)
		}
	}
}

func TestPublish_CopiesTheRequestBuffers(t *testing.T) {
	b := newBench(t)
	q := draft("title", "tag")
	e := b.post(0, q)
	hash := b.State().Hash()
	q.Entry.Title[0], q.Entry.Tags[0][0], q.Entry.Body[5] = 'X', 'X', 'X'
	b.entries.markChanged(b.entries.find(e))
	if b.State().Hash() != hash || !bytes.Equal(b.head(e).Body, wire.TextBody("about title")) {
		t.Error("a change of the sender's buffers changed the state")
	}
}

func TestPublish_Refusals(t *testing.T) {
	b := newBench(t)
	b.s.funds[id(9)] = 1
	hidden := draft("hidden")
	hidden.Review = wire.ReviewModePeerReview
	h := b.post(1, hidden)
	b.post(0, draft("taken"))
	edit := func(f func(*wire.EntryPublish)) *wire.EntryPublish {
		q := draft("new", "tag")
		f(q)
		return q
	}
	for _, tt := range []struct {
		req    *wire.EntryPublish
		code   uint32
		reason string
	}{
		{draft("taken"), codeCF, "exists"},
		{edit(func(q *wire.EntryPublish) { q.Entry.Title = nil }), codeIR, "title"},
		{edit(func(q *wire.EntryPublish) { q.Entry.Tags = make([][]byte, 9) }), codeIR, "too_many"},
		{edit(func(q *wire.EntryPublish) { q.Entry.Tags = [][]byte{{}} }), codeIR, "tag"},
		{edit(func(q *wire.EntryPublish) { q.Entry.Body = []byte("text") }), codeIR, "body"},
		{edit(func(q *wire.EntryPublish) { q.Entry.Body = Body(nil) }), codeIR, "body"},
		{edit(func(q *wire.EntryPublish) { q.Entry.Supersedes = &wire.Hash{9} }), codeNF, "supersedes"},
		{edit(func(q *wire.EntryPublish) { q.Entry.Supersedes = &h }), codeNF, "supersedes"},
	} {
		b.refused(0, tt.req, tt.code, tt.reason)
	}
	b.refused(9, hidden, codeQE, "funds")
	b.refused(9, &wire.Ping{}, wire.CodeUnknownType, "unknown_type")
}

func TestPublish_LibraryIsFull(t *testing.T) {
	b := newBench(t)
	for i := range entriesPerS {
		b.entries.Put(wire.Hash{byte(i >> 16), byte(i >> 8), byte(i)}, &Entry{})
	}
	r := b.Apply(b.c, draft("one more"))
	if r.Err == nil || r.Err.Code != codeQE || string(r.Err.Message) != "too_many" {
		t.Errorf("%+v", r)
	}
}

func TestPeerReview_TwoApprovals(t *testing.T) {
	b := newBench(t)
	q := draft("hidden", "tag")
	q.Review = wire.ReviewModePeerReview
	e := b.post(0, q)
	if b.s.funds[id(0)] != 98 || b.Entries() != 0 {
		t.Errorf("author has %d, %d entries are public", b.s.funds[id(0)], b.Entries())
	}
	b.refused(0, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeUA, "own_entry")
	b.refused(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("x")}, codeCF, "unpublished")
	b.verdict(1, e, wire.VerdictAccurate)
	b.refused(1, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeCF, "already")
	b.verdict(3, e, wire.VerdictInaccurate)
	b.verdict(4, e, wire.VerdictAccurate)
	if d := cmp.Diff([]string{"peer_review_approved", "peer_review_complete"}, b.kinds()); d != "" {
		t.Error(d)
	}
	if h := b.head(e); h.Accuracy != 0.5 || len(h.VerifiedBy) != 0 || b.Entries() != 1 {
		t.Errorf("accuracy %v, verified by %d, public %d", h.Accuracy, len(h.VerifiedBy), b.Entries())
	}
	if b.s.funds[id(1)] != 101 || b.s.funds[id(4)] != 101 || b.s.funds[id(3)] != 100 || b.s.locked[id(0)] != 0 || b.reviews.Len() != 0 {
		t.Error("the fee of 2 goes to the two approvers")
	}
	b.verdict(1, e, wire.VerdictAccurate) // approvals are no verifications
}

// Every verdict counts for one of the sides, so a review ends with the third at the latest.
func TestPeerReview_ThirdVerdictDecides(t *testing.T) {
	all := []wire.Verdict{wire.VerdictAccurate, wire.VerdictInaccurate, wire.VerdictPartiallyAccurate, wire.VerdictOutdated}
	for _, first := range all {
		for _, second := range all {
			for _, third := range all {
				b := newBench(t)
				q := draft("hidden")
				q.Review = wire.ReviewModePeerReview
				e := b.post(0, q)
				b.verdict(1, e, first)
				b.verdict(2, e, second)
				if b.reviews.Len() > 0 {
					b.verdict(3, e, third)
				}
				if b.reviews.Len() != 0 || b.s.locked[id(0)] != 0 {
					t.Errorf("%v, %v and %v decide nothing", first, second, third)
				}
			}
		}
	}
}

func TestClosed_PeerReviewedEntryWithoutAllocation(t *testing.T) {
	b := newBench(t)
	q := draft("hidden", "tag")
	q.Review = wire.ReviewModePeerReview
	entry := b.post(1, q)
	b.verdict(2, entry, wire.VerdictAccurate)
	for agent, want := range map[int]bool{2: true, 3: false} {
		if _, closed := b.Closed(entry, id(agent), b.c.Tick); closed != want {
			t.Errorf("agent %d: closed %v", agent, closed)
		}
	}
	if n := testing.AllocsPerRun(100, func() { b.Closed(entry, id(3), b.c.Tick) }); n != 0 {
		t.Errorf("%v allocations", n) // each agent asks about all that it looks at in each slot
	}
}

// A hidden entry does not age at cycle ends; when it is released it has the freshness of its age.
func TestPeerReview_ReleasedEntryHasFreshnessOfItsAge(t *testing.T) {
	for age, want := range map[wire.Cycle]float64{100: 1, 101: 0.9, 102: 0.9, 501: 0.63, 700: 0.63} {
		b := newBench(t)
		q := draft("title")
		q.Review = wire.ReviewModePeerReview
		e := b.post(0, q)
		b.at(b.rules.Calendar.First(1 + age))
		b.verdict(1, e, wire.VerdictAccurate)
		b.verdict(2, e, wire.VerdictAccurate)
		if got := b.head(e).Freshness; got != float32(det.Quantise(want)) {
			t.Errorf("released after %d cycles: freshness %v, want %v", age, got, want)
		}
		b.end(1 + age)
		if got := b.head(e).Freshness; got != float32(det.Quantise(want)) || len(b.kinds()) > 0 {
			t.Errorf("at the end of that cycle: freshness %v, events %v; want %v and none", got, b.kinds(), want)
		}
	}
}

func TestPeerReview_TwoRejections(t *testing.T) {
	b := newBench(t)
	q := draft("hidden")
	q.Review = wire.ReviewModePeerReview
	e := b.post(0, q)
	b.verdict(1, e, wire.VerdictInaccurate)
	q = draft("hidden too")
	q.Review = wire.ReviewModePeerReview
	next := b.post(0, q)
	b.refused(1, &wire.EntryVerify{EntryID: next, Verdict: wire.VerdictInaccurate}, codeCF, "pair_used") // who discards all is paid once
	b.verdict(2, e, wire.VerdictOutdated)
	got := b.must(3, &wire.EntryGet{EntryID: e}).Body.(*wire.EntryGetReply)
	if got.Status == nil || *got.Status != wire.EntryDiscarded || got.Entry.Accuracy != 0 || len(got.Entry.Body) == 0 {
		t.Errorf("who asks for it gets %+v, want it with the status DISCARDED", got)
	}
	b.refused(3, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeNF, "entry")
	if b.s.funds[id(1)] != 101 || b.s.funds[id(2)] != 101 || b.s.locked[id(0)] != 2 { // the second one waits
		t.Error("the fee of 2 goes to the two who rejected")
	}
}

func TestUpdate_ByAuthorAtOnceByOthersLater(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	r := b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("two")})
	if d := cmp.Diff(&wire.EntryUpdateAck{Version: 2}, r.Body); d != "" || b.head(e).Version != 2 {
		t.Error(d)
	}
	b.at(300)
	b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("three")})
	b.refused(2, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("four")}, codeCF, "pending")
	b.end(1) // tick 511: the window ends at 556
	if got := b.head(e).Version; got != 2 {
		t.Errorf("version %d before the window is over", got)
	}
	b.end(2)
	h := b.head(e)
	if h.Version != 3 || h.UpdatedAt != 767 || !bytes.Equal(h.Body, wire.TextBody("three")) {
		t.Errorf("%+v", h)
	}
	if d := cmp.Diff([]wire.AgentID{id(1)}, h.Contributors); d != "" {
		t.Error(d)
	}
	for v, text := range []string{"about title", "two", "three"} {
		v := uint32(v + 1)
		got := b.must(5, &wire.EntryGet{EntryID: e, Version: &v}).Body.(*wire.EntryGetReply).Entry
		if got.Version != v || !bytes.Equal(got.Body, wire.TextBody(text)) {
			t.Errorf("version %d: %+v", v, got)
		}
	}
}

func TestUpdate_RejectedByTheAuthor(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("worse")})
	two, three := uint32(2), uint32(3)
	b.refused(1, &wire.EntryUpdate{EntryID: e, RejectVersion: &two}, codeUA, "reject")
	b.refused(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &three}, codeNF, "version")
	b.must(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &two})
	if d := cmp.Diff([]string{"entry_update_rejected"}, b.kinds()); d != "" {
		t.Error(d)
	}
	b.refused(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &two}, codeNF, "version")
	b.end(2)
	if got := b.head(e).Version; got != 1 {
		t.Errorf("version %d was applied", got)
	}
	b.at(770)
	b.refused(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("again")}, codeCF, "too_soon")
	if r := b.must(2, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("better")}); r.Body.(*wire.EntryUpdateAck).Version != 3 {
		t.Error("a number was used twice")
	}
	b.at(770 + PendingTicks + 1)
	b.refused(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &three}, codeNF, "version")
}

// TestUpdate_ByAuthorRejectsPendingOne: an update by the author takes effect at once and rejects the pending one of another agent,
// who then rests for 16 cycles.
func TestUpdate_ByAuthorRejectsPendingOne(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("a stranger's")})
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("mine")})
	if d := cmp.Diff([]string{"entry_update_rejected", "entry_updated"}, b.kinds()); d != "" {
		t.Error(d)
	}
	if h := b.head(e); h.Version != 3 || !bytes.Equal(h.Body, wire.TextBody("mine")) {
		t.Errorf("%+v", h)
	}
	b.end(2)
	if h := b.head(e); h.Version != 3 {
		t.Errorf("the stranger's text took effect as version %d", h.Version)
	}
	b.at(17*256 - 1)
	b.refused(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("again")}, codeCF, "too_soon")
	b.at(17 * 256)
	b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("again")})
	b.end(17)
	if n := b.cooldowns.Len() + len(b.cooldowns.expiring); n != 0 {
		t.Errorf("%d rests are kept that are over", n)
	}
}

// A stranger's text must not take effect under the verdicts on the text before it.
func TestUpdate_ByStrangerIsRefusedAfterTwoVerdicts(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.verdict(1, e, wire.VerdictAccurate)
	b.must(3, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("better")})
	two := uint32(2)
	b.must(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &two})
	b.verdict(2, e, wire.VerdictAccurate)
	b.refused(4, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("better")}, codeCF, "verified")
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("mine")})
	b.must(4, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("better")}) // nobody has verified that text
}

func TestWrites_EightPerCycle(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	for range maxWrites - 1 {
		b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("next")})
	}
	b.refused(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("next")}, codeQE, "rate")
	b.refused(0, draft("another"), codeQE, "rate")
	b.end(1)
	b.at(512)
	b.must(0, draft("another"))
}

func TestUpdate_Refusals(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.refused(0, &wire.EntryUpdate{EntryID: wire.Hash{9}, NewBody: wire.TextBody("x")}, codeNF, "entry")
	b.refused(0, &wire.EntryUpdate{EntryID: e, NewBody: []byte{1}}, codeIR, "new_body")
	nine := uint32(9)
	b.refused(0, &wire.EntryGet{EntryID: e, Version: &nine}, codeNF, "version")
	b.refused(0, &wire.EntryGet{EntryID: wire.Hash{9}}, codeNF, "entry")
}

func TestCompleteness_CountsBlockKindsAlsoNested(t *testing.T) {
	nested := []wire.ContentBlock{section("s",
		text("p"), text("q"), definition("t", "m"), section("s2", warning(wire.WarningLevelNote, "w")))}
	for want, list := range map[float64][]wire.ContentBlock{
		0.2: {text("a"), text("b")},
		0.8: nested,
		1:   append(nested, exampleBlocks()...),
	} {
		if got := completeness(list); float64(got) < want-1e-6 || float64(got) > want+1e-6 {
			t.Errorf("completeness %v, want %v", got, want)
		}
	}
}
