package nexus

import "kingdom/wire"

// Closed reports whether a proposal (settled, past its deadline, or voted on by a) or an agent (DEAD) is closed to a,
// and returns its status.
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
