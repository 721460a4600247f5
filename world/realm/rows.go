package realm

import (
	"fmt"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

// states lists everything that is stored: the daemons' state, then the bus's.
func (r *Realm) states() []*world.State {
	var out []*world.State
	for _, d := range r.daemons {
		out = append(out, d.State())
	}
	return append(out, r.bus.store.state)
}

// TakeRows returns the records that changed since the last call, as of the last EndCycle or Bootstrap.
func (r *Realm) TakeRows() []world.Row {
	var parts [][]world.Row
	for _, s := range r.states() {
		parts = append(parts, s.TakeRows())
	}
	return slices.Concat(parts...)
}

// All returns every row but those of append-only tables, for a snapshot at a
// cycle's end.
func (r *Realm) All() []world.Row {
	var out []world.Row
	for _, s := range r.states() {
		out = append(out, s.All()...)
	}
	return out
}

// Heads returns the heads of all append-only tables.
func (r *Realm) Heads() []world.Head {
	var out []world.Head
	for _, d := range r.daemons {
		out = append(out, d.State().Heads()...)
	}
	return out
}

// Needs reports whether Restore needs the rows of an append-only table.
func (r *Realm) Needs(s wire.System, table string) bool {
	d := r.bySystem.get(s)
	return d != nil && d.State().Needs(table)
}

// Restore restores a world as it was after an EndCycle. rows passes all rows of tables that change, in any order, and
// the rows of the append-only tables for which Needs is true, in order of their keys; others are ignored. No row is
// kept. heads are all heads. r must be new. Next come SetPeers for every agent and StartCycle.
func (r *Realm) Restore(rows func(load func(world.Row) error) error, heads []world.Head) error {
	load := func(row world.Row) error {
		state, err := r.stateOf(row.System, row.Table)
		if err != nil || row.Chain && !state.Needs(row.Table) {
			return err
		}
		return state.Load(row)
	}
	if err := rows(load); err != nil {
		return err
	}
	for _, h := range heads {
		state, err := r.stateOf(h.System, h.Table)
		if err != nil {
			return err
		}
		if err := state.SetHead(h); err != nil {
			return err
		}
	}
	for _, d := range r.daemons {
		d.Restored()
		d.State().FinishRestore()
	}
	r.cycle = r.nexus.Clock().Cycle
	return r.bus.restored()
}

// stateOf finds the state that a row belongs to.
func (r *Realm) stateOf(s wire.System, table string) (*world.State, error) {
	if s == wire.SystemNexus && strings.HasPrefix(table, "bus.") {
		return r.bus.store.state, nil
	}
	if d := r.bySystem.get(s); d != nil {
		return d.State(), nil
	}
	return nil, fmt.Errorf("restore %v table %s: this version has no such daemon; use the version that wrote the run", s, table)
}
