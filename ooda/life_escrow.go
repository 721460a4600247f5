package ooda

import (
	"fmt"

	"kingdom/llm"
	"kingdom/wire"
)

// tellEscrow writes for whom money is locked, and to who is to get it also when it can be taken.
func (l *life) tellEscrow(dst []byte, e *wire.EscrowCreatedEvent, subject []byte, h *llm.Handles) []byte {
	dst = fmt.Appendf(dst, "%s locked %d Spark for %s until tick %d as escrow %s", l.nameOf(e.Owner), e.Amount, l.thing(wire.Hash(*e.Beneficiary), h), e.Deadline, subject)
	if *e.Beneficiary != l.agent.ID {
		return dst
	}
	word := ", if "
	for i := range e.Conditions {
		dst = l.appendCondition(append(dst, word...), e.Owner, &e.Conditions[i], h)
		word = " and "
	}
	return dst
}

// appendCondition writes what has to hold. What a CUSTOM condition says are words of the owner, who judges by it.
func (l *life) appendCondition(dst []byte, owner wire.AgentID, k *wire.EscrowCondition, h *llm.Handles) []byte {
	ref := func(sort llm.RefKind, id wire.Hash) string { return h.Ref(sort, id).String() }
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
			return fmt.Appendf(dst, "%s approves in review %s", l.nameOf(p.By), ref(llm.RefReview, p.ReviewID))
		}
	case wire.EscrowConditionKindGovernanceVote:
		var p wire.VoteCondition
		if wire.VoteConditionCodec.Decode(k.Params, &p) == nil {
			return fmt.Appendf(dst, "proposal %s passes", ref(llm.RefProposal, p.ProposalID))
		}
	}
	said := clipTo(saysOf(&wire.ProposalView{Kind: wire.ProposalKindCustom, Description: k.Params}), wire.MaxEventText)
	return said.Append(fmt.Appendf(dst, "%s finds that it holds: ", l.nameOf(owner)))
}
