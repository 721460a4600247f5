package realm

import (
	"kingdom/wire"
	"kingdom/world"
)

// AppendSubjects appends those of the things in asked that are closed to agent a at tick now, which means that there
// is nothing left for it to do with them. Only the first 64 count. A thing that no daemon knows is never closed. Of a thing
// whose system is given only that daemon is asked.
// The call only reads.
func (r *Realm) AppendSubjects(dst []wire.SubjectView, a wire.AgentID, asked []wire.Subject, now wire.Tick) []wire.SubjectView {
	for _, q := range asked[:min(len(asked), wire.MaxSubjects)] {
		for _, k := range r.subjectReporters {
			if q.System != 0 && q.System != k.system {
				continue
			}
			if s, closed := k.Closed(q.ID, a, now); closed {
				dst = append(dst, s)
				break
			}
		}
	}
	return dst
}

// subjectReporter is a daemon that can say what became of a thing.
type subjectReporter struct {
	world.SubjectReporter
	system wire.System
}

func subjectReportersOf(daemons []world.Daemon) (out []subjectReporter) {
	for _, d := range daemons {
		if k, ok := d.(world.SubjectReporter); ok {
			out = append(out, subjectReporter{k, d.System()})
		}
	}
	return out
}
