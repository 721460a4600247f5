package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
)

const (
	// trustedWith is the trust from which on the agent expects a peer to answer first and to be paid after it.
	trustedWith = 0.5
	// pledgeCycles is for how many cycles money is locked for an answer.
	pledgeCycles = 2
)

// byOwner lets an escrow be released by its owner only.
var byOwner = []wire.EscrowCondition{{Kind: wire.EscrowConditionKindCustom, Params: []byte{0x80}}}

// offerPledge offers to lock money for an answer, if a question names a peer with which the agent had no or no good
// dealings: that peer has no reason yet to believe that it will be paid. A trusted peer is paid after its answer.
func (o buyer) offerPledge(g *goals.Goal) {
	w, row := o.agent.Memory.Market.Unpledged(), o.seen.action("escrow_create")
	if w == nil || row == nil || !o.deferral().sociable(w.Subject) {
		return
	}
	if trust, known := o.relations().trusts(w.Asked); known && trust >= trustedWith {
		return
	}
	amount, peer := o.tip(), w.Asked
	if amount == 0 {
		return
	}
	o.wants(g)
	if a := o.offerAbout(g, row, &wire.EscrowCreate{
		Amount: amount, Beneficiary: &peer, Conditions: byOwner, Deadline: o.seen.tick + wire.Tick(pledgeCycles*o.rules.Calendar.TicksPerCycle),
	}, wire.Hash(peer), float64(o.agent.Genome.Traits.Collaboration)); a != nil {
		a.Author, a.Text = peer.Alias(), w.Words
	}
}

// namedIn is the peer that a message names first; zero: none.
func (rr payer) namedIn(references []wire.Hash) (who wire.AgentID) {
	if len(references) > 0 && rr.peer(wire.AgentID(references[0])) != nil {
		who = wire.AgentID(references[0])
	}
	return who
}

// notePledge notes that money was locked or paid. If r is nil the world refused it, and would refuse it again.
func (rr payer) notePledge(payload any, r *wire.Reply) {
	m := &rr.agent.Memory.Market
	switch q := payload.(type) {
	case *wire.EscrowCreate:
		if q.Beneficiary == nil {
			return
		}
		var escrow wire.Hash
		if r != nil {
			if ack, ok := r.Body.(*wire.EscrowCreateAck); ok {
				escrow = ack.EscrowID
			}
		}
		m.Pledge(*q.Beneficiary, escrow)
	case *wire.EscrowRelease:
		m.Thanks.MarkReleased(q.EscrowID)
	}
}

// noticePledge notes the money that the author of a question has locked for the answer of this agent.
func (er *eventReader) noticePledge(p *wire.EscrowCreatedEvent) {
	if p.Beneficiary == nil || *p.Beneficiary != er.agent.ID {
		return
	}
	for i := len(er.notes.Messages) - 1; i >= 0; i-- {
		if n := &er.notes.Messages[i]; n.Author == p.Owner && n.Kind == wire.MessageKindQuestion && !n.Answered {
			n.Pledged = uint32(min(p.Amount, 1<<20))
			return
		}
	}
}

// pledged is the money that is locked for the answer that a goal is about, in ⚡.
func (o *offers) pledged(g *goals.Goal) float64 {
	if g.Kind() != goals.KindAnswer || o.goals.situation.NoMoney {
		return 0
	}
	if n := o.notes.Message(g.Subject()); n != nil {
		return float64(n.Pledged)
	}
	return 0
}
