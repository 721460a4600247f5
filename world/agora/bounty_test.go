package agora

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// Cast of the bounty tests.
var (
	creator, claimer, other, judge = agent(1), agent(2), agent(3), agent(4)
)

func reviewedBy(n uint32) wire.BountyRequirement {
	return wire.BountyRequirement{
		Kind:   wire.RequirementKindMustBeReviewed,
		Params: wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{MinReviews: &n}),
	}
}

func patterns(n uint32) wire.BountyRequirement {
	return wire.BountyRequirement{
		Kind: wire.RequirementKindCustom,
		Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{
			Check: wire.CheckOracleVerified, Kind: ptr(wire.EntryKindPattern), Count: &n,
		}),
	}
}

func custom() wire.BountyRequirement {
	return wire.BountyRequirement{
		Kind:   wire.RequirementKindCustom,
		Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: "LOOKS_NICE"}),
	}
}

func offerOf(reqs ...wire.BountyRequirement) *wire.BountyCreate {
	return &wire.BountyCreate{
		Title: []byte("work"), Specification: []byte("do it"), Reward: 40,
		Difficulty: wire.DifficultyEasy, Requirements: reqs,
	}
}

// judgedOffer is a bounty that judge alone judges.
func judgedOffer() *wire.BountyCreate {
	q := offerOf()
	q.Reviewers = []wire.AgentID{judge}
	return q
}

func claimOf(id wire.Hash) *wire.BountyClaim   { return &wire.BountyClaim{BountyID: id} }
func submitOf(id wire.Hash) *wire.BountySubmit { return &wire.BountySubmit{BountyID: id} }
func verdictOf(id wire.Hash, v wire.BountyVerdict) *wire.BountyReview {
	return &wire.BountyReview{BountyID: id, Verdict: v}
}

const (
	approve = wire.BountyVerdictApprove
	reject  = wire.BountyVerdictReject
	dispute = wire.BountyVerdictDispute
)

// inState makes a bounty that one approval completes, and brings it to a state.
func (l *lab) inState(s wire.BountyStatus) wire.Hash {
	l.t.Helper()
	id := l.must(creator, judgedOffer())
	steps := map[wire.BountyStatus][]func(){
		wire.BountyStatusClaimed:   {func() { l.must(claimer, claimOf(id)) }},
		wire.BountyStatusReviewing: {func() { l.must(claimer, submitOf(id)) }},
		wire.BountyStatusCompleted: {func() { l.must(judge, verdictOf(id, approve)) }},
		wire.BountyStatusRejected:  {func() { l.must(judge, verdictOf(id, reject)) }},
		wire.BountyStatusDisputed:  {func() { l.must(claimer, verdictOf(id, dispute)) }},
		wire.BountyStatusExpired: {func() {
			l.at(256 * 12)
			l.endCycle()
		}},
	}
	path := map[wire.BountyStatus][]wire.BountyStatus{
		wire.BountyStatusOpen:      {},
		wire.BountyStatusClaimed:   {wire.BountyStatusClaimed},
		wire.BountyStatusReviewing: {wire.BountyStatusClaimed, wire.BountyStatusReviewing},
		wire.BountyStatusCompleted: {wire.BountyStatusClaimed, wire.BountyStatusReviewing, wire.BountyStatusCompleted},
		wire.BountyStatusRejected:  {wire.BountyStatusClaimed, wire.BountyStatusReviewing, wire.BountyStatusRejected},
		wire.BountyStatusDisputed:  {wire.BountyStatusClaimed, wire.BountyStatusReviewing, wire.BountyStatusRejected, wire.BountyStatusDisputed},
		wire.BountyStatusExpired:   {wire.BountyStatusExpired},
	}
	for _, next := range path[s] {
		for _, step := range steps[next] {
			step()
		}
	}
	l.status(id, s)
	l.kinds()
	return id
}

func TestBounty_EveryActionInEveryState(t *testing.T) {
	states := []wire.BountyStatus{
		wire.BountyStatusOpen, wire.BountyStatusClaimed, wire.BountyStatusReviewing, wire.BountyStatusRejected,
		wire.BountyStatusDisputed, wire.BountyStatusCompleted, wire.BountyStatusExpired,
	}
	const (
		state  = "CONFLICT state"
		closed = "CONFLICT not_open"
	)
	for _, tc := range []struct {
		name string
		by   wire.AgentID
		req  func(id wire.Hash) any
		want [7]string // by state; a status when it succeeds
	}{
		{
			"claim", other, func(id wire.Hash) any { return claimOf(id) },
			[7]string{"CLAIMED", closed, closed, closed, closed, closed, closed},
		},
		{
			"claim by the creator", creator, func(id wire.Hash) any { return claimOf(id) },
			[7]string{"UNAUTHORIZED own_bounty", closed, closed, closed, closed, closed, closed},
		},
		{
			"submit", claimer, func(id wire.Hash) any { return submitOf(id) },
			[7]string{state, "REVIEWING", state, state, state, state, state},
		},
		{
			"submit by another", other, func(id wire.Hash) any { return submitOf(id) },
			[7]string{state, "UNAUTHORIZED not_claimer", state, state, state, state, state},
		},
		{
			"approve", judge, func(id wire.Hash) any { return verdictOf(id, approve) },
			[7]string{state, state, "COMPLETED", state, state, state, state},
		},
		{
			"approve by the claimer", claimer, func(id wire.Hash) any { return verdictOf(id, approve) },
			[7]string{state, state, "UNAUTHORIZED not_reviewer", state, state, state, state},
		},
		{
			"reject", judge, func(id wire.Hash) any { return verdictOf(id, reject) },
			[7]string{state, state, "REJECTED", state, state, state, state},
		},
		{
			"release", claimer, func(id wire.Hash) any { return verdictOf(id, reject) },
			[7]string{state, "OPEN", "UNAUTHORIZED not_reviewer", state, state, state, state},
		},
		{
			"dispute", claimer, func(id wire.Hash) any { return verdictOf(id, dispute) },
			[7]string{state, state, state, "DISPUTED", state, state, state},
		},
		{
			"dispute by another", other, func(id wire.Hash) any { return verdictOf(id, dispute) },
			[7]string{state, state, state, "UNAUTHORIZED not_claimer", state, state, state},
		},
	} {
		for i, s := range states {
			t.Run(tc.name+" when "+s.String(), func(t *testing.T) {
				l := newLab(t)
				id := l.inState(s)
				got := ""
				if r := l.send(tc.by, tc.req(id)); r.Err != nil {
					got = r.Err.Category + " " + string(r.Err.Message)
				} else {
					got = l.d.Bounty(id).Status.String()
				}
				if got != tc.want[i] {
					t.Errorf("got %s, want %s", got, tc.want[i])
				}
			})
		}
	}
	l := newLab(t)
	l.refused(other, claimOf(wire.Hash{1}), "NOT_FOUND not_found")
	l.refused(other, submitOf(wire.Hash{1}), "NOT_FOUND not_found")
	l.refused(other, verdictOf(wire.Hash{1}, approve), "NOT_FOUND not_found")
}

func TestBounty_EventsAndPaymentsFromCreationToEnd(t *testing.T) {
	l := newLab(t)
	l.kinds()
	id := l.must(creator, offerOf(reviewedBy(2))) // the creator judges: no number of others does
	l.wantEvents("bounty_created", "channel_created", "message_posted")
	if got := l.bank.funds[creator]; got != 1000-42 {
		t.Errorf("creator has %d ⚡ left, want 958: 40 and 5 %% of them are locked", got)
	}
	e := l.bank.escrows[world.Derived("escrow:", id)]
	if !e.Bounty || e.Tax != 2 || e.Deadline != 256+2560+8192 {
		t.Errorf("escrow %+v: want a bounty's, tax 2, 8192 ticks after the deadline", e)
	}
	said := l.d.Message(world.Derived("announcement:", id))
	got, err := wire.ReadContent(l.d.archive.messages.Get(uint64(l.d.archive.find(said.ID).number)).Content)
	if err != nil || *got.Type != "bounty" || *got.BountyID != id || *got.Reward != 40 || *got.Deadline != 2816 || string(*got.Title) != "work" {
		t.Errorf("announcement %+v, %v", got, err)
	}
	if said.Channel != wire.ChannelID("bounties") || said.Author != me {
		t.Errorf("announced in %v by %v", said.Channel, said.Author)
	}
	if ch := l.d.Channel(world.Derived("channel:", id)); ch == nil || ch.Kind != wire.ChannelKindBounty {
		t.Errorf("channel of the bounty: %+v", ch)
	}
	l.must(claimer, claimOf(id))
	l.wantEvents("bounty_claimed")
	if r := l.send(claimer, submitOf(id)); r.Body.(*wire.BountySubmitAck).Status != wire.BountyStatusReviewing {
		t.Errorf("reply %+v", r)
	}
	l.wantEvents("bounty_submitted")
	l.refused(judge, verdictOf(id, approve), "UNAUTHORIZED not_reviewer")
	l.c.Events = nil
	l.must(creator, verdictOf(id, approve))
	if p := l.c.Events[0].Parent; p == nil {
		t.Error("bounty_completed has no parent, want the submission")
	}
	l.wantEvents("bounty_completed")
	l.status(id, wire.BountyStatusCompleted)
	if l.bank.paid[claimer] != 40 {
		t.Errorf("claimer was paid %d ⚡, want 40", l.bank.paid[claimer])
	}
	if open, done := l.d.Totals(); open != 0 || done != 1 {
		t.Errorf("totals %d open, %d completed; want 0 and 1", open, done)
	}
}

func TestBountyCreate_Refusals(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(q *wire.BountyCreate)
		want string
	}{
		{"no title", func(q *wire.BountyCreate) { q.Title = nil }, "INVALID_REQUEST title"},
		{"no reward", func(q *wire.BountyCreate) { q.Reward = 0 }, "INVALID_REQUEST reward"},
		{"more than the balance", func(q *wire.BountyCreate) { q.Reward = 1001 }, "QUOTA_EXCEEDED funds"},
		{"more than the balance with the fee", func(q *wire.BountyCreate) { q.Reward = 1000 }, "QUOTA_EXCEEDED funds"},
		{"a reward that overflows", func(q *wire.BountyCreate) { q.Reward = 1<<64 - 1 }, "QUOTA_EXCEEDED funds"},
		{"past deadline", func(q *wire.BountyCreate) { q.Deadline = 256 }, "INVALID_REQUEST deadline"},
		{"far deadline", func(q *wire.BountyCreate) { q.Deadline = 256 + 25_601 }, "INVALID_REQUEST deadline"},
		{"unknown reviewer", func(q *wire.BountyCreate) { q.Reviewers = []wire.AgentID{{0xFF}} }, "INVALID_REQUEST reviewers"},
		{"reviewer twice", func(q *wire.BountyCreate) { q.Reviewers = []wire.AgentID{judge, judge} }, "INVALID_REQUEST reviewers"},
		{"17 reviewers", func(q *wire.BountyCreate) { q.Reviewers = bigList(17) }, "INVALID_REQUEST too_many"},
		{"program must compile", func(q *wire.BountyCreate) {
			q.Requirements = []wire.BountyRequirement{{Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{})}}
		}, "INVALID_REQUEST no_forge"},
		{"program must pass tests", func(q *wire.BountyCreate) {
			q.Requirements = []wire.BountyRequirement{{
				Kind: wire.RequirementKindMustPassTests, Params: wire.MustPassTestsCodec.Append(nil, &wire.MustPassTests{}),
			}}
		}, "INVALID_REQUEST no_forge"},
		{"params are no map", func(q *wire.BountyCreate) {
			q.Requirements = []wire.BountyRequirement{{Kind: wire.RequirementKindMustBeReviewed, Params: []byte{1}}}
		}, "INVALID_REQUEST bad_body"},
		{"zero reviews", func(q *wire.BountyCreate) { q.Requirements = []wire.BountyRequirement{reviewedBy(0)} }, "INVALID_REQUEST requirements"},
		{"zero entries", func(q *wire.BountyCreate) { q.Requirements = []wire.BountyRequirement{patterns(0)} }, "INVALID_REQUEST requirements"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			q := offerOf()
			tc.edit(q)
			l.refused(creator, q, tc.want)
		})
	}
	l := newLab(t)
	l.crowd.status[agent(9)] = wire.StatusDead
	dead := offerOf()
	dead.Reviewers = []wire.AgentID{agent(9)}
	l.refused(creator, dead, "INVALID_REQUEST reviewers")
	for i := range maxOpen {
		a := agent(byte(i/maxCreated + 20))
		l.bank.funds[a], l.crowd.status[a] = 1000, wire.StatusActive
		l.must(a, &wire.BountyCreate{Title: []byte("x"), Reward: 1, Difficulty: wire.DifficultyEasy})
	}
	l.refused(creator, offerOf(), "QUOTA_EXCEEDED too_many_open")
}

func TestBountyCreate_AtMost32Unfinished(t *testing.T) {
	l := newLab(t)
	cheap := &wire.BountyCreate{Title: []byte("x"), Reward: 1, Difficulty: wire.DifficultyEasy, Reviewers: []wire.AgentID{judge}}
	first := l.must(creator, cheap)
	for range maxCreated - 1 {
		l.must(creator, cheap)
	}
	l.refused(creator, cheap, "QUOTA_EXCEEDED too_many_open")
	l.must(claimer, claimOf(first))
	l.must(claimer, submitOf(first))
	l.refused(creator, cheap, "QUOTA_EXCEEDED too_many_open") // it is not finished yet
	l.must(judge, verdictOf(first, approve))
	l.must(creator, cheap)
}

func TestClaim_RefusedForLimitExpiryAndBar(t *testing.T) {
	l := newLab(t)
	var ids []wire.Hash
	for range 3 {
		ids = append(ids, l.must(creator, judgedOffer()))
	}
	l.must(claimer, claimOf(ids[0]))
	l.must(claimer, claimOf(ids[1]))
	l.must(claimer, submitOf(ids[1])) // in review it still counts
	l.refused(claimer, claimOf(ids[2]), "CONFLICT claim_limit")
	l.must(claimer, verdictOf(ids[0], reject)) // release
	l.refused(claimer, claimOf(ids[0]), "CONFLICT barred")
	l.must(claimer, claimOf(ids[2])) // released within its cycle, it bars from no other
	l.at(256 + 2560 + 1)
	l.refused(other, claimOf(ids[0]), "CONFLICT expired")
	l.refused(claimer, submitOf(ids[2]), "CONFLICT expired")
	l.must(judge, verdictOf(ids[1], approve)) // a verdict comes at any time
	l.status(ids[1], wire.BountyStatusCompleted)
}

// TestClaim_BarredAfterEachWayToEndAClaim: each way in which a claim made in cycle 1 can end, and until
// which cycle its claimer is kept from this bounty and from all.
func TestClaim_BarredAfterEachWayToEndAClaim(t *testing.T) {
	for _, tc := range []struct {
		name       string
		offer      *wire.BountyCreate
		end        func(l *lab, id wire.Hash) // from the first tick of cycle 1
		this, free wire.Cycle
	}{
		{"released at once", judgedOffer(), func(l *lab, id wire.Hash) {
			l.must(claimer, verdictOf(id, reject))
		}, 17, 0},
		{"released in the third cycle", judgedOffer(), func(l *lab, id wire.Hash) {
			l.at(3 * 256)
			l.must(claimer, verdictOf(id, reject))
		}, 19, 5},
		{"lease ran out", judgedOffer(), func(l *lab, id wire.Hash) {
			for range 5 {
				l.endCycle()
			}
		}, 21, 13},
		{"third check failed", offerOf(patterns(1)), func(l *lab, id wire.Hash) {
			for range 3 {
				l.must(claimer, submitOf(id))
			}
			l.status(id, wire.BountyStatusRejected)
			l.refused(claimer, verdictOf(id, dispute), "CONFLICT state") // a machine is not disputed
			l.endCycle()
		}, 17, 9},
		{"rejected by the judge", judgedOffer(), func(l *lab, id wire.Hash) {
			l.must(claimer, submitOf(id))
			l.must(judge, verdictOf(id, reject))
			l.endCycle()
			l.status(id, wire.BountyStatusRejected)
			l.endCycle()
		}, 18, 3},
		{"dispute lost", judgedOffer(), func(l *lab, id wire.Hash) {
			l.must(claimer, submitOf(id))
			l.must(judge, verdictOf(id, reject))
			l.must(claimer, verdictOf(id, dispute))
			l.d.DisputeDecided(l.c, id, wire.ProposalStatusFailed)
		}, 17, 9},
		{"fell asleep", judgedOffer(), func(l *lab, id wire.Hash) {
			l.at(2 * 256)
			l.d.AgentLeft(l.c, claimer, wire.StatusDormant)
		}, 18, 3},
		{"undecided", judgedOffer(), func(l *lab, id wire.Hash) {
			l.must(claimer, submitOf(id))
			l.crowd.status[judge] = wire.StatusDormant
			for range 16 {
				l.endCycle()
				l.status(id, wire.BountyStatusReviewing)
			}
			l.endCycle()
		}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			tc.offer.Deadline = 100 * 256
			id, next := l.must(creator, tc.offer), l.must(creator, tc.offer)
			l.must(claimer, claimOf(id))
			tc.end(l, id)
			l.status(id, wire.BountyStatusOpen)
			try := func(id wire.Hash, bar wire.Cycle, what string) {
				if now := l.c.Rules.Calendar.Cycle(l.c.Tick); bar > now {
					l.at(wire.Tick(256*bar) - 1)
					l.refused(claimer, claimOf(id), "CONFLICT barred")
					l.at(wire.Tick(256 * bar))
				}
				if r := l.send(claimer, claimOf(id)); r.Err != nil {
					t.Errorf("claim of %s in cycle %d: %s", what, l.c.Cycle, r.Err.Message)
				}
			}
			try(next, tc.free, "another bounty")
			l.must(claimer, verdictOf(next, reject))
			try(id, tc.this, "the same bounty")
		})
	}
}

func TestClaim_FailedChecksDoNotRenewTheLease(t *testing.T) {
	l := newLab(t)
	q := offerOf(patterns(1))
	q.Deadline = 100 * 256
	id := l.must(creator, q)
	l.at(300)
	l.must(claimer, claimOf(id)) // in cycle 1
	for range 4 {                // ends of cycles 1 to 4
		l.endCycle()
		l.status(id, wire.BountyStatusClaimed)
	}
	l.must(claimer, submitOf(id))
	l.must(claimer, submitOf(id)) // two failed checks in cycle 5
	l.kinds()
	l.endCycle()
	l.status(id, wire.BountyStatusOpen)
	l.wantEvents("bounty_reopened")
	l.refused(claimer, claimOf(id), "CONFLICT barred")
	l.must(other, claimOf(id))
	if b := l.d.Bounty(id); b.Tries != 0 || b.Claim != 2 {
		t.Errorf("%d tries in claim %d; want none in claim 2", b.Tries, b.Claim)
	}
}

// An agent that claims whenever it may and delivers nothing holds the bounty at 12 of 60 cycle ends at most.
func TestClaim_SquatterHoldsAtMostAFifthOfTheTime(t *testing.T) {
	l := newLab(t)
	q := judgedOffer()
	q.Deadline = 100 * 256
	id := l.must(creator, q)
	held := 0
	for range 60 {
		l.send(claimer, claimOf(id))
		if l.endCycle(); l.d.Bounty(id).Claimer != nil {
			held++
		}
	}
	if held > 12 {
		t.Errorf("held at %d of 60 cycle ends, want 12 at most", held)
	}
}

func TestSubmit_ThirdFailedCheckEndsTheClaim(t *testing.T) {
	l := newLab(t)
	id := l.must(creator, offerOf(patterns(3)))
	l.must(claimer, claimOf(id))
	l.shelf.verified[claimer] = 2
	for i, want := range []wire.BountyStatus{wire.BountyStatusClaimed, wire.BountyStatusClaimed, wire.BountyStatusRejected} {
		if got := l.send(claimer, submitOf(id)).Body.(*wire.BountySubmitAck).Status; got != want {
			t.Fatalf("try %d: %v, want %v", i+1, got, want)
		}
	}
	l.kinds()
	l.endCycle()
	l.status(id, wire.BountyStatusOpen)
	l.wantEvents("bounty_reopened")
	l.must(other, claimOf(id))
	l.shelf.verified[other] = 3
	l.must(other, submitOf(id))
	l.status(id, wire.BountyStatusCompleted)
}

func TestSubmit_SnapMustBeStoredReadableAndOwn(t *testing.T) {
	l := newLab(t)
	id := l.must(creator, judgedOffer())
	l.must(claimer, claimOf(id))
	q := &wire.BountySubmit{BountyID: id, SubmissionSnap: wire.Hash{8}}
	l.refused(claimer, q, "NOT_FOUND not_found")
	l.d.code = &fakeVault{objects: map[wire.Hash]bool{{8}: true}}
	l.refused(claimer, q, "UNAUTHORIZED not_author")
	l.d.code = &fakeVault{objects: map[wire.Hash]bool{{8}: true}, author: claimer, private: true}
	l.refused(claimer, q, "UNAUTHORIZED read")
	l.d.code = &fakeVault{objects: map[wire.Hash]bool{{8}: true}, author: claimer}
	l.must(claimer, q)
}

func TestBountyReview_VerdictsThatDecide(t *testing.T) {
	type vote struct {
		by   wire.AgentID
		v    wire.BountyVerdict
		want string
	}
	const stranger = "UNAUTHORIZED not_reviewer"
	a, b, c := agent(4), agent(5), agent(6)
	for _, tc := range []struct {
		name      string
		reqs      []wire.BountyRequirement
		reviewers []wire.AgentID
		submitted string
		votes     []vote
	}{
		{"only Oracle checks: no judge", []wire.BountyRequirement{patterns(1)}, nil, "COMPLETED", nil},
		{"nothing is checked: the creator judges", nil, nil, "REVIEWING", []vote{{a, approve, stranger}, {creator, approve, "COMPLETED"}}},
		{
			"others may not approve in the creator's place",
			[]wire.BountyRequirement{reviewedBy(2)},
			nil, "REVIEWING",
			[]vote{{a, approve, stranger}, {b, approve, stranger}, {creator, reject, "REJECTED"}},
		},
		{
			"others may not reject in the creator's place",
			[]wire.BountyRequirement{reviewedBy(2)},
			nil, "REVIEWING",
			[]vote{{a, reject, stranger}, {creator, approve, "COMPLETED"}},
		},
		{
			"Oracle checks and the creator judges",
			[]wire.BountyRequirement{patterns(1), custom()},
			nil, "REVIEWING",
			[]vote{{creator, approve, "COMPLETED"}},
		},
		{
			"all listed must approve", nil,
			[]wire.AgentID{a, b},
			"REVIEWING",
			[]vote{{c, approve, stranger}, {creator, approve, stranger}, {a, approve, "REVIEWING"}, {b, approve, "COMPLETED"}},
		},
		{
			"all listed reviewers answer after one rejection",
			[]wire.BountyRequirement{reviewedBy(2)},
			[]wire.AgentID{a, b},
			"REVIEWING",
			[]vote{{a, reject, "REVIEWING"}, {a, approve, "CONFLICT already"}, {b, approve, "REJECTED"}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			q := offerOf(tc.reqs...)
			q.Reviewers = tc.reviewers
			id := l.must(creator, q)
			l.shelf.verified[claimer] = 1
			l.must(claimer, claimOf(id))
			if got := l.send(claimer, submitOf(id)).Body.(*wire.BountySubmitAck).Status.String(); got != tc.submitted {
				t.Fatalf("submitted: %s, want %s", got, tc.submitted)
			}
			for i, v := range tc.votes {
				got := ""
				if r := l.send(v.by, verdictOf(id, v.v)); r.Err != nil {
					got = r.Err.Category + " " + string(r.Err.Message)
				} else {
					got = l.d.Bounty(id).Status.String()
				}
				if got != v.want {
					t.Fatalf("verdict %d: %s, want %s", i+1, got, v.want)
				}
			}
		})
	}
}

// If no judge is left, every agent may judge, and the majority at the end of the cycle decides.
func TestOpenReview_MajorityAtCycleEndDecides(t *testing.T) {
	for _, tc := range []struct {
		name  string
		least uint32
		votes string // of agents 4, 5, …: + approves, - refuses
		want  wire.BountyStatus
	}{
		{"nobody", 1, "", wire.BountyStatusReviewing},
		{"one approves", 1, "+", wire.BountyStatusReviewing},
		{"one rejects", 1, "-", wire.BountyStatusReviewing},
		{"two approve", 1, "++", wire.BountyStatusCompleted},
		{"two reject", 1, "--", wire.BountyStatusRejected},
		{"a tie", 1, "++--", wire.BountyStatusReviewing},
		{"two approve, one rejects", 1, "+-+", wire.BountyStatusCompleted},
		{"fewer than asked for", 3, "++", wire.BountyStatusReviewing},
		{"as many as asked for", 3, "+++", wire.BountyStatusCompleted},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			q := offerOf(reviewedBy(tc.least))
			q.Deadline = 100 * 256
			id := l.must(creator, q)
			l.must(claimer, claimOf(id))
			l.must(claimer, submitOf(id))
			l.crowd.status[creator] = wire.StatusDead
			l.d.AgentLeft(l.c, creator, wire.StatusDead)
			l.refused(claimer, verdictOf(id, approve), "UNAUTHORIZED not_reviewer")
			for i, v := range tc.votes {
				verdict := approve
				if v == '-' {
					verdict = reject
				}
				l.must(agent(byte(4+i)), verdictOf(id, verdict))
				l.status(id, wire.BountyStatusReviewing)
			}
			l.endCycle()
			l.status(id, tc.want)
		})
	}
}

// A judge cannot decide one claimer's bounties again and again.
func TestOpenReview_PairOfJudgeAndClaimerCountsOnce(t *testing.T) {
	l := newLab(t)
	var ids []wire.Hash
	for range 2 {
		id := l.must(creator, offerOf())
		l.must(claimer, claimOf(id))
		l.must(claimer, submitOf(id))
		ids = append(ids, id)
	}
	l.crowd.status[creator] = wire.StatusDead
	l.d.AgentLeft(l.c, creator, wire.StatusDead)
	if n := len(l.d.AppendReviews(nil, judge, l.c.Tick)); n != 2 {
		t.Errorf("%d reviews are shown, want 2", n)
	}
	l.must(judge, verdictOf(ids[0], approve))
	l.refused(judge, verdictOf(ids[1], approve), "CONFLICT pair_used")
	if n := len(l.d.AppendReviews(nil, judge, l.c.Tick)); n != 0 {
		t.Errorf("%d reviews are shown although the pair is used up", n)
	}
}

// A judge that was awake at eight cycle ends without a verdict approves. Cycles asleep do not count.
func TestJudge_EightSilentCyclesApprove(t *testing.T) {
	l := newLab(t)
	id := l.must(creator, judgedOffer()) // its deadline is in cycle 11
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	for i := range 9 {
		l.crowd.status[judge] = wire.StatusActive
		if i == 3 {
			l.crowd.status[judge] = wire.StatusDormant // cycles asleep are not counted as silence
		}
		l.status(id, wire.BountyStatusReviewing)
		l.endCycle()
	}
	l.status(id, wire.BountyStatusCompleted)
	if l.bank.paid[claimer] != 40 {
		t.Errorf("the claimer was paid %d ⚡, want 40", l.bank.paid[claimer])
	}
}

// A verdict given before death counts; the silence of a DEAD judge does not.
func TestJudge_DeadJudgesVerdictCountsSilenceDoesNot(t *testing.T) {
	l := newLab(t)
	q := offerOf()
	q.Reviewers = []wire.AgentID{judge, other}
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.must(judge, verdictOf(id, approve))
	for _, a := range q.Reviewers {
		l.crowd.status[a] = wire.StatusDead
		l.d.AgentLeft(l.c, a, wire.StatusDead)
	}
	l.endCycle()
	l.status(id, wire.BountyStatusCompleted)
}

// Otherwise the only reviewer could claim the work and be paid for it without a review.
func TestClaim_ListedReviewerIsRefused(t *testing.T) {
	for _, reqs := range [][]wire.BountyRequirement{nil, {reviewedBy(1)}, {patterns(1)}} {
		l := newLab(t)
		q := offerOf(reqs...)
		q.Reviewers = []wire.AgentID{judge}
		id := l.must(creator, q)
		if v := l.d.views.appendOpen(nil, judge, 256)[0]; !v.Barred {
			t.Error("the view offers it to its reviewer")
		}
		l.refused(judge, claimOf(id), "UNAUTHORIZED own_bounty")
		l.must(claimer, claimOf(id))
	}
}

func TestClaim_RejecterIsRefused(t *testing.T) {
	l := newLab(t)
	q := judgedOffer()
	q.Deadline = 100 * 256
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.must(judge, verdictOf(id, reject))
	l.at(256 * 3)
	l.endCycle()
	l.status(id, wire.BountyStatusOpen)
	l.at(256 * 60)
	l.crowd.status[other] = wire.StatusActive
	l.refused(judge, claimOf(id), "UNAUTHORIZED own_bounty")
	if !l.d.board.bars.hasRejected(id, judge) {
		t.Error("the bar of a rejecter is gone")
	}
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.must(judge, verdictOf(id, approve)) // one verdict per claim
	l.status(id, wire.BountyStatusCompleted)
}

func TestDispute(t *testing.T) {
	for _, tc := range []struct {
		name    string
		outcome wire.ProposalStatus
		dead    bool
		want    wire.BountyStatus
		event   string
		paid    uint64
		bond    int64 // ⚡ of the claimer that are gone
	}{
		{"won", wire.ProposalStatusPassed, false, wire.BountyStatusCompleted, "bounty_completed", 40, 0},
		{"lost", wire.ProposalStatusFailed, false, wire.BountyStatusOpen, "bounty_reopened", 0, 5},
		{"nobody voted", wire.ProposalStatusExpired, false, wire.BountyStatusOpen, "bounty_reopened", 0, 0},
		{"won by a dead claimer", wire.ProposalStatusPassed, true, wire.BountyStatusOpen, "bounty_reopened", 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			id := l.inState(wire.BountyStatusRejected)
			l.must(claimer, verdictOf(id, dispute))
			l.wantEvents("bounty_disputed")
			if diff := cmp.Diff([]wire.Hash{id}, l.crowd.proposals); diff != "" {
				t.Errorf("proposals (-want +got):\n%s", diff)
			}
			if s := l.bank.state[world.Derived("escrow:", id)]; s != "disputed" {
				t.Errorf("escrow is %s, want disputed", s)
			}
			if l.bank.locked[claimer] != 5 {
				t.Errorf("%d ⚡ are locked for the dispute, want 5", l.bank.locked[claimer])
			}
			l.at(256 * 20) // long after the deadline: a dispute does not expire
			l.endCycle()
			l.status(id, wire.BountyStatusDisputed)
			if tc.dead {
				l.crowd.status[claimer] = wire.StatusDead
			}
			l.kinds()
			l.d.DisputeDecided(l.c, id, tc.outcome)
			l.status(id, tc.want)
			l.wantEvents(tc.event)
			if l.bank.paid[claimer] != tc.paid {
				t.Errorf("paid %d ⚡, want %d", l.bank.paid[claimer], tc.paid)
			}
			if got := 1000 + int64(tc.paid) - l.bank.funds[claimer]; got != tc.bond {
				t.Errorf("the dispute cost %d ⚡, want %d", got, tc.bond)
			}
		})
	}
}

func TestDispute_WithoutBondIsRefused(t *testing.T) {
	l := newLab(t)
	id := l.inState(wire.BountyStatusRejected)
	l.bank.funds[claimer] = 4
	l.refused(claimer, verdictOf(id, dispute), "QUOTA_EXCEEDED funds")
}

func TestDispute_WindowIs256Ticks(t *testing.T) {
	for late, want := range []string{"", "CONFLICT state"} {
		l := newLab(t)
		id := l.inState(wire.BountyStatusRejected)
		l.at(256 + 256 + wire.Tick(late))
		if want == "" {
			l.must(claimer, verdictOf(id, dispute))
		} else {
			l.refused(claimer, verdictOf(id, dispute), want)
		}
	}
}

func TestRejected_ReopensAfterExactly256Ticks(t *testing.T) {
	l := newLab(t)
	id := l.must(creator, judgedOffer())
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.at(511) // last tick of cycle 1
	l.must(judge, verdictOf(id, reject))
	l.endCycle()
	l.status(id, wire.BountyStatusRejected)
	l.endCycle() // at tick 767
	l.status(id, wire.BountyStatusOpen)
}

// A bounty that nobody works on expires at its deadline: the reward is refunded, the fee is not. A submitted one is
// decided first, and the time that a failed claim took is added to the deadline.
func TestExpiry_SubmittedBountyIsDecidedFirst(t *testing.T) {
	for _, s := range []wire.BountyStatus{wire.BountyStatusOpen, wire.BountyStatusClaimed, wire.BountyStatusRejected} {
		t.Run(s.String(), func(t *testing.T) {
			l := newLab(t)
			id := l.inState(s)
			l.at(2816) // the deadline is the last good tick
			l.c.CycleEnd(2816)
			l.d.CycleEnd(l.c)
			if now := l.d.Bounty(id).Status; now == wire.BountyStatusExpired {
				t.Fatal("expired at its deadline")
			}
			l.at(2817)
			l.endCycle()
			if s != wire.BountyStatusOpen {
				l.status(id, wire.BountyStatusOpen)
				if got := l.d.Bounty(id).Deadline; got < 2816+2560 {
					t.Errorf("deadline %d: the claim took more than it gave back", got)
				}
				l.at(l.d.Bounty(id).Deadline)
				l.endCycle()
			}
			l.status(id, wire.BountyStatusExpired)
			if l.bank.funds[creator] != 1000-2 {
				t.Errorf("creator has %d ⚡, want 998: the fee is spent", l.bank.funds[creator])
			}
			b := l.d.board
			if len(b.live)+len(b.open)+len(b.openByID)+len(b.claimedBy)+len(b.createdBy)+len(b.verdicts.asked)+len(b.verdicts.ballots)+b.bars.Len()+len(b.bars.barred) != 0 {
				t.Errorf("an expired bounty is still indexed: %+v", b)
			}
		})
	}
	l := newLab(t)
	id := l.inState(wire.BountyStatusReviewing)
	l.crowd.status[judge] = wire.StatusDormant
	l.at(2817)
	l.endCycle()
	l.status(id, wire.BountyStatusReviewing)
	l.at(16 * 256)
	l.endCycle()
	l.status(id, wire.BountyStatusReviewing) // 16 cycles after the one of the submission are up in the next
	l.endCycle()
	l.status(id, wire.BountyStatusOpen) // undecided, and reopened
}

// A failed claim moves the deadline by as long as it lasted, each time, but never beyond the longest life of a bounty.
func TestReopen_ExtendsTheDeadlineByTheTimeOfTheClaim(t *testing.T) {
	l := newLab(t)
	id := l.inState(wire.BountyStatusOpen)
	born, want := l.d.Bounty(id).CreatedAt, l.d.Bounty(id).Deadline
	for i := range 3 {
		who := []wire.AgentID{claimer, other, agent(5)}[i]
		l.at(wire.Tick(600 + 1000*i))
		l.must(who, claimOf(id))
		l.at(l.c.Tick + 300)
		l.must(who, verdictOf(id, reject))
		if want += 300; l.d.Bounty(id).Deadline != want {
			t.Errorf("deadline %d after %d claims in vain, want %d", l.d.Bounty(id).Deadline, i+1, want)
		}
	}
	l.d.board.edit(id, func(b *Bounty) { b.Deadline = born + maxDeadline - 100 })
	l.at(born + maxDeadline - 400)
	l.must(claimer, claimOf(id))
	l.at(l.c.Tick + 200)
	l.must(claimer, verdictOf(id, reject))
	if got := l.d.Bounty(id).Deadline; got != born+maxDeadline {
		t.Errorf("deadline %d, want %d and no later", got, born+maxDeadline)
	}
}

func TestAgentLeft_ReopensClaimedAndExpiresOpenBounties(t *testing.T) {
	l := newLab(t)
	claimed := l.inState(wire.BountyStatusClaimed)
	reviewing := l.inState(wire.BountyStatusReviewing)
	open := l.must(claimer, judgedOffer())
	held := l.must(claimer, judgedOffer())
	l.must(other, claimOf(held))
	l.kinds()
	l.d.AgentLeft(l.c, claimer, wire.StatusDormant)
	l.status(claimed, wire.BountyStatusOpen)
	l.status(reviewing, wire.BountyStatusReviewing) // what it submitted is judged while it sleeps
	l.status(open, wire.BountyStatusOpen)
	l.wantEvents("bounty_reopened")
	l.d.AgentLeft(l.c, claimer, wire.StatusDead)
	l.status(reviewing, wire.BountyStatusOpen)
	l.status(open, wire.BountyStatusExpired)
	l.status(held, wire.BountyStatusClaimed) // claimed ones stay funded
	l.wantEvents("bounty_reopened", "bounty_expired")
}

// The claimer and those who follow the bounty are told what the judges of its outcome wrote, also after a restore.
func TestBountyReview_EventsRepeatWhatJudgesWrote(t *testing.T) {
	said := func(id wire.Hash, v wire.BountyVerdict, text string) *wire.BountyReview {
		return &wire.BountyReview{BountyID: id, Verdict: v, Comments: []byte(text)}
	}
	for _, c := range []struct {
		name    string
		verdict wire.BountyVerdict // of the first judge
		want    []wire.JudgeComment
	}{
		{"rejected", reject, []wire.JudgeComment{{Judge: judge, Comments: bytes.Repeat([]byte("s"), wire.MaxEventText)}}},
		{"completed", approve, []wire.JudgeComment{{Judge: other, Comments: []byte("good")}, {Judge: judge, Comments: bytes.Repeat([]byte("s"), wire.MaxEventText)}}},
	} {
		l := newLab(t)
		q := judgedOffer()
		q.Reviewers = []wire.AgentID{judge, other, creator}
		id := l.must(creator, q)
		l.must(claimer, claimOf(id))
		l.must(claimer, submitOf(id))
		l.must(judge, said(id, c.verdict, strings.Repeat("s", wire.MaxEventText+1)))
		l = l.restored()
		l.must(other, said(id, approve, "good"))
		l.must(creator, said(id, approve, ""))
		var got []wire.JudgeComment
		for _, e := range l.c.Events {
			switch p := e.Payload.(type) {
			case *wire.BountyRejectedEvent:
				got = p.Comments
			case *wire.BountyCompletedEvent:
				got = p.Comments
			}
		}
		slices.SortFunc(c.want, func(a, b wire.JudgeComment) int { return a.Judge.Compare(b.Judge) })
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
