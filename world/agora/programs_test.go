package agora

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// fakeForge is a Forge whose answer to every check is set by the test.
type fakeForge struct {
	world.Forge
	passes  bool
	refuses *world.Refusal
	// unreadable is why tests of new bounties are refused; read counts how often they were read, and charged is what
	// reading them took.
	unreadable *world.Refusal
	read       int
	charged    []uint64
	checked    []world.Submission
	had        []any // what was prepared for each
}

func (w *fakeForge) CheckTask(_ wire.Tick, seat int, work world.Submission) world.Task {
	return world.Task{Seats: []int{seat}, Run: func(world.Answer) []any { return []any{work} }}
}

func (w *fakeForge) Check(_ *world.Context, prepared any, work world.Submission) (*wire.FailedCheck, *world.Refusal) {
	w.checked, w.had = append(w.checked, work), append(w.had, prepared)
	if w.refuses != nil || w.passes {
		return nil, w.refuses
	}
	c := &work.Checks[0]
	return &wire.FailedCheck{Requirement: c.Place, Kind: wire.RequirementKindMustPassTests, Program: []byte("test"), Line: 3, Why: []byte("no")}, nil
}

func (w *fakeForge) ReadTask(_ wire.Tick, request *world.Request, programs []wire.Hash) world.Task {
	return world.Task{Seats: []int{request.Seat}, Run: func(world.Answer) []any { return []any{programs} }}
}

func (w *fakeForge) ReadCost(*world.Context, string, []wire.Hash) (uint64, *world.Refusal) {
	w.read++
	return 5, w.unreadable
}

func (w *fakeForge) Charge(a wire.AgentID, ticks uint64) { w.charged = append(w.charged, ticks) }

// programLab is a lab with a Forge and a Vault that holds one snap, and a bounty of agent 1 for a
// program with more requirements, claimed by agent 2.
func programLab(t *testing.T, more ...wire.BountyRequirement) (l *lab, w *fakeForge, bounty, snap wire.Hash) {
	l, w, snap = newLab(t), &fakeForge{}, wire.Hash{0x5A}
	l.d.forge = w
	l.d.code = &fakeVault{objects: map[wire.Hash]bool{snap: true}, author: agent(2)}
	bounty = l.must(agent(1), &wire.BountyCreate{
		Title: []byte("t"), Reward: 40, Difficulty: wire.DifficultyEasy,
		Requirements: append([]wire.BountyRequirement{mustPass(wire.Hash{7}, nil), mustCompile("lib.star")}, more...),
	})
	l.must(agent(2), &wire.BountyClaim{BountyID: bounty})
	return l, w, bounty, snap
}

func mustCompile(path string) wire.BountyRequirement {
	return wire.BountyRequirement{Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{Path: &path})}
}

func mustPass(test wire.Hash, ticks *uint64) wire.BountyRequirement {
	return wire.BountyRequirement{Kind: wire.RequirementKindMustPassTests, Params: wire.MustPassTestsCodec.Append(nil, &wire.MustPassTests{Test: test, Ticks: ticks})}
}

func TestPrograms_PassingSubmissionIsPaidAtOnce(t *testing.T) {
	l, w, bounty, snap := programLab(t)
	w.passes = true
	submit := &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap}
	tasks := l.d.Prepare(l.c.Tick, []world.Request{{Seat: 3, Source: agent(2), Payload: submit}})
	if len(tasks) != 1 || !cmp.Equal(tasks[0].Seats, []int{3}) {
		t.Fatalf("tasks %+v", tasks)
	}
	want := world.Submission{Claimer: agent(2), Snap: snap, Checks: []world.ProgramCheck{
		{Path: []byte("lib.star"), Test: &wire.Hash{7}, Ticks: 500}, // tests are bound to what has to compile
		{Place: 1, Path: []byte("lib.star"), Ticks: 100},
	}}
	l.c.Prepared = tasks[0].Run(world.Answer{})[0]
	l.must(agent(2), submit)
	if d := cmp.Diff([]world.Submission{want}, w.checked); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]any{want}, w.had); d != "" {
		t.Error("what was prepared did not reach Forge: " + d)
	}
	l.status(bounty, wire.BountyStatusCompleted)
	if got := l.bank.paid[agent(2)]; got != 40 {
		t.Errorf("paid %d ⚡, want 40", got)
	}
}

// Only a snap that the claimer submits is run ahead of the commit.
func TestPrograms_OnlyClaimersSnapIsPrepared(t *testing.T) {
	l, _, bounty, snap := programLab(t)
	for _, r := range []world.Request{
		{Source: agent(3), Payload: &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap}},
		{Source: agent(2), Payload: &wire.BountySubmit{BountyID: snap, SubmissionSnap: snap}},
		{Source: agent(2), Payload: &wire.BountySubmit{BountyID: bounty}},
		{Source: agent(2), Payload: &wire.BountyClaim{BountyID: bounty}},
	} {
		if tasks := l.d.Prepare(l.c.Tick, []world.Request{r}); len(tasks) != 0 {
			t.Errorf("%T by %v: %d tasks", r.Payload, r.Source, len(tasks))
		}
	}
}

// What must be refused, or fails before a program is run, is not run ahead of the commit, because nobody is charged for
// it.
func TestPrograms_WhatFailsForLessIsNotPrepared(t *testing.T) {
	kind, count := wire.EntryKindPattern, uint32(1)
	reviewed := wire.BountyRequirement{Kind: wire.RequirementKindMustBeReviewed, Params: wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{})}
	entry := wire.BountyRequirement{
		Kind:   wire.RequirementKindCustom,
		Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &kind, Count: &count}),
	}
	for name, c := range map[string]struct {
		more  []wire.BountyRequirement
		spoil func(l *lab, v *fakeVault, q *wire.BountySubmit)
		tasks int
	}{
		"the claimer's":              {nil, func(*lab, *fakeVault, *wire.BountySubmit) {}, 1},
		"another's":                  {nil, func(_ *lab, v *fakeVault, _ *wire.BountySubmit) { v.author = agent(3) }, 0},
		"not stored":                 {nil, func(_ *lab, _ *fakeVault, q *wire.BountySubmit) { q.SubmissionSnap = wire.Hash{0x5B} }, 0},
		"too late":                   {nil, func(l *lab, _ *fakeVault, q *wire.BountySubmit) { l.c.Tick = l.d.Bounty(q.BountyID).Deadline + 1 }, 0},
		"no Vault":                   {nil, func(l *lab, _ *fakeVault, _ *wire.BountySubmit) { l.d.code = nil }, 0},
		"hidden, but nobody judges":  {nil, func(_ *lab, v *fakeVault, _ *wire.BountySubmit) { v.private = true }, 1},
		"readable for its judge":     {[]wire.BountyRequirement{reviewed}, func(*lab, *fakeVault, *wire.BountySubmit) {}, 1},
		"hidden from its judge":      {[]wire.BountyRequirement{reviewed}, func(_ *lab, v *fakeVault, _ *wire.BountySubmit) { v.private = true }, 0},
		"without the entry it needs": {[]wire.BountyRequirement{entry}, func(*lab, *fakeVault, *wire.BountySubmit) {}, 0},
		"with the entry it needs":    {[]wire.BountyRequirement{entry}, func(l *lab, _ *fakeVault, _ *wire.BountySubmit) { l.shelf.verified[agent(2)] = 1 }, 1},
	} {
		l, _, bounty, snap := programLab(t, c.more...)
		q := &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap}
		c.spoil(l, l.d.code.(*fakeVault), q)
		if tasks := l.d.Prepare(l.c.Tick, []world.Request{{Source: agent(2), Payload: q}}); len(tasks) != c.tasks {
			t.Errorf("%s: %d tasks, want %d", name, len(tasks), c.tasks)
		}
	}
}

func TestPrograms_ThirdFailureEndsTheClaim(t *testing.T) {
	l, w, bounty, snap := programLab(t)
	for _, want := range []wire.BountyStatus{wire.BountyStatusClaimed, wire.BountyStatusClaimed, wire.BountyStatusRejected} {
		l.must(agent(2), &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap})
		l.status(bounty, want)
	}
	if len(w.checked) != 3 {
		t.Errorf("%d checks", len(w.checked))
	}
	l.refused(agent(2), &wire.BountyReview{BountyID: bounty, Verdict: wire.BountyVerdictDispute}, "CONFLICT state")
	l.endCycle()
	l.status(bounty, wire.BountyStatusOpen)
	l.refused(agent(2), &wire.BountyClaim{BountyID: bounty}, "CONFLICT barred")
	// An agent may ask for what nothing passes: who fell for it may work for others.
	l.must(agent(2), claimOf(l.must(agent(1), judgedOffer())))
}

func TestPrograms_SubmissionWithoutSnapIsRefused(t *testing.T) {
	l, w, bounty, _ := programLab(t)
	w.passes = true
	l.refused(agent(2), &wire.BountySubmit{BountyID: bounty}, "NOT_FOUND not_found")
	l.status(bounty, wire.BountyStatusClaimed)
}

// A claimer that lacks the forge ticks for the checks keeps its claim and its tries.
func TestPrograms_MissingForgeTicksCostNoTry(t *testing.T) {
	l, w, bounty, snap := programLab(t)
	w.refuses = &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "cpu_quota", Details: []world.Detail{world.Limit(1000)}}
	l.refused(agent(2), &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap}, "QUOTA_EXCEEDED cpu_quota")
	l.status(bounty, wire.BountyStatusClaimed)
	if n := l.d.Bounty(bounty).Tries; n != 0 {
		t.Errorf("%d tries used", n)
	}
}

func TestPrograms_ChecksComeBeforeReview(t *testing.T) {
	reviewed := wire.BountyRequirement{Kind: wire.RequirementKindMustBeReviewed, Params: wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{})}
	l, w, bounty, snap := programLab(t, reviewed)
	l.must(agent(2), &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap})
	l.status(bounty, wire.BountyStatusClaimed)
	w.passes = true
	l.must(agent(2), &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap})
	l.status(bounty, wire.BountyStatusReviewing)
	l.must(agent(1), &wire.BountyReview{BountyID: bounty, Verdict: wire.BountyVerdictApprove})
	l.status(bounty, wire.BountyStatusCompleted)
}

// A submission that fails without a program being run costs the claimer no forge ticks.
func TestPrograms_EntryChecksComeBeforeProgramChecks(t *testing.T) {
	kind, count := wire.EntryKindPattern, uint32(1)
	l, w, bounty, snap := programLab(t, wire.BountyRequirement{
		Kind:   wire.RequirementKindCustom,
		Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &kind, Count: &count}),
	})
	w.passes = true
	l.must(agent(2), &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap})
	if len(w.checked) != 0 {
		t.Error("a program was run in vain")
	}
	l.shelf.verified[agent(2)] = 1
	l.must(agent(2), &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap})
	l.status(bounty, wire.BountyStatusCompleted)
}

// The tests of a bounty are read after all that can refuse it for less, so that nobody has them read for nothing.
func TestPrograms_TestsOfRefusedBountyAreNotRead(t *testing.T) {
	for name, c := range map[string]struct {
		spoil   func(l *lab, q *wire.BountyCreate)
		want    string
		read    int
		charged []uint64
	}{
		"accepted":      {func(*lab, *wire.BountyCreate) {}, "success", 1, []uint64{5}},
		"no money":      {func(_ *lab, q *wire.BountyCreate) { q.Reward = 10_000 }, "QUOTA_EXCEEDED funds", 0, nil},
		"a hidden test": {func(l *lab, _ *wire.BountyCreate) { l.d.code.(*fakeVault).private = true }, "UNAUTHORIZED read", 0, nil},
		"no specification left": {func(l *lab, _ *wire.BountyCreate) {
			l.d.counters.forUpdate(agent(1)).Text = l.c.Rules.AgoraText
		}, "QUOTA_EXCEEDED text_quota", 0, nil},
	} {
		l, w, _, _ := programLab(t)
		w.read, w.charged = 0, nil
		q := &wire.BountyCreate{
			Title: []byte("t"), Specification: []byte("s"), Reward: 1, Difficulty: wire.DifficultyEasy,
			Requirements: []wire.BountyRequirement{mustPass(wire.Hash{7}, nil)},
		}
		c.spoil(l, q)
		l.refused(agent(1), q, c.want)
		if w.read != c.read || !cmp.Equal(w.charged, c.charged) {
			t.Errorf("%s: read %d times and charged %v, want %d and %v", name, w.read, w.charged, c.read, c.charged)
		}
	}
}

// All checks together may take 1,000 forge ticks, of which MUST_COMPILE takes 100.
func TestPrograms_SumOfChecksIsBounded(t *testing.T) {
	l, _, _, _ := programLab(t)
	for ticks, want := range map[uint64]string{0: "INVALID_REQUEST requirements", 900: "success", 901: "INVALID_REQUEST requirements", 1<<64 - 1: "INVALID_REQUEST requirements"} {
		l.refused(agent(1), &wire.BountyCreate{
			Title: []byte("t"), Reward: 1, Difficulty: wire.DifficultyEasy,
			Requirements: []wire.BountyRequirement{mustCompile("main.star"), mustPass(wire.Hash{7}, &ticks)},
		}, want)
	}
}

// Without a Forge no submission is prepared.
func TestPrograms_NothingIsPreparedWithoutForge(t *testing.T) {
	l, _, bounty, snap := programLab(t)
	l.d.forge = nil
	q := &wire.BountySubmit{BountyID: bounty, SubmissionSnap: snap}
	if tasks := l.d.Prepare(l.c.Tick, []world.Request{{Source: agent(2), Payload: q}}); len(tasks) != 0 {
		t.Errorf("%d tasks", len(tasks))
	}
}
