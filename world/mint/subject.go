package mint

import "kingdom/wire"

// Closed reports whether the money of an escrow is no longer locked, and returns the escrow's status.
func (d *Daemon) Closed(id wire.Hash, _ wire.AgentID, _ wire.Tick) (s wire.SubjectView, closed bool) {
	e := d.escrows.table.Get(id)
	if e == nil || e.open() {
		return s, false
	}
	s = wire.SubjectView{ID: id, Kind: "escrow", Status: e.Status.String()}
	if e.Beneficiary != nil && e.Status == wire.EscrowStatusReleased {
		s.By = *e.Beneficiary
	}
	return s, true
}
