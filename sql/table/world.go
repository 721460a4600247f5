package table

import (
	"encoding/binary"

	"kingdom/engine"
	"kingdom/wire"
	"kingdom/world"
)

// Cycles is world.cycles: hashes and counters of every cycle end.
var Cycles = derive("world", "cycles", 1,
	func(b *engine.Batch) []engine.CycleRow { return []engine.CycleRow{b.Cycle} }).appended()

// WaitingEvents is the name of Nexus's table of the events that wait for agents, as rows of world.rows have it.
const WaitingEvents = "bus.events"

// ViewedRows are the tables of Vault among world.rows that views decode, also while a run goes on.
var ViewedRows = []string{"repos", "registry", "deps"}

// Rows is world.rows: daemon state that changes.
var Rows = define("world", "rows", 3,
	func(b *engine.Batch) []world.Row { return mutable(b.Rows, true) },
	ordinal("system", func(r *world.Row) wire.System { return r.System }),
	text("tbl", func(r *world.Row) string { return r.Table }),
	blob("key", func(r *world.Row) []byte { return r.Key }),
	blob("body", func(r *world.Row) []byte { return r.Body }),
).without(droppedRows)

// Records is world.records: records of append-only daemon tables.
var Records = define("world", "records", 3,
	func(b *engine.Batch) []world.Row { return records(b.Rows) },
	ordinal("system", func(r *world.Row) wire.System { return r.System }),
	text("tbl", func(r *world.Row) string { return r.Table }),
	num("number", func(r *world.Row) uint64 { return binary.BigEndian.Uint64(r.Key) }),
	blob("body", func(r *world.Row) []byte { return r.Body }),
).appended()

// Chains is world.chains: heads of append-only daemon tables.
var Chains = define("world", "chains", 2,
	func(b *engine.Batch) []world.Head { return b.Heads },
	ordinal("system", func(r *world.Head) wire.System { return r.System }),
	text("tbl", func(r *world.Head) string { return r.Table }),
	id32("digest", func(r *world.Head) *wire.Hash { return &r.Digest }),
	num("count", func(r *world.Head) uint64 { return r.Count }),
)

// All returns the tables that a batch fills, in the order in which they are written: a table comes after those to
// which it refers.
func All() []*Table {
	return []*Table{
		Agents, Memory.Table, Changes.Table, State.Table, Experiences.Table, Beliefs.Table, Plans.Table, Goals.Table, Calls,
		Rows, Records, Chains,
		Proposals, Messages, Bounties, Transactions, Accounts, Entries, Events, Metrics.Table,
		Cycles.Table,
	}
}

// mutable picks the rows of tables that change: those that are there (kept) or
// those that are gone. A key that occurs twice counts as it stands last.
func mutable(rows []world.Row, kept bool) []world.Row {
	type place struct {
		system wire.System
		table  string
		key    string
	}
	last := make(map[place]int, len(rows))
	for i := range rows {
		if r := &rows[i]; !r.Chain {
			last[place{r.System, r.Table, string(r.Key)}] = i
		}
	}
	out := make([]world.Row, 0, len(last))
	for i := range rows {
		r := &rows[i]
		if !r.Chain && (r.Body != nil) == kept && last[place{r.System, r.Table, string(r.Key)}] == i {
			out = append(out, *r)
		}
	}
	return out
}

func droppedRows(b *engine.Batch, put func(v ...any)) {
	for _, r := range mutable(b.Rows, false) {
		put(int64(r.System)-1, r.Table, r.Key)
	}
}

// records picks the new records of append-only tables.
func records(rows []world.Row) []world.Row {
	var out []world.Row
	for i := range rows {
		if rows[i].Chain {
			out = append(out, rows[i])
		}
	}
	return out
}
