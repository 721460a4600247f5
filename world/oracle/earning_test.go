package oracle

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// An author's contribution counts with the first verifier whose MERIT pair is free, also after the reward.
func TestVerify_ContributionNeedsAnUnusedPair(t *testing.T) {
	b := newBench(t)
	for i := range 2 {
		b.s.pairs[fmt.Sprint(world.PairMerit, id(i+1), id(0))] = true
	}
	e := b.post(0, draft("title"))
	valued := func() bool { return slices.Contains(b.s.log, "valued 0 by 4") }
	for i := range 2 {
		b.verdict(i+1, e, wire.VerdictAccurate)
	}
	if valued() || !slices.Contains(b.s.log, "entry 10 to 0 by 1 and 2") {
		t.Errorf("pairs that are used up: %v", b.s.log)
	}
	b.verdict(3, e, wire.VerdictAccurate)
	if !valued() {
		t.Errorf("an unused pair after the reward: %v", b.s.log)
	}
}

// If more than two pairs are free at once, the first two approve the reward.
func TestVerify_TwoApproveTheReward(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	for i := range 3 {
		b.s.pairs[fmt.Sprint(world.PairReward, id(i+1), id(0))] = true
		b.verdict(i+1, e, wire.VerdictAccurate)
	}
	clear(b.s.pairs) // long after
	b.verdict(4, e, wire.VerdictAccurate)
	if !slices.Contains(b.s.log, "entry 10 to 0 by 1 and 2") {
		t.Errorf("%v", b.s.log)
	}
}

// An entry that answers a question with a bounty uses up the pairs of its verifiers in place of the reward. If the
// question was found answered, without a bounty, the entry is rewarded like any other.
func TestAnswer_UsesUpThePairs(t *testing.T) {
	for _, bounty := range []*wire.Hash{nil, {7}} {
		b := newBench(t)
		b.gaps.Put(wire.Hash{5}, &Gap{Bounty: bounty})
		q := draft("title")
		q.Entry.References = []wire.Hash{{5}}
		e := b.post(0, q)
		b.verdict(1, e, wire.VerdictAccurate)
		b.verdict(2, e, wire.VerdictAccurate)
		for i := range 2 {
			if used := b.s.pairs[fmt.Sprint(world.PairReward, id(i+1), id(0))]; used != (bounty != nil) {
				t.Errorf("bounty %v: pair %d is used: %t", bounty, i+1, used)
			}
		}
		if rewarded := slices.Contains(b.s.log, "entry 10 to 0 by 1 and 2"); rewarded != (bounty == nil) {
			t.Errorf("bounty %v: rewarded %t", bounty, rewarded)
		}
	}
}

// A question that was found answered stays so, whatever becomes of the entry.
func TestGaps_AnsweredQuestionIsNotAskedAgain(t *testing.T) {
	b := newBench(t)
	b.s.budget = 1000
	b.s.questions = []world.Question{{
		Message: wire.Hash{1}, Asker: id(9), Wanting: []wire.AgentID{id(5), id(6), id(7)}, Topic: []byte("sets"), Tags: [][]byte{[]byte("sets")},
	}}
	e := b.post(0, draft("about sets", "sets"))
	b.verdict(1, e, wire.VerdictAccurate)
	b.s.log = nil
	b.end(1)
	b.at(512)
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("nothing")})
	b.end(2)
	if g := b.gaps.Get(wire.Hash{1}); g == nil || g.Bounty != nil || g.Tick != 511 || len(b.s.log) != 0 {
		t.Errorf("%+v, %v", g, b.s.log)
	}
}

// At most 50·s questions are looked at, and of two that the same three want, one gets a bounty, however many there may be.
func TestGaps_Bounds(t *testing.T) {
	b := newBench(t)
	b.rules.Population, b.s.budget = 16, 1000
	for i := range 101 {
		b.s.questions = append(b.s.questions, world.Question{
			Message: wire.Hash{byte(i + 1)}, Asker: id(0), Wanting: []wire.AgentID{id(1), id(2), id(3)}, Topic: fmt.Append(nil, i), Missing: []wire.Missing{{}},
		})
	}
	if n := len(b.Missing(1)); n != 100 {
		t.Errorf("%d questions are looked at, want 100", n)
	}
	for i := range b.s.questions {
		b.s.questions[i].Missing = nil
	}
	b.s.questions[5].Asker = id(9)
	b.s.questions[6].Asker = id(10)
	b.end(1)
	if d := cmp.Diff([]string{"bounty of 10 for 0", "bounty of 10 for 5"}, b.s.log); d != "" {
		t.Error(d)
	}
}

// Evidence in a peer review, and the note of a rejection, are text that its author is charged for.
func TestTextQuota_OfReviewsAndRejections(t *testing.T) {
	two := uint32(2)
	for over := range uint64(2) {
		for _, tt := range []struct {
			name string
			by   int
			req  func(b *bench) any
		}{
			{"evidence", 2, func(b *bench) any {
				return &wire.EntryVerify{EntryID: b.post(1, hidden("hidden")), Verdict: wire.VerdictAccurate, Evidence: make([]byte, 700)}
			}},
			{"note", 1, func(b *bench) any {
				e := b.post(1, draft("title"))
				b.must(2, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("worse")})
				b.counters.Delete(id(1))
				return &wire.EntryUpdate{EntryID: e, RejectVersion: &two, ChangeNote: make([]byte, 700)}
			}},
		} {
			b := newBench(t)
			req := tt.req(b)
			b.rules.OracleText = 700 - over
			if over == 1 {
				b.refused(tt.by, req, codeQE, "text_quota")
				continue
			}
			b.must(tt.by, req)
			if n := b.counters.Get(id(tt.by)); n == nil || n.Text != 700 {
				t.Errorf("%s: counted %+v, want 700 bytes", tt.name, n)
			}
		}
	}
}

// An entry that was published after the first cycle end grows stale like one before it.
func TestStaleness_EntryPublishedLater(t *testing.T) {
	b := newBench(t)
	tag := wire.Hash{1}
	v := &fakeVault{stored: map[wire.Hash]wire.Tick{tag: 100}}
	b.ages.code = v
	v.outdate(wire.Hash{2})
	b.end(1) // makes the index
	v.overtaken = nil
	b.at(600)
	q := draft("later")
	q.Entry.References = []wire.Hash{tag}
	e := b.post(0, q)
	b.end(2)
	v.outdate(tag)
	b.end(3)
	if got := b.head(e).Freshness; got > 0.9 {
		t.Errorf("freshness %v, want 0.8", got)
	}
}

// Above a similarity of 0.8 a new entry is flagged.
func TestCycleEnd_DuplicateFromAboveEightTenths(t *testing.T) {
	for _, tt := range []struct {
		tags []string // beside a, b and c, of the first and the second
		want int
	}{
		{[]string{"d", "e"}, 1},           // 3 of 5: 0.84
		{[]string{"d", "e", "f", "g"}, 0}, // 3 of 7: 0.77
	} {
		b := newBench(t)
		first := draft("how to count", append([]string{"a", "b", "c"}, tt.tags[1:]...)...)
		b.post(0, first)
		b.end(1)
		b.at(600)
		b.post(1, draft("how to count", "a", "b", "c", tt.tags[0]))
		b.end(2)
		flags := 0
		for _, k := range b.kinds() {
			if k == "duplicate_flagged" {
				flags++
			}
		}
		if flags != tt.want {
			t.Errorf("tags beside the common ones %v: %d flags, want %d", tt.tags, flags, tt.want)
		}
	}
}
