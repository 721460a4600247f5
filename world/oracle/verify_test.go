package oracle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
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
		{"nobody has reputation", []v{{wire.VerdictAccurate, 0}, {wire.VerdictOutdated, 0}}, 0.65},
		{"the least weight is 0.1", []v{{wire.VerdictAccurate, 0}, {wire.VerdictInaccurate, 0.1}}, 0.5},
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

func TestVerify_RewardsAuthorOnceAtSecondAccurateVerdict(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.verdict(1, e, wire.VerdictAccurate)
	b.verdict(2, e, wire.VerdictInaccurate)
	b.verdict(3, e, wire.VerdictAccurate)
	b.verdict(4, e, wire.VerdictAccurate)
	want := []string{
		"valued 0 by 4",
		"valued 1 by 1", "entry 10 to 0 by 1 and 3", // agent 3 confirms what agent 1 said, and nobody what agent 2 said
		"valued 3 by 1",
	}
	if d := cmp.Diff(want, b.s.log); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]wire.AgentID{id(1), id(3), id(4)}, b.head(e).VerifiedBy); d != "" {
		t.Error(d)
	}
}

// A new text has no verdicts, and its author and verifiers are not rewarded a second time.
func TestVerify_NewVersionDropsVerdicts(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.verdict(1, e, wire.VerdictAccurate)
	b.verdict(2, e, wire.VerdictAccurate)
	b.refused(1, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictOutdated}, codeCF, "already")
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("two")})
	b.refused(1, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeCF, "changed") // it has read the text before
	b.at(b.c.Tick + 1)
	if h := b.head(e); h.Accuracy != 0 || len(h.VerifiedBy) != 0 {
		t.Errorf("a new text has accuracy %v and %d verifiers, want none", h.Accuracy, len(h.VerifiedBy))
	}
	b.s.log = nil
	b.verdict(1, e, wire.VerdictInaccurate)
	b.verdict(3, e, wire.VerdictAccurate)
	b.verdict(4, e, wire.VerdictAccurate)
	if h := b.head(e); h.Accuracy != float32(det.Quantise(2.0/3)) || len(h.VerifiedBy) != 2 {
		t.Errorf("accuracy %v with %d verifiers, want two of three", h.Accuracy, len(h.VerifiedBy))
	}
	if d := cmp.Diff([]string{"valued 3 by 1"}, b.s.log); d != "" {
		t.Errorf("the entry earned again: %s", d)
	}
}

// An accurate verdict of a verifier whose pair with the author is used up does not count for the reward.
func TestVerify_RewardNeedsTwoUnusedPairs(t *testing.T) {
	b := newBench(t)
	b.s.pairs[fmt.Sprint(world.PairReward, id(1), id(0))] = true
	e := b.post(0, draft("title"))
	b.verdict(1, e, wire.VerdictAccurate)
	b.verdict(2, e, wire.VerdictAccurate)
	if _, ok := b.Answer(id(0), wire.Hash{5}); ok || slices.ContainsFunc(b.s.log, func(s string) bool { return strings.HasPrefix(s, "entry") }) {
		t.Errorf("rewarded by a pair that is used up: %v", b.s.log)
	}
	b.verdict(3, e, wire.VerdictAccurate)
	if !slices.Contains(b.s.log, "entry 10 to 0 by 2 and 3") {
		t.Errorf("not rewarded: %v", b.s.log)
	}
}

// A verification counts for its verifier's reputation once the next agent gives the same verdict: at most four per cycle,
// and each pair once.
func TestVerify_ReputationOncePerPairAndFourPerCycle(t *testing.T) {
	b := newBench(t)
	verified := func(author int, title string, confirmed wire.Verdict) {
		e := b.post(author, draft(title))
		b.verdict(9, e, wire.VerdictAccurate)
		b.verdict(10, e, confirmed)
	}
	for i := range 7 {
		verified(i, "title", wire.VerdictAccurate)
	}
	count := func(of int) (n int) {
		for _, s := range b.s.log {
			if s == fmt.Sprintf("valued %d by 1", of) {
				n++
			}
		}
		return n
	}
	if count(9) != 4 || count(10) != 0 {
		t.Errorf("%d and %d verifications counted in one cycle, want 4 and none of the one who confirmed", count(9), count(10))
	}
	b.end(1)
	b.at(512)
	verified(0, "another", wire.VerdictAccurate)
	if count(9) != 4 {
		t.Error("a pair counted twice")
	}
	verified(8, "another", wire.VerdictInaccurate)
	if count(9) != 4 {
		t.Error("a verdict counted that nobody confirmed")
	}
	verified(8, "a third", wire.VerdictAccurate)
	if count(9) != 5 {
		t.Error("a new cycle counts nothing")
	}
}

// An entry answers a question if two verifiers found it accurate while there was a bounty for it. The bounty is paid
// instead of the reward, and the entry answers for one bounty only.
func TestAnswer_TwoAccurateVerdictsDuringTheBounty(t *testing.T) {
	b := newBench(t)
	q := draft("title")
	q.Entry.References = []wire.Hash{{5}}
	rewards := func() (n int) {
		for _, l := range b.s.log {
			if strings.HasPrefix(l, "entry 10 to ") {
				n++
			}
		}
		return n
	}
	early := b.post(0, q)
	b.verdict(3, early, wire.VerdictAccurate)
	b.verdict(4, early, wire.VerdictAccurate)
	if _, ok := b.Answer(id(0), wire.Hash{5}); ok || rewards() != 1 {
		t.Errorf("what was rewarded before there was a bounty answers: %v; %d rewards", ok, rewards())
	}
	b.gaps.Put(wire.Hash{5}, &Gap{Bounty: &wire.Hash{7}})
	q.Entry.Title = []byte("another")
	e := b.post(0, q)
	b.verdict(1, e, wire.VerdictAccurate)
	if _, ok := b.Answer(id(0), wire.Hash{5}); ok {
		t.Error("one verifier is enough")
	}
	b.verdict(2, e, wire.VerdictAccurate)
	for _, x := range []struct {
		by       int
		question wire.Hash
		want     bool
	}{{0, wire.Hash{5}, true}, {0, wire.Hash{6}, false}, {1, wire.Hash{5}, false}} {
		if got, ok := b.Answer(id(x.by), x.question); ok != x.want || ok && got != e {
			t.Errorf("answer of %d to %v: %v %v", x.by, x.question, got, ok)
		}
	}
	if rewards() != 1 {
		t.Error("it is paid twice")
	}
	b.Fulfil(b.c, e)
	if _, ok := b.Answer(id(0), wire.Hash{5}); ok {
		t.Error("an entry fulfils two bounties")
	}
}

func TestVerify_Refusals(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.refused(1, &wire.EntryVerify{EntryID: wire.Hash{9}, Verdict: wire.VerdictAccurate}, codeNF, "entry")
	b.refused(0, &wire.EntryVerify{EntryID: e, Verdict: wire.VerdictAccurate}, codeUA, "own_entry")
}

func TestVerified_ListsEntriesThatCountForBounties(t *testing.T) {
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
	want := []world.VerifiedEntry{{Entry: late, By: []wire.AgentID{id(1)}}, {Entry: early, By: []wire.AgentID{id(1)}}}
	if diff := cmp.Diff(want, b.Verified(nil, id(0), wire.EntryKindPattern, 0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[:1], b.Verified(nil, id(0), wire.EntryKindPattern, 300)); diff != "" {
		t.Error("since the second: ", diff)
	}
	b.Fulfil(b.c, late)
	if diff := cmp.Diff(want[1:], b.Verified(nil, id(0), wire.EntryKindPattern, 0)); diff != "" {
		t.Error("an entry counts for one bounty: ", diff)
	}
}

func TestEntryZero_IsTheLanguageSpecification(t *testing.T) {
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
	if _, err := decodeBody(h.Body); err != nil || len(h.Body) < 8_000 || len(h.Body) > 65_536 {
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

// Entry #0 tells the prices and periods of the scenario.
func TestEntryZero_TellsTheRulesOfTheScenario(t *testing.T) {
	b := newBench(t)
	b.rules.ChannelFee, b.rules.PairCycles = 17, 29
	b.Genesis(b.c)
	body := string(b.head(EntryZero).Body)
	for _, want := range []string{
		"17 ⚡", "once in 29 cycles", "only the reward comes back", "who has had least so far",
		"\xaechannel_create\xa12\xa217", // the row of the table of actions
	} {
		if !strings.Contains(body, want) {
			t.Errorf("entry #0 does not say %q", want)
		}
	}
}
