package engine

import (
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// shownEntries are the Oracle's entries that changed in a cycle, as they are at its end.
type shownEntries struct {
	entries []wire.OracleEntry
	missing []wire.Missing // bodies that the flush has to read
}

// changedEntries returns the entries among the rows. It reads the world, so it is called at the cycle end, not in the
// flush.
func changedEntries(w *realm.Realm, rows []world.Row) *shownEntries {
	n := 0
	for i := range rows {
		if isEntry(&rows[i]) {
			n++
		}
	}
	out := &shownEntries{entries: make([]wire.OracleEntry, n)}
	n = 0
	for i := range rows {
		if isEntry(&rows[i]) {
			w.Oracle().Show(&out.missing, wire.Hash(rows[i].Key), &out.entries[n])
			n++
		}
	}
	return out
}

func isEntry(r *world.Row) bool {
	return r.System == wire.SystemOracle && r.Table == "entries" && r.Body != nil
}

// bodies returns the texts by entry, after the missing ones were read.
func (s *shownEntries) bodies() map[wire.Hash][]byte {
	out := make(map[wire.Hash][]byte, len(s.entries))
	for i := range s.entries {
		out[s.entries[i].ID] = s.entries[i].Body
	}
	return out
}
