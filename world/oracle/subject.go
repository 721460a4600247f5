package oracle

import "kingdom/wire"

// Closed reports whether an entry is closed to a, because peer review discarded it, its author superseded it, or a
// judged the current version, and returns its status.
func (d *Daemon) Closed(id wire.Hash, a wire.AgentID, _ wire.Tick) (s wire.SubjectView, closed bool) {
	s = wire.SubjectView{ID: id, Kind: "entry"}
	e := d.entries.find(id)
	if e == nil {
		s.Status = wire.EntryDiscarded
		_, text := d.versions.find(id, 1)
		return s, text != nil // its text stays, its record does not
	}
	if e.replaced {
		s.Status, s.By = wire.EntrySuperseded, d.entries.author(e)
		return s, true
	}
	s.Status = "JUDGED"
	return s, d.votes.judged(id, e.version, a) || d.reviews.reviewed(id, a)
}
