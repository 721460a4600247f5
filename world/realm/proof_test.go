package realm_test

import (
	"crypto/sha256"
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
)

// proofWanted stores a program of a's, and an escrow of a's for b who proves that a run of it wrote 42.
func (x *town) proofWanted(a, b wire.AgentID, text []byte) (program, output, escrow wire.Hash) {
	x.t.Helper()
	program = x.ok(a, wire.TypeObjectPut, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: text}).Body.(*wire.ObjectPutAck).ObjectID
	output = wire.Hash(sha256.Sum256([]byte("42")))
	escrow = x.ok(a, wire.TypeEscrowCreate, &wire.EscrowCreate{
		Amount: 20, Beneficiary: &b, Deadline: 2000,
		Conditions: []wire.EscrowCondition{{
			Kind:   wire.EscrowConditionKindForgeProof,
			Params: wire.ProofConditionCodec.Append(nil, &wire.ProofCondition{Program: program, Output: &output}),
		}},
	}).Body.(*wire.EscrowCreateAck).EscrowID
	return program, output, escrow
}

// An escrow asks for a proof of a run. The keys of systems are public constants, so anybody can sign in Forge's name
// what was never run; only a proof that Forge itself made releases the escrow, whoever shows it.
func TestProof_OnlyForgesOwnReleasesEscrow(t *testing.T) {
	x := newTown(t, 8)
	a, b := x.ids[0], x.ids[1]
	text := []byte("emit('42')")
	program, output, escrow := x.proofWanted(a, b, text)
	take := func(p *wire.ExecutionProof) *wire.ErrorBody {
		before := x.Components()[5] // Mint's
		q := &wire.EscrowRelease{EscrowID: escrow, Beneficiary: b, Proof: wire.ExecutionProofCodec.Append(nil, p)}
		no := x.do(map[wire.AgentID]realm.Sent{b: x.sent(b, wire.TypeEscrowRelease, q)})[b].Err
		if no != nil && x.Components()[5] != before {
			t.Error("a refusal changed Mint")
		}
		return no
	}

	forged := &wire.ExecutionProof{Program: program, Output: output, TicksUsed: 1}
	forged.Sign()
	if no := take(forged); no == nil || string(no.Message) != "conditions" {
		t.Errorf("a forged proof: %+v, want a refusal for its conditions", no)
	}

	box := x.ok(b, wire.TypeSandboxCreate, &wire.SandboxCreate{Code: program, MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
	x.ok(b, wire.TypeExecStart, &wire.ExecStart{SandboxID: box})
	x.ok(b, wire.TypeProofRequest, &wire.ProofRequest{SandboxID: box})
	var proof *wire.ExecutionProof
	for _, r := range x.results(b) {
		if p, ok := r.Body.(*wire.ExecutionProof); ok {
			proof = p
		}
	}
	if proof == nil {
		t.Fatal("Forge made no proof")
	}
	bold := *proof
	bold.TicksUsed++
	bold.Sign()
	if no := take(&bold); no == nil {
		t.Error("a proof that was changed and signed anew took the money")
	}
	if no := take(proof); no != nil {
		t.Errorf("the proof that Forge made was refused: %s", no.Message)
	}
}

// A run that ends in a fault can be certified, but its proof releases no escrow, even if the run wrote the expected
// output before: otherwise a budget too small for the program would be all it takes.
func TestProof_OfFaultedRunReleasesNoEscrow(t *testing.T) {
	x := newTown(t, 8)
	a, b := x.ids[0], x.ids[1]
	program, output, escrow := x.proofWanted(a, b, []byte("emit('42')\nfail('on purpose')"))
	box := x.ok(b, wire.TypeSandboxCreate, &wire.SandboxCreate{Code: program, MemoryQuota: 65_536, TickBudget: 100}).Body.(*wire.SandboxCreateAck).SandboxID
	x.ok(b, wire.TypeExecStart, &wire.ExecStart{SandboxID: box})
	x.ok(b, wire.TypeProofRequest, &wire.ProofRequest{SandboxID: box})
	for _, r := range x.results(b) {
		p, ok := r.Body.(*wire.ExecutionProof)
		if !ok {
			continue
		}
		if p.Output != output || !p.Verify() {
			t.Fatalf("the proof is of another output, or not signed: %+v", p)
		}
		q := &wire.EscrowRelease{EscrowID: escrow, Beneficiary: b, Proof: wire.ExecutionProofCodec.Append(nil, p)}
		if no := x.do(map[wire.AgentID]realm.Sent{b: x.sent(b, wire.TypeEscrowRelease, q)})[b].Err; no == nil || string(no.Message) != "conditions" {
			t.Errorf("the proof of a fault: %+v, want a refusal for its conditions", no)
		}
		return
	}
	t.Fatal("Forge made no proof")
}
