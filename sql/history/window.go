package history

import (
	"encoding/binary"
	"errors"
	"slices"

	"kingdom/agent"
	"kingdom/wire"
)

// Window says which cycles hold the rows that an agent is restored from.
type Window struct {
	newest uint64             // highest id of an experience so far
	acts   []cycleExperiences // ascending by cycle
	plans  []endedPlan
}

// cycleExperiences counts the experiences that an agent wrote in a cycle. One that is written again, because its outcome
// came late, counts only in its first cycle.
type cycleExperiences struct {
	cycle wire.Cycle
	fresh uint64
}

// endedPlan is a plan that has ended, and the cycle in which its final row is.
type endedPlan struct {
	id    uint64
	cycle wire.Cycle
}

// Clone returns an independent copy.
func (w *Window) Clone() *Window {
	return &Window{newest: w.newest, acts: slices.Clone(w.acts), plans: slices.Clone(w.plans)}
}

// Act adds an experience that was written in a cycle; cycles do not descend.
func (w *Window) Act(c wire.Cycle, id uint64) {
	if n := len(w.acts); n == 0 || w.acts[n-1].cycle != c {
		w.acts = append(w.acts, cycleExperiences{cycle: c})
	}
	if id <= w.newest {
		return
	}
	w.newest = id
	w.acts[len(w.acts)-1].fresh++
	total := uint64(0)
	for i := len(w.acts) - 1; i > 0; i-- {
		if total += w.acts[i].fresh; total >= agent.RestoredExperiences {
			w.acts = slices.Delete(w.acts, 0, i)
			break
		}
	}
}

// Ended adds a plan that ended in a cycle, and forgets older plans beyond the limit.
func (w *Window) Ended(c wire.Cycle, id uint64) {
	at, there := slices.BinarySearchFunc(w.plans, id, func(e endedPlan, id uint64) int {
		switch {
		case e.id < id:
			return -1
		case e.id > id:
			return 1
		}
		return 0
	})
	if there {
		w.plans[at].cycle = c
		return
	}
	w.plans = slices.Insert(w.plans, at, endedPlan{id, c})
	if len(w.plans) > agent.RestoredPlans {
		w.plans = slices.Delete(w.plans, 0, 1)
	}
}

// ActCycles are the cycles with the newest experiences, the newest first.
func (w *Window) ActCycles() []wire.Cycle {
	out := make([]wire.Cycle, 0, len(w.acts))
	for i := len(w.acts) - 1; i >= 0; i-- {
		out = append(out, w.acts[i].cycle)
	}
	return out
}

// Plans are the newest plans that have ended, by id, each with the cycle that holds it.
func (w *Window) Plans() map[uint64]wire.Cycle {
	out := make(map[uint64]wire.Cycle, len(w.plans))
	for _, p := range w.plans {
		out[p.id] = p.cycle
	}
	return out
}

// PlanCycles are the cycles of Plans, ascending.
func (w *Window) PlanCycles() []wire.Cycle {
	out := make([]wire.Cycle, 0, len(w.plans))
	for _, p := range w.plans {
		out = append(out, p.cycle)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Append writes the window behind b.
func (w *Window) Append(b []byte) []byte {
	b = append(b, format)
	b = binary.AppendUvarint(b, w.newest)
	b = binary.AppendUvarint(b, uint64(len(w.acts)))
	at := wire.Cycle(0)
	for _, a := range w.acts {
		b = binary.AppendUvarint(b, uint64(a.cycle-at))
		b = binary.AppendUvarint(b, a.fresh)
		at = a.cycle
	}
	b = binary.AppendUvarint(b, uint64(len(w.plans)))
	id := uint64(0)
	for _, p := range w.plans {
		b = binary.AppendUvarint(b, p.id-id)
		b = binary.AppendUvarint(b, uint64(p.cycle))
		id = p.id
	}
	return b
}

var errWindow = errors.New("the window of an agent is damaged: restore the database from a copy")

// ReadWindow reads what Append wrote.
func ReadWindow(b []byte) (*Window, error) {
	if len(b) == 0 || b[0] != format {
		return nil, errWindow
	}
	b = b[1:]
	bad := false
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[size:]
		return n
	}
	w := &Window{newest: next()}
	at := wire.Cycle(0)
	for n := next(); n > 0 && !bad; n-- {
		at += wire.Cycle(next())
		w.acts = append(w.acts, cycleExperiences{cycle: at, fresh: next()})
	}
	id := uint64(0)
	for n := next(); n > 0 && !bad; n-- {
		id += next()
		w.plans = append(w.plans, endedPlan{id: id, cycle: wire.Cycle(next())})
	}
	if bad || len(b) > 0 {
		return nil, errWindow
	}
	return w, nil
}
