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
	// unreadable is why tests of new bounties are refused; charged is what reading them took.
	unreadable *world.Refusal
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
