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
		return again(wire.SnapConditionCodec, &k.Params)
	case wire.EscrowConditionKindForgeProof:
		return again(wire.ProofConditionCodec, &k.Params)
	case wire.EscrowConditionKindReviewApproved:
		return again(wire.ReviewConditionCodec, &k.Params)
	case wire.EscrowConditionKindGovernanceVote:
		return again(wire.VoteConditionCodec, &k.Params)
	default:
		k.Params = canonical(k.Params)
		return true
	}
}

// again reads a map and writes it canonically; false if it has another form.
func again[T any](c *codec.Codec[T], b *[]byte) bool {
	var v T
	if c.Decode(*b, &v) != nil {
		return false
	}
	*b = c.Append(nil, &v)
	return true
}

// conditionsHold says whether every condition of e holds now.
func (es *escrows) conditionsHold(e *Escrow) bool {
	for i := range e.Conditions {
		if !es.holds(&e.Conditions[i]) {
			return false
		}
	}
	return true
}

// holds judges one condition. A snap is judged by Vault. A proof is judged by Forge and does not
// hold in a world without it; CUSTOM is for the owner to judge.
func (es *escrows) holds(k *wire.EscrowCondition) bool {
	switch k.Kind {
	case wire.EscrowConditionKindVaultSnapExists:
		var p wire.SnapCondition
		return wire.SnapConditionCodec.Decode(k.Params, &p) == nil && es.code != nil && es.code.Stored(p.SnapID, ^wire.Tick(0))
	case wire.EscrowConditionKindReviewApproved:
		var p wire.ReviewCondition
		return wire.ReviewConditionCodec.Decode(k.Params, &p) == nil && es.approved != nil && es.approved(p.ReviewID)
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
