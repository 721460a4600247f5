package mint

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// wellFormed reports whether the params of a condition have the form of its kind, and makes them canonical.
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

// recode replaces an encoded map by its canonical form; false if it cannot be decoded.
func recode[T any](c *codec.Codec[T], b *[]byte) bool {
	var v T
	if c.Decode(*b, &v) != nil {
		return false
	}
	*b = c.Append(nil, &v)
	return true
}

// conditionsHold reports whether every condition of e holds now; proof is the proof in the beneficiary's request.
func (es *escrows) conditionsHold(e *Escrow, proof []byte) bool {
	for i := range e.Conditions {
		if !es.conditionHolds(&e.Conditions[i], proof) {
			return false
		}
	}
	return true
}

// conditionHolds reports whether one condition holds: Vault tells of a snap, Agora of a review, Nexus of a proposal,
// Forge of a proof. A CUSTOM condition never holds here; only the owner can release the money.
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

// proves reports whether b is an ExecutionProof made by Forge, of the wanted program, input and output.
func (es *escrows) proves(b []byte, want *wire.ProofCondition) bool {
	var p wire.ExecutionProof
	return wire.ExecutionProofCodec.DecodeCanonical(b, &p) == nil && es.proofs != nil && es.proofs.Proved(&p) &&
		p.Program == want.Program &&
		(want.Input == nil || p.Input == *want.Input) &&
		(want.Output == nil || p.Output == *want.Output)
}
