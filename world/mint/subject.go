package mint

import "kingdom/wire"

// Closed says what became of an escrow whose money is not set aside any more.
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
