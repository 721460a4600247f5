package table

import (
	"encoding/binary"

	"kingdom/engine"
	"kingdom/wire"
	"kingdom/world"
)

// Cycles is world.cycles: the fingerprint of every cycle end.
var Cycles = define("world", "cycles", 1,
	func(b *engine.Batch) []engine.CycleRow { return []engine.CycleRow{b.Cycle} },
	num("cycle", func(r *engine.CycleRow) wire.Cycle { return r.Cycle }),
	num("tick", func(r *engine.CycleRow) wire.Tick { return r.Tick }),
	num("epoch", func(r *engine.CycleRow) uint32 { return r.Epoch }),
	id32("world_hash", func(r *engine.CycleRow) *wire.Hash { return &r.WorldHash }),
	id32("nexus", func(r *engine.CycleRow) *wire.Hash { return &r.Components[0] }),
	id32("vault", func(r *engine.CycleRow) *wire.Hash { return &r.Components[1] }),
	id32("agora", func(r *engine.CycleRow) *wire.Hash { return &r.Components[2] }),
	id32("oracle", func(r *engine.CycleRow) *wire.Hash { return &r.Components[3] }),
	id32("forge", func(r *engine.CycleRow) *wire.Hash { return &r.Components[4] }),
	id32("mint", func(r *engine.CycleRow) *wire.Hash { return &r.Components[5] }),
	id32("portal", func(r *engine.CycleRow) *wire.Hash { return &r.Components[6] }),
	id32("agents_hash", func(r *engine.CycleRow) *wire.Hash { return &r.AgentsHash }),
	id32("envelopes", func(r *engine.CycleRow) *wire.Hash { return &r.Envelopes }),
	id32("session", func(r *engine.CycleRow) *wire.Hash { return &r.Session }),
	id32("registry", func(r *engine.CycleRow) *wire.Hash { return &r.Registry }),
	num("active", func(r *engine.CycleRow) uint32 { return r.Active }),
	num("dormant", func(r *engine.CycleRow) uint32 { return r.Dormant }),
	num("dead", func(r *engine.CycleRow) uint32 { return r.Dead }),
	num("agent_ticks", func(r *engine.CycleRow) uint64 { return r.AgentTicks }),
	num("nops", func(r *engine.CycleRow) uint64 { return r.NOPs }),
	num("nop_warnings", func(r *engine.CycleRow) uint64 { return r.Warnings }),
	num("fell_dormant", func(r *engine.CycleRow) uint64 { return r.Slept }),
	num("input_seq", func(r *engine.CycleRow) uint64 { return r.InputSeq }),
).appended()

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

// All lists the tables that a batch fills, in the order in which they are
// written: what is referred to comes first.
func All() []*Table {
	return []*Table{
		Agents, Memory, State, Experiences, Beliefs, Plans, Goals,
		Rows, Records, Chains,
		Proposals, Messages, Bounties, Transactions, Accounts, Entries, Events, Metrics,
		Cycles,
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
