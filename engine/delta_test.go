package engine

import (
	"cmp"
	"slices"

	"kingdom/agent"
	"kingdom/memory"
	"kingdom/wire"
)

// delta gathers the rows of agents since the last snapshot.
type delta map[wire.AgentID]*agent.Rows

func (d delta) add(id wire.AgentID, r *agent.Rows) {
	have := d[id]
	if have == nil {
		have = &agent.Rows{}
		d[id] = have
	}
	if r.Memory != nil {
		have.Memory, have.Changes = r.Memory, nil
	}
	have.Changes = append(have.Changes, r.Changes...)
	if r.State != nil {
		have.State = r.State
	}
	have.Experiences = append(have.Experiences, r.Experiences...)
	if len(have.Experiences) > 4*memory.ExperienceWindow {
		compact(have)
	}
	have.Beliefs = append(have.Beliefs, r.Beliefs...)
	have.DeletedBeliefs = append(have.DeletedBeliefs, r.DeletedBeliefs...)
	have.Plans = append(have.Plans, r.Plans...)
	have.Goals = append(have.Goals, r.Goals...)
}

// compact keeps the newest version of each row, and of experiences as many as an
// agent is restored from.
func compact(r *agent.Rows) {
	r.Experiences = newest(r.Experiences, func(a, b agent.ExperienceRow) int { return cmp.Compare(a.ID, b.ID) })
	if extra := len(r.Experiences) - memory.ExperienceWindow; extra > 0 {
		r.Experiences = slices.Clone(r.Experiences[extra:])
	}
	r.Beliefs = newest(r.Beliefs, func(a, b agent.BeliefRow) int { return cmp.Compare(a.ID, b.ID) })
	r.Plans = newest(r.Plans, func(a, b agent.PlanRow) int { return cmp.Compare(a.ID, b.ID) })
	r.Goals = newest(r.Goals, func(a, b agent.GoalRow) int { return a.ID.Compare(b.ID) })
	slices.Sort(r.DeletedBeliefs)
	r.Beliefs = slices.DeleteFunc(r.Beliefs, func(b agent.BeliefRow) bool {
		_, gone := slices.BinarySearch(r.DeletedBeliefs, b.ID)
		return gone
	})
}

// newest sorts by key and keeps the last of those with equal keys.
func newest[R any](rows []R, by func(a, b R) int) []R {
	slices.SortStableFunc(rows, by)
	out := rows[:0]
	for i, r := range rows {
		if i+1 < len(rows) && by(r, rows[i+1]) == 0 {
			continue
		}
		out = append(out, r)
	}
	return out
}

func sortedIDs(d delta) []wire.AgentID {
	ids := make([]wire.AgentID, 0, len(d))
	for id := range d {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, wire.AgentID.Compare)
	return ids
}
