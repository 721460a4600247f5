package memory

// RowIDs numbers the rows of one agent. A row id is the same in all stores: spawn_index << 32 | counter. The counter
// starts at 1 and is shared by all tables of the agent.
type RowIDs struct {
	SpawnIndex uint64
	Last       uint32 // counter of the newest row
}

// Next returns a new row id. It panics after 2^32-1 rows of one agent.
func (r *RowIDs) Next() uint64 {
	if r.Last == 1<<32-1 {
		panic("memory: row counter of an agent is exhausted")
	}
	r.Last++
	return r.SpawnIndex<<32 | uint64(r.Last)
}
