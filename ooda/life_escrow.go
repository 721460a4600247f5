package ooda

import (
	"fmt"

	"kingdom/llm"
	"kingdom/wire"
)

// escrowText writes news of escrows for a beneficiary.
type escrowText struct {
	life    *life
	handles *llm.Handles
}

// append writes for whom money is locked, and to who is to get it also when it can be taken.
func (x escrowText) append(dst []byte, e *wire.EscrowCreatedEvent, subject []byte) []byte {
	dst = fmt.Appendf(dst, "%s locked %d Spark for %s until tick %d as escrow %s", nameOf(e.Owner), e.Amount, x.life.thing(wire.Hash(*e.Beneficiary), x.handles), e.Deadline, subject)
	if *e.Beneficiary != x.life.agent.ID {
		return dst
	}
	word := ", if "
	for i := range e.Conditions {
		dst = x.appendCondition(append(dst, word...), e.Owner, &e.Conditions[i])
		word = " and "
	}
	return dst
}

// appendCondition writes what has to hold. What a CUSTOM condition says are words of the owner, who judges by it.
func (x escrowText) appendCondition(dst []byte, owner wire.AgentID, k *wire.EscrowCondition) []byte {
	ref := func(sort llm.RefKind, id wire.Hash) string { return x.handles.Ref(sort, id).String() }
	switch k.Kind {
	case wire.EscrowConditionKindVaultSnapExists:
		var p wire.SnapCondition
		if wire.SnapConditionCodec.Decode(k.Params, &p) == nil {
			return fmt.Appendf(dst, "snap %s exists", ref(llm.RefOther, p.SnapID))
		}
	case wire.EscrowConditionKindForgeProof:
		var p wire.ProofCondition
		if wire.ProofConditionCodec.Decode(k.Params, &p) == nil {
			dst = fmt.Appendf(dst, "you send a proof of program %s", ref(llm.RefOther, p.Program))
			if p.Input != nil {
				dst = fmt.Appendf(dst, " with input %s", ref(llm.RefOther, *p.Input))
			}
			if p.Output != nil {
				dst = fmt.Appendf(dst, " with output %s", ref(llm.RefOther, *p.Output))
			}
			return dst
		}
	case wire.EscrowConditionKindReviewApproved:
		var p wire.ReviewCondition
		if wire.ReviewConditionCodec.Decode(k.Params, &p) == nil {
			return fmt.Appendf(dst, "%s approves in review %s", nameOf(p.By), ref(llm.RefReview, p.ReviewID))
		}
	case wire.EscrowConditionKindGovernanceVote:
		var p wire.VoteCondition
		if wire.VoteConditionCodec.Decode(k.Params, &p) == nil {
			return fmt.Appendf(dst, "proposal %s passes", ref(llm.RefProposal, p.ProposalID))
		}
	default: // CUSTOM, below
	}
	said := []byte(wire.TextOf(k.Params))
	if len(said) == 0 {
		said = saysOf(&wire.ProposalView{Kind: wire.ProposalKindCustom, Description: k.Params})
	}
	return clipTo(said, wire.MaxEventText).Append(fmt.Appendf(dst, "%s finds that it holds: ", nameOf(owner)))
}
