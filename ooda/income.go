package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// earns reports whether an act may bring its agent ⚡ later: a reward at the end of the cycle, a
// fee, a royalty. A delivered bounty is not listed: its payment names the bounty.
func earns(m wire.MsgType) bool {
	switch m {
	case wire.TypeEntryPublish, wire.TypeEntryUpdate, wire.TypeEntryVerify, wire.TypeProposalVote, wire.TypeBountyReview, wire.TypeReviewSubmit,
		wire.TypeTagCreate, wire.TypeServiceCreate, wire.TypeMsgPost:
		return true
	default:
		return false
	}
}

// shareIncome divides the income since the last slot, without bounties, equally among the acts that may have brought
// it. The world pays rewards in one sum at the end of a cycle and does not say what for. The share of a living goal
// counts as its pay when it ends; the share of an ended goal changes what goals of its kind are expected to pay.
func (t *Turn) shareIncome(earned uint64) {
	income := earned - min(earned, t.notes.Earned)
	income -= min(income, t.events.prize)
	t.events.prize = 0
	acts := t.notes.Earning
	if income == 0 || len(acts) == 0 {
		return
	}
	for i := range acts {
		share := income/uint64(len(acts)) + uint64(min(1, max(0, int(income%uint64(len(acts)))-i)))
		if share > 0 && acts[i].Verb != "" && !t.rules.Blind.Has(llm.LayerMoney) {
			t.believer().paid(acts[i].Verb, goals.Kind(acts[i].Kind).Domain(), float64(float64(share)*t.purse().valueOfPay()), &acts[i].Goal, t.seen.tick)
		}
		if g := t.agent.Goals.Get(acts[i].Goal); g != nil {
			g.Record.Paid += share
		} else if share > 0 {
			k := goals.Kind(acts[i].Kind)
			t.agent.Learning.LearnLate(k.Domain(), k, share)
		}
	}
	t.notes.Earning = acts[:0]
}

// noteEarning remembers an act that may pay later.
func (t *Turn) noteEarning(p *pending) {
	if p.goalKind != 0 && earns(p.row.Type) {
		t.notes.NoteEarning(memory.EarningNote{Goal: p.goal, Kind: uint8(p.goalKind), Verb: p.verb})
	}
}
