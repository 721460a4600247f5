package mint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

func vote(proposal wire.Hash) []wire.EscrowCondition {
	return []wire.EscrowCondition{{
		Kind: wire.EscrowConditionKindGovernanceVote, Params: wire.VoteConditionCodec.Append(nil, &wire.VoteCondition{ProposalID: proposal}),
	}}
}

// locked opens an escrow of 40 + 2 ⚡ by agent 0 for agent 1 and returns its id.
func (b *bench) locked(conditions ...wire.EscrowCondition) wire.Hash {
	b.t.Helper()
	to := id(1)
	r := b.must(id(0), &wire.EscrowCreate{Amount: 40, Beneficiary: &to, Conditions: conditions, Deadline: 600})
	return r.Body.(*wire.EscrowCreateAck).EscrowID
}

// The beneficiary learns from the event when it can take the money. A long text of a CUSTOM condition is left out of it.
func TestEscrow_EventHoldsConditions(t *testing.T) {
	custom := func(n int) wire.EscrowCondition {
		return wire.EscrowCondition{Kind: wire.EscrowConditionKindCustom, Params: wire.TextContent(strings.Repeat("x", n))}
	}
	b := newBench(t, 8)
	b.locked(append(vote(wire.Hash{7}), custom(wire.MaxEventText-10), custom(wire.MaxEventText))...)
	var got []wire.EscrowCondition
	for _, e := range b.c.Events {
		if p, ok := e.Payload.(*wire.EscrowCreatedEvent); ok {
			got = p.Conditions
		}
	}
	want := append(vote(wire.Hash{7}), custom(wire.MaxEventText-10), wire.EscrowCondition{Kind: wire.EscrowConditionKindCustom, Params: []byte{0x80}})
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestEscrow_ReleasePaysAmountAndTax(t *testing.T) {
	b := newBench(t, 8)
	e := b.locked()
	if got := b.Available(id(0)); got != 58 {
		t.Errorf("available %d, want 58", got)
	}
	b.balances(100, 100)
	b.kinds()
	b.must(id(0), &wire.EscrowRelease{EscrowID: e, Beneficiary: id(1)})
	b.balances(58, 140)
	if got := b.Balance(Treasury); got != 5_002 {
		t.Errorf("treasury %d, want 5002", got)
	}
	if d := cmp.Diff([]string{"escrow_released", "transfer_completed"}, b.kinds()); d != "" {
		t.Error(d)
	}
}

func TestEscrow_RefundGivesTheTaxBack(t *testing.T) {
	b := newBench(t, 8)
	e := b.locked()
	b.must(id(1), &wire.EscrowRefund{EscrowID: e}) // beneficiary: any time
	if got := b.Available(id(0)); got != 100 {
		t.Errorf("available %d, want 100", got)
	}
	e = b.locked()
	b.at(601)
	b.must(id(0), &wire.EscrowRefund{EscrowID: e}) // owner: after the deadline
	e = func() wire.Hash { b.at(300); return b.locked() }()
	b.end(1) // tick 511
	b.CycleEnd(b.c)
	if x, _ := b.Escrow(e); x.Status != wire.EscrowStatusLocked {
		t.Errorf("%v before its deadline", x.Status)
	}
	b.end(2) // tick 767
	b.CycleEnd(b.c)
	if x, _ := b.Escrow(e); x.Status != wire.EscrowStatusRefunded {
		t.Errorf("%v after its deadline", x.Status)
	}
	b.balances(100, 100)
}

func TestEscrow_Conditions(t *testing.T) {
	proposal, review := wire.Hash{5}, wire.Hash{6}
	for _, tt := range []struct {
		name      string
		condition wire.EscrowCondition
		fulfil    func(*bench)
		ok        bool
	}{
		{"vote passed", vote(proposal)[0], func(b *bench) { b.roster.proposals[proposal] = wire.ProposalStatusPassed }, true},
		{"vote failed", vote(proposal)[0], func(b *bench) { b.roster.proposals[proposal] = wire.ProposalStatusFailed }, false},
		{"vote unknown", vote(proposal)[0], func(*bench) {}, false},
		{"review approved", approval(review), func(b *bench) { b.reviews[review] = id(3) }, true},
		{"review approved by another", approval(review), func(b *bench) { b.reviews[review] = id(4) }, false},
		{"review open", approval(review), func(*bench) {}, false},
		{"snap without Vault", wire.EscrowCondition{
			Kind: wire.EscrowConditionKindVaultSnapExists, Params: wire.SnapConditionCodec.Append(nil, &wire.SnapCondition{SnapID: review}),
		}, func(*bench) {}, false},
		{"no proof", proved(wire.ProofCondition{Program: review}), func(*bench) {}, false},
		{"custom is the owner's", wire.EscrowCondition{Kind: wire.EscrowConditionKindCustom, Params: []byte{0x80}}, func(*bench) {}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 8)
			e := b.locked(tt.condition)
			tt.fulfil(b)
			take := &wire.EscrowRelease{EscrowID: e, Beneficiary: id(1)}
			if tt.ok {
				b.must(id(1), take)
				b.balances(58, 140)
				return
			}
			b.refused(id(1), take, codeIR, "conditions")
			b.must(id(0), take)
		})
	}
}

// approval asks for agent 3's APPROVE.
func approval(review wire.Hash) wire.EscrowCondition {
	return wire.EscrowCondition{
		Kind: wire.EscrowConditionKindReviewApproved, Params: wire.ReviewConditionCodec.Append(nil, &wire.ReviewCondition{ReviewID: review, By: id(3)}),
	}
}

func proved(p wire.ProofCondition) wire.EscrowCondition {
	return wire.EscrowCondition{Kind: wire.EscrowConditionKindForgeProof, Params: wire.ProofConditionCodec.Append(nil, &p)}
}

// fakeProofs is a Forge that made one proof.
type fakeProofs wire.ExecutionProof

func (m fakeProofs) Proved(p *wire.ExecutionProof) bool { return *p == wire.ExecutionProof(m) }

// TestEscrow_Proof: a proof that Forge made and that matches all that is asked for. Anybody can
// sign as FORGE_0, so the signature of another is none.
func TestEscrow_Proof(t *testing.T) {
	program, input, output := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	good := wire.ExecutionProof{Program: program, Input: input, Output: output, TicksUsed: 4}
	good.Sign()
	forged := good
	forged.TicksUsed = 5
	forged.Sign()
	for _, tt := range []struct {
		name  string
		want  wire.ProofCondition
		proof []byte
		ok    bool
	}{
		{"program", wire.ProofCondition{Program: program}, wire.ExecutionProofCodec.Append(nil, &good), true},
		{"all three", wire.ProofCondition{Program: program, Input: &input, Output: &output}, wire.ExecutionProofCodec.Append(nil, &good), true},
		{"other program", wire.ProofCondition{Program: input}, wire.ExecutionProofCodec.Append(nil, &good), false},
		{"other input", wire.ProofCondition{Program: program, Input: &output}, wire.ExecutionProofCodec.Append(nil, &good), false},
		{"other output", wire.ProofCondition{Program: program, Output: &input}, wire.ExecutionProofCodec.Append(nil, &good), false},
		{"forged", wire.ProofCondition{Program: program}, wire.ExecutionProofCodec.Append(nil, &forged), false},
		{"bytes", wire.ProofCondition{Program: program}, []byte("proof"), false},
		{"none", wire.ProofCondition{Program: program}, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 8)
			b.escrows.proofs = fakeProofs(good)
			take := &wire.EscrowRelease{EscrowID: b.locked(proved(tt.want)), Beneficiary: id(1), Proof: tt.proof}
			if !tt.ok {
				b.refused(id(1), take, codeIR, "conditions")
				return
			}
			b.must(id(1), take)
			b.balances(58, 140)
		})
	}
}

// TestEscrow_Bounds: so many open ones per owner, so far a deadline.
func TestEscrow_Bounds(t *testing.T) {
	b := newBench(t, 8)
	const now = 256
	b.refused(id(0), &wire.EscrowCreate{Amount: 1, Deadline: now + 25_601}, codeIR, "deadline")
	first := b.must(id(0), &wire.EscrowCreate{Amount: 1, Deadline: now + 25_600, Beneficiary: ptr(id(1))}).Body.(*wire.EscrowCreateAck).EscrowID
	for range 31 {
		b.must(id(0), &wire.EscrowCreate{Amount: 1, Deadline: now + 1})
	}
	r := b.do(id(0), &wire.EscrowCreate{Amount: 1, Deadline: now + 1})
	if r.Err == nil || r.Err.Code != codeQE || string(r.Err.Message) != "too_many_open" {
		t.Fatalf("the 33rd open escrow: %+v", r.Err)
	}
	if limit, _ := r.Err.Context.Get("limit"); string(limit) != "32" {
		t.Errorf("limit %q", limit)
	}
	b.must(id(2), &wire.EscrowCreate{Amount: 1, Deadline: now + 1}) // another owner
	b.must(id(1), &wire.EscrowRefund{EscrowID: first})              // the named beneficiary, at any time
	b.must(id(0), &wire.EscrowCreate{Amount: 1, Deadline: now + 1})
}

// A map in a request is kept in its canonical form.
func TestEscrow_ParamsAreStoredCanonically(t *testing.T) {
	b := newBench(t, 8)
	loose := []byte("\x82\xA1b\xCC\x01\xA1a\x02") // keys out of order, a number too long
	e := b.must(id(0), &wire.EscrowCreate{Amount: 1, Deadline: 300, Conditions: []wire.EscrowCondition{
		{Kind: wire.EscrowConditionKindCustom, Params: loose},
	}}).Body.(*wire.EscrowCreateAck).EscrowID
	kept, _ := b.Escrow(e)
	if got, want := string(kept.Conditions[0].Params), "\x82\xA1a\x02\xA1b\x01"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}

func ptr[T any](v T) *T { return &v }

func TestEscrow_Refusals(t *testing.T) {
	b := newBench(t, 8)
	b.die(id(7))
	self, dead := id(0), id(7)
	for _, tt := range []struct {
		req    wire.EscrowCreate
		code   uint32
		reason string
	}{
		{wire.EscrowCreate{Amount: 0, Deadline: 600}, codeIR, "amount"},
		{wire.EscrowCreate{Amount: 5, Deadline: 256}, codeIR, "deadline"},
		{wire.EscrowCreate{Amount: 5, Deadline: 600, Beneficiary: &self}, codeIR, "beneficiary"},
		{wire.EscrowCreate{Amount: 5, Deadline: 600, Beneficiary: &dead}, codeIR, "beneficiary"},
		{wire.EscrowCreate{Amount: 5, Deadline: 600, Conditions: make([]wire.EscrowCondition, 17)}, codeIR, "too_many"},
		{wire.EscrowCreate{Amount: 5, Deadline: 600, Conditions: []wire.EscrowCondition{
			{Kind: wire.EscrowConditionKindGovernanceVote, Params: []byte("x")},
		}}, codeIR, "conditions"},
		{wire.EscrowCreate{Amount: 97, Deadline: 600}, codeQE, "funds"},
		{wire.EscrowCreate{Amount: 1<<63 - 1, Deadline: 600}, codeQE, "funds"},
	} {
		b.refused(id(0), &tt.req, tt.code, tt.reason)
	}

	e := b.locked()
	b.refused(id(0), &wire.EscrowRelease{EscrowID: wire.Hash{9}}, codeNF, "escrow")
	b.refused(id(2), &wire.EscrowRelease{EscrowID: e, Beneficiary: id(2)}, codeUA, "not_party")
	b.refused(id(0), &wire.EscrowRelease{EscrowID: e, Beneficiary: id(2)}, codeIR, "beneficiary")
	b.refused(id(0), &wire.EscrowRefund{EscrowID: wire.Hash{9}}, codeNF, "escrow")
	b.refused(id(2), &wire.EscrowRefund{EscrowID: e}, codeUA, "not_party")
	b.refused(id(0), &wire.EscrowRefund{EscrowID: e}, codeUA, "deadline")
	b.must(id(0), &wire.EscrowRelease{EscrowID: e, Beneficiary: id(1)})
	b.refused(id(0), &wire.EscrowRelease{EscrowID: e, Beneficiary: id(1)}, codeIR, "state")
	b.refused(id(1), &wire.EscrowRefund{EscrowID: e}, codeIR, "state")

	open := b.must(id(2), &wire.EscrowCreate{Amount: 5, Deadline: 600}).Body.(*wire.EscrowCreateAck).EscrowID
	b.refused(id(2), &wire.EscrowRelease{EscrowID: open, Beneficiary: id(2)}, codeIR, "beneficiary")
	b.refused(id(2), &wire.EscrowRelease{EscrowID: open, Beneficiary: wire.AgentID{9}}, codeNF, "account")
	b.must(id(2), &wire.EscrowRelease{EscrowID: open, Beneficiary: id(3)})
}

func TestEscrow_OfBountyIsOnlyDecidedByAgora(t *testing.T) {
	b := newBench(t, 8)
	e := world.Escrow{ID: wire.Hash{7}, Owner: id(0), Amount: 60, Tax: 3, Deadline: 300, Bounty: true}
	if r := b.OpenEscrow(b.c, e); r != nil {
		t.Fatal(r)
	}
	b.refused(id(0), &wire.EscrowRelease{EscrowID: e.ID, Beneficiary: id(1)}, codeUA, "not_party")
	b.refused(id(0), &wire.EscrowRefund{EscrowID: e.ID}, codeUA, "not_party")
	b.end(1)
	b.CycleEnd(b.c) // past the deadline: not Mint's business
	b.DisputeEscrow(b.c, e.ID, id(1))
	b.refused(id(0), &wire.EscrowRefund{EscrowID: e.ID}, codeUA, "not_party")
	b.ReopenEscrow(b.c, e.ID)
	b.ReleaseEscrow(b.c, e.ID, id(1))
	b.balances(37, 160)
	if got := b.Earnings(id(1)); got != 15 {
		t.Errorf("earnings %d, want the cap of 15", got)
	}
	if d := cmp.Diff([]string{"commerce"}, b.roster.milestones); d != "" {
		t.Error(d)
	}
}

func TestEscrow_SystemBountyReachesNoCommerceMilestone(t *testing.T) {
	b := newBench(t, 8)
	for i := range byte(3) { // systems count up to 50
		e := world.Escrow{ID: wire.Hash{7 + i}, Owner: Treasury, Amount: 20, Deadline: 300, Bounty: true}
		b.OpenEscrow(b.c, e)
		b.ReleaseEscrow(b.c, e.ID, id(1))
	}
	b.balances(100, 160)
	if len(b.roster.milestones) != 0 || b.Earnings(id(1)) != 50 {
		t.Errorf("milestones %v, earnings %d", b.roster.milestones, b.Earnings(id(1)))
	}
}

// An escrow with a named beneficiary and conditions is paid like a bounty: a service that funds itself, or a tax, takes
// locked money, and who has met the conditions is paid all the same. Before, the owner had its money back at the deadline.
func TestEscrow_ForcedDebitsKeepNobodyUnpaid(t *testing.T) {
	for _, conditions := range [][]wire.EscrowCondition{vote(wire.Hash{5}), nil} {
		b := newBench(t, 8)
		b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusPassed
		e := b.locked(conditions...)
		b.must(id(0), &wire.Transfer{To: id(2), Amount: 55, Kind: wire.TransferKindDirect}) // 1 ⚡ is not locked
		b.Debit(b.c, id(0), 10)
		take := &wire.EscrowRelease{EscrowID: e, Beneficiary: id(1)}
		if conditions == nil { // nobody has worked for it
			b.refused(id(1), take, codeQE, "funds")
			continue
		}
		b.must(id(1), take)
		b.balances(-9, 140)
	}
}
