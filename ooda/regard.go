package ooda

import (
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// concerned is the peer whose thing an offer is about, with the model of it; nil: there is none.
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

// knownPeer is what the agent makes of the peer whom an offer concerns, by what it has seen of it: of an
// author whom it would read or cite how good its work was found, of a creator whom it would work for how it
// keeps promises, of an asker whom it would answer how often it helped against how often it was helped.
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

// peerWaitFactor is how much longer than for a stranger an agent leaves the question of a peer to others: it hurries for those
// whom it trusts and even more for those to whom it owes an answer, and leaves to others whom it helped more than it
// was helped.
func (s *relations) peerWaitFactor(to wire.AgentID) float64 {
	const trusted, owed, ahead, most = 0.6, 0.3, 0.5, 3
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

// workQuality is what the agent makes of what a peer writes, [0,1]: how good its work was found; of who is unknown one half.
func (s *relations) workQuality(of wire.AgentID) float64 {
	if p := s.peer(of); p != nil {
		return float64(p.Competence)
	}
	return 0.5
}

// heeds reports whether the answers of a peer count with the agent: not of one that was found wrong too often.
func (s *relations) heeds(author wire.AgentID) bool {
	const least = 0.42
	return s.workQuality(author) >= least
}

// reads reports whether the agent reads the entries of a peer of its own accord: not of one that was found wrong more often
// than right, of late.
func (s *relations) reads(author wire.AgentID) bool { return s.workQuality(author) >= 0.5 }

// needsCheck is how much the entry of a peer needs this agent's verdict: that of one who was always right needs it less.
func (o weigher) needsCheck(a *llm.Affordance, _ *offerRef) float64 {
	if a.Compose != llm.ComposeVerdict || doubted(a) {
		return 1
	}
	return 1 - float64(2*max(o.workQuality(o.authorOf(a.Subject))-0.5, 0))
}

// dealQuality is how well the dealings with a peer went, [0,1]; of who is unknown they are expected to go well.
func (s *relations) dealQuality(with wire.AgentID) float64 {
	p := s.peer(with)
	if p == nil {
		return 1
	}
	return float64(p.Successes+1) / float64(p.Interactions+1)
}

// known reports whether the agent has seen of a peer what an offer takes; of others reputation tells.
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

// esteem is what the reputation of the author counts where the agent would answer it, against the best reputation
// that it knows of.
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

// stranger is what reputation says of a peer with whom the agent had nothing to do yet.
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

// regard weakens what is made of a peer for those who care little about others.
func (o weigher) regard(v float64) float64 {
	weight := 0.3 + float64(0.6*float64(o.agent.Genome.Traits.Collaboration))
	return 1 - float64(weight*(1-v))
}
