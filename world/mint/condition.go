package mint

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// wellFormed says whether a condition's params have the form of its kind, and brings them
// into canonical form.
func wellFormed(k *wire.EscrowCondition) bool {
	switch k.Kind {
	case wire.EscrowConditionKindVaultSnapExists:
		return recode(wire.SnapConditionCodec, &k.Params)
	case wire.EscrowConditionKindForgeProof:
		return recode(wire.ProofConditionCodec, &k.Params)
	case wire.EscrowConditionKindReviewApproved:
		return recode(wire.ReviewConditionCodec, &k.Params)
	case wire.EscrowConditionKindGovernanceVote:
		return recode(wire.VoteConditionCodec, &k.Params)
	default:
		k.Params = canonical(k.Params)
		return true
	}
}

// recode reads a map and writes it canonically; false if it has another form.
func recode[T any](c *codec.Codec[T], b *[]byte) bool {
	var v T
	if c.Decode(*b, &v) != nil {
		return false
	}
	*b = c.Append(nil, &v)
	return true
}

// conditionsHold says whether every condition of e holds now; proof is what the beneficiary
// shows.
func (es *escrows) conditionsHold(e *Escrow, proof []byte) bool {
	for i := range e.Conditions {
		if !es.conditionHolds(&e.Conditions[i], proof) {
			return false
		}
	}
	return true
}

// conditionHolds judges one condition: a snap by what Vault has stored, a review by what Agora knows, a
// proof by what Forge remembers. CUSTOM is for the owner to judge.
func (es *escrows) conditionHolds(k *wire.EscrowCondition, proof []byte) bool {
	switch k.Kind {
	case wire.EscrowConditionKindVaultSnapExists:
		var p wire.SnapCondition
		return wire.SnapConditionCodec.Decode(k.Params, &p) == nil && es.code != nil && es.code.Stored(p.SnapID, ^wire.Tick(0))
	case wire.EscrowConditionKindForgeProof:
		var p wire.ProofCondition
		return wire.ProofConditionCodec.Decode(k.Params, &p) == nil && es.proves(proof, &p)
	case wire.EscrowConditionKindReviewApproved:
		var p wire.ReviewCondition
		return wire.ReviewConditionCodec.Decode(k.Params, &p) == nil && es.forum != nil && es.forum.Approved(p.ReviewID, p.By)
	case wire.EscrowConditionKindGovernanceVote:
		var p wire.VoteCondition
		if wire.VoteConditionCodec.Decode(k.Params, &p) != nil {
			return false
		}
		s, ok := es.ledger.nexus.ProposalStatus(p.ProposalID)
		return ok && s == wire.ProposalStatusPassed
	default:
		return false
	}
}

// proves says whether b is an ExecutionProof that Forge made, of the program, input and output
// that are asked for.
func (es *escrows) proves(b []byte, want *wire.ProofCondition) bool {
	var p wire.ExecutionProof
	return wire.ExecutionProofCodec.DecodeCanonical(b, &p) == nil && es.proofs != nil && es.proofs.Proved(&p) &&
		p.Program == want.Program &&
		(want.Input == nil || p.Input == *want.Input) &&
		(want.Output == nil || p.Output == *want.Output)
}
