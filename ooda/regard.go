package ooda

import (
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// concerned returns the peer that made what an offer is about, and what the agent knows of it. who is zero if that is
// no peer; peer is nil if nothing is known.
func (o weigher) concerned(a *llm.Affordance) (who wire.AgentID, peer *memory.Peer) {
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
	return who, o.peer(who)
}

// knownPeer rates the peer that an offer concerns by what the agent has seen of it: an author to read or cite by how
// good its work was found, a creator to work for by how it keeps promises, an asker to answer by how often it helped,
// compared with how often it was helped.
func (o weigher) knownPeer(a *llm.Affordance, _ *offerRef) float64 {
	_, p := o.concerned(a)
	if p == nil || !known(a, p) {
		return 1
	}
	switch a.Action.Type {
	case wire.TypeBountyClaim:
		return o.regard(float64(p.Reliability))
	case wire.TypeMsgPost:
		const even, each, least = 0.8, 0.2, 0.2
		return o.regard(min(max(even+float64(each*float64(p.Balance())), least), 1))
	default: // whose words are read or cited
		return o.regard(float64(p.Competence))
	}
}

// peerWaitFactor is how much longer the agent leaves the question of a peer to others than that of a stranger. It is
// shorter for peers that it trusts and even more for those to which it owes an answer, and longer for those that it
// helped more often than they helped it.
func (s relations) peerWaitFactor(to wire.AgentID) float64 {
	const trusted, owed, ahead, most = 0.6, 0.2, 0.5, 3
	p := s.peer(to)
	if p == nil {
		return 1
	}
	d := 1 - float64(trusted*p.Trust(s.seen.tick))
	switch b := p.Balance(); {
	case b > 0:
		d = float64(d * owed)
	case b < 0:
		d = min(float64(d*(1-float64(ahead*float64(b)))), most)
	}
	return d
}

// workQuality is how good the work of a peer was found, in [0,1]; one half if nothing is known.
func (s relations) workQuality(of wire.AgentID) float64 {
	if p := s.peer(of); p != nil {
		return float64(p.Competence)
	}
	return 0.5
}

// heeds reports whether the answers of a peer count for the agent; not if its work was found wrong too often.
func (s relations) heeds(author wire.AgentID) bool {
	const least = 0.42
	return s.workQuality(author) >= least
}

// reads reports whether the agent reads the entries of a peer of its own accord; not if they were found wrong more
// often than right of late.
func (s relations) reads(author wire.AgentID) bool { return s.workQuality(author) >= 0.5 }

// proven reports whether the work of a peer was found right at least twice as often as wrong of late.
func (s relations) proven(peer wire.AgentID) bool {
	return s.workQuality(peer) >= 2.0/3
}

// standsLower reports whether a peer is known to have a lower reputation than this agent.
func (s relations) standsLower(peer wire.AgentID) bool {
	n := s.notes.Peer(peer)
	return s.isPeer(peer) && n != nil && n.Reputation < s.agent.Reputation
}

// needsCheck is how much the entry of a peer needs this agent's verdict: less if the peer was always right.
func (o weigher) needsCheck(a *llm.Affordance, _ *offerRef) float64 {
	if a.Compose != llm.ComposeVerdict || doubted(a) {
		return 1
	}
	return 1 - float64(2*max(o.relations().workQuality(o.authorOf(a.Subject))-0.5, 0))
}

// dealQuality is how well the dealings with a peer went, in [0,1]; 1 if there were none.
func (s relations) dealQuality(with wire.AgentID) float64 {
	p := s.peer(with)
	if p == nil {
		return 1
	}
	return float64(p.Successes+1) / float64(p.Interactions+1)
}

// known reports whether the agent has itself seen of a peer what an offer depends on; if not, reputation counts.
func known(a *llm.Affordance, p *memory.Peer) bool {
	const unseen = 0.5
	switch a.Action.Type {
	case wire.TypeBountyClaim:
		return p.Reliability != unseen
	case wire.TypeMsgPost:
		return p.Served+p.Helped > 0
	default: // whose words are read or cited
		return p.Competence != unseen
	}
}

// esteem is the reputation of the asker that the agent would answer, against the best reputation that it knows of.
func (o weigher) esteem(a *llm.Affordance, _ *offerRef) float64 {
	if a.Compose != llm.ComposeAnswer {
		return 1
	}
	who, _ := o.concerned(a)
	n := o.notes.Peer(who)
	if n == nil {
		return 1
	}
	best := n.Reputation
	for i := range o.notes.Peers {
		best = max(best, o.notes.Peers[i].Reputation)
	}
	if best == 0 {
		return 1
	}
	return o.regard(float64(n.Reputation) / float64(best))
}

// stranger is the reputation of the peer that an offer concerns, if the agent had no dealings with it yet.
func (o weigher) stranger(a *llm.Affordance, _ *offerRef) float64 {
	who, p := o.concerned(a)
	if who.IsZero() || p != nil && known(a, p) {
		return 1
	}
	const unheard = 0.3
	v := unheard
	if n := o.notes.Peer(who); n != nil {
		v = float64(n.Reputation)
	}
	return o.regard(v)
}

// regard weakens the rating of a peer for agents that care little about others.
func (o weigher) regard(v float64) float64 {
	weight := 0.3 + float64(0.6*float64(o.agent.Genome.Traits.Collaboration))
	return 1 - float64(weight*(1-v))
}
