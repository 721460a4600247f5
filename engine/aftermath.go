package engine

import (
	"context"
	"errors"

	"kingdom/agent"
	"kingdom/wire"
)

// replay goes on after a difference at the end of a cycle, which names no agent, until an agent does something else than the
// run has recorded. A nil replay ends at the first difference.
type replay struct {
	e     *Engine
	last  wire.Cycle       // in the store
	found *DivergenceError // at the end of a cycle; nil: none yet
}

// hasFound reports whether a difference at the end of a cycle was found: what the ends of later cycles show follows from it.
func (r *replay) hasFound() bool { return r != nil && r.found != nil }

// difference returns the difference at the end of a cycle that was found; nil if none was.
func (r *replay) difference() *DivergenceError {
	if !r.hasFound() {
		return nil
	}
	return r.found
}

// take gets what was found at the end of a cycle, and returns the error with which the replay ends.
func (r *replay) take(ctx context.Context, row *CycleRow, err error) error {
	if r == nil {
		return err
	}
	d, ok := errors.AsType[*DivergenceError](err)
	atEnd := ok && d.Tick == 0 // of the cycle, as a whole
	switch {
	case err != nil && (!atEnd || r.found == nil && d.Stored):
		return err
	case r.found == nil && err == nil:
		return nil
	case r.found == nil:
		d.After = &Aftermath{}
		r.found = d
	}
	after := r.found.After
	after.Until = row.Cycle
	if after.States == nil {
		after.States = r.differingStates(ctx, row.Cycle)
	}
	return nil
}

// result returns what a replay found. ended is the error with which it ended.
func (r *replay) result(ended error) error {
	if !r.hasFound() {
		return ended
	}
	if d, ok := errors.AsType[*DivergenceError](ended); ok {
		r.found.After.Act = d
	} else {
		r.found.After.Stopped = ended
	}
	return r.found
}

// shownAgents is how many agents a StateDifference names.
const shownAgents = 5

// differingStates compares the agents at the end of a cycle with those of the run. It returns nil if the run does not have
// them, or if none differs.
func (r *replay) differingStates(ctx context.Context, c wire.Cycle) *StateDifference {
	minds := r.storedMinds(ctx, c)
	if minds == nil {
		return nil
	}
	at := make(map[wire.AgentID]*agent.Rows, len(minds))
	for i := range minds {
		if minds[i].State != nil {
			at[minds[i].State.AgentID] = &minds[i]
		}
	}
	out := &StateDifference{Cycle: c}
	add := func(id wire.AgentID, parts []string) {
		if out.Count++; out.Count <= shownAgents {
			out.Agents = append(out.Agents, AgentDifference{id, parts})
		}
	}
	for _, s := range r.e.agents.bySpawn() {
		rows := at[s.id]
		delete(at, s.id)
		if rows == nil {
			add(s.id, nil)
			continue
		}
		who := agent.Identity{ID: s.id, Key: s.a.Key, SpawnIndex: s.a.SpawnIndex, SpawnTick: s.a.SpawnTick, Genome: s.a.Genome}
		was, err := agent.Restore(who, r.e.cfg.Limits, *rows)
		if err != nil {
			continue // another build wrote it in another form: what it did then has to do
		}
		if parts := was.Differences(s.a); parts != nil {
			add(s.id, parts)
		}
	}
	for i := range minds {
		if s := minds[i].State; s != nil && at[s.AgentID] != nil {
			add(s.AgentID, nil)
		}
	}
	if out.Count == 0 {
		return nil
	}
	return out
}

// storedMinds returns the agents of the run at the end of a cycle; nil if neither a snapshot nor the store has them, or if
// they cannot be read: the difference that was found is told without them.
func (r *replay) storedMinds(ctx context.Context, c wire.Cycle) []agent.Rows {
	if r.e.dir != "" {
		if img, _, err := snapshotFiles(r.e).read(ctx, c); err == nil {
			return img.Minds
		}
	}
	if c != r.last {
		return nil
	}
	img, err := r.e.db.Load(ctx)
	if err != nil || img == nil || img.Cycle.Cycle != c {
		return nil
	}
	return img.Minds
}
