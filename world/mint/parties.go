package mint

import "kingdom/wire"

// Parties are the payers of the escrows that e is about.
func (d *Daemon) Parties(e *wire.Event, add func(wire.AgentID)) {
	var id wire.Hash
	switch p := e.Payload.(type) {
	case *wire.EscrowReleasedEvent:
		id = p.EscrowID
	case *wire.EscrowDisputedEvent:
		id = p.EscrowID
	default:
		return
	}
	if x := d.escrows.table.Get(id); x != nil {
		add(x.Owner)
	}
}
