package nexus

import "kingdom/wire"

// Closed says what became of a proposal that is settled or past its deadline, or that a has voted
// on, and of an agent that is DEAD.
func (d *Daemon) Closed(id wire.Hash, a wire.AgentID, now wire.Tick) (s wire.SubjectView, closed bool) {
	if p := d.proposals.Get(id); p != nil {
		s = wire.SubjectView{ID: id, Kind: "proposal", Status: p.Status.String()}
		switch {
		case p.Status != wire.ProposalStatusOpen:
			return s, true
		case d.governance.voted(id, a):
			s.Status = "VOTED"
			return s, true
		case now > p.VoteDeadline:
			s.Status = wire.ProposalStatusExpired.String()
			return s, true
		}
		return s, false
	}
	if r := d.agents.Get(wire.AgentID(id)); r != nil && r.Status == wire.StatusDead {
		return wire.SubjectView{ID: id, Kind: "agent", Status: r.Status.String()}, true
	}
	return s, false
}
