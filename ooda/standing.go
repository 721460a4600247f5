package ooda

import (
	"kingdom/llm"
	"kingdom/wire"
)

// rank is how an agent's reputation compares with those of the agents that it knows.
type rank struct{ *self }

// waitFactor is how much longer than others the agent leaves a question or a bounty to them, because askers and payers
// believe those of high reputation more: 0 for the highest reputation, 1 for one in the middle, 4 for the lowest.
func (r rank) waitFactor() float64 {
	below := float64(2 * (1 - r.standing()))
	return float64(below * below)
}

// standing is the share of the known peers whose reputation is lower than the agent's, in [0,1]; equal ones count
// half. One half: it knows nobody, or the scenario blinds it to reputation.
func (r rank) standing() float64 {
	if len(r.notes.Peers) == 0 || r.rules.Blind.Has(llm.LayerReputation) {
		return 0.5
	}
	return r.share(r.agent.Reputation)
}

// standingOf is the same share for a peer; 0: its reputation is not known.
func (r rank) standingOf(who wire.AgentID) float64 {
	p := r.notes.Peer(who)
	if p == nil {
		return 0
	}
	return r.share(p.Reputation)
}

// share is the share of the known peers that have less than a reputation; those with the same count half.
func (r rank) share(reputation float32) float64 {
	below := 0
	for i := range r.notes.Peers {
		switch them := r.notes.Peers[i].Reputation; {
		case them < reputation:
			below += 2
		case them == reputation:
			below++
		}
	}
	return float64(below) / float64(2*len(r.notes.Peers))
}
