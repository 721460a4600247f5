package realm

import (
	"kingdom/wire"
	"kingdom/world"
)

// AppendSubjects appends those of the things in asked that are closed to agent a at tick now, which means that there
// is nothing left for it to do with them. Only the first 64 ids count. An id that no daemon knows is never closed.
// The call only reads.
func (r *Realm) AppendSubjects(dst []wire.SubjectView, a wire.AgentID, asked []wire.Hash, now wire.Tick) []wire.SubjectView {
	for _, id := range asked[:min(len(asked), wire.MaxSubjects)] {
		for _, k := range r.subjectReporters {
			if s, closed := k.Closed(id, a, now); closed {
				dst = append(dst, s)
				break
			}
		}
	}
	return dst
}

// subjectReportersOf are the daemons that can say what became of a thing.
func subjectReportersOf(daemons []world.Daemon) (out []world.SubjectReporter) {
	for _, d := range daemons {
		if k, ok := d.(world.SubjectReporter); ok {
			out = append(out, k)
		}
	}
	return out
}
