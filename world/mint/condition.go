package mint

import (
	"kingdom/wire"
)

// wellFormed says whether a condition's params have the form of its kind.
func wellFormed(k *wire.EscrowCondition) bool {
	switch k.Kind {
	case wire.EscrowConditionKindVaultSnapExists:
		return wire.SnapConditionCodec.Decode(k.Params, new(wire.SnapCondition)) == nil
	case wire.EscrowConditionKindForgeProof:
		return wire.ProofConditionCodec.Decode(k.Params, new(wire.ProofCondition)) == nil
	case wire.EscrowConditionKindReviewApproved:
		return wire.ReviewConditionCodec.Decode(k.Params, new(wire.ReviewCondition)) == nil
	case wire.EscrowConditionKindGovernanceVote:
		return wire.VoteConditionCodec.Decode(k.Params, new(wire.VoteCondition)) == nil
	default:
		return true
	}
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

// holds judges one condition. A snap or a proof is judged by Vault or Forge and does not
// hold in a world without them; CUSTOM is for the owner to judge.
func (es *escrows) holds(k *wire.EscrowCondition) bool {
	switch k.Kind {
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
