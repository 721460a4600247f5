package ooda

import (
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// concerned is the peer whose thing an offer is about, with the model of it; nil: there is none.
func (o scale) concerned(a *llm.Affordance) (who wire.AgentID, peer *memory.Peer) {
	switch a.Action.Type {
	case wire.TypeEntryGet, wire.TypeMsgPost, wire.TypeBountyClaim, wire.TypeCitationAdd:
	default: // whom to judge or to review is not a matter of liking
		return who, nil
	}
	subject := a.Subject
	if p, ok := a.Params.(*wire.MsgPost); ok {
		if p.Kind != wire.MessageKindAnswer || len(p.References) == 0 {
			return who, nil
		}
		subject = p.References[0]
	}
	if who = o.authorOf(subject); who.IsZero() || !o.isPeer(who) {
		return wire.AgentID{}, nil
	}
	return who, o.agent.Memory.Peers.Get(who)
}

// knownPeer is what the agent makes of the peer whom an offer concerns, by what it has seen of it: of an
// author whom it would read or cite how good its work was found, of a creator whom it would work for how it
// keeps promises, of an asker whom it would answer how far it trusts it, and more where the peer has helped
// it more often than it has helped the peer.
func (o scale) knownPeer(a *llm.Affordance, _ *offerRef) float64 {
	_, p := o.concerned(a)
	if p == nil || p.Interactions == 0 {
		return 1
	}
	v := float64(p.Competence)
	switch a.Action.Type {
	case wire.TypeBountyClaim:
		v = float64(p.Reliability)
	case wire.TypeMsgPost:
		if v = p.Trust(o.seen.tick); p.Successes > p.Helped {
			v = max(v, owed)
		}
	default: // whose words are read or cited
	}
	return o.regard(v)
}

// owed is what an asker is worth at least to whom it has helped more often than it was helped.
const owed = 0.8

// stranger is what reputation says of a peer with whom the agent had nothing to do yet.
func (o scale) stranger(a *llm.Affordance, _ *offerRef) float64 {
	who, p := o.concerned(a)
	if who.IsZero() || p != nil && p.Interactions > 0 {
		return 1
	}
	const unheard = 0.3
	v := unheard
	if n := o.notes.Peer(who); n != nil {
		v = float64(n.Reputation)
	}
	return o.regard(v)
}

// regard weakens what is made of a peer for those who care little about others.
func (o scale) regard(v float64) float64 {
	weight := 0.3 + float64(0.6*float64(o.agent.Genome.Traits.Collaboration))
	return 1 - float64(weight*(1-v))
}
