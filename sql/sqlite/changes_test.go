package sqlite_test

import (
	"testing"

	"kingdom/agent"
	"kingdom/memory"
	"kingdom/sql/sqltest"
	"kingdom/wire"
)

// TestStore_DeletesChangesWithTheirRow: once all of a memory is written again, no row of the changes before it is left.
func TestStore_DeletesChangesWithTheirRow(t *testing.T) {
	s, db := watched(t)
	first := sqltest.Batch(0, 1)
	id := agent.NewIdentity(wire.Hash{1}, 3, 60, wire.Genome{Role: wire.RoleLibrarian})
	id.ID = first.Minds[0].Memory.AgentID
	a := agent.New(id, agent.DefaultLimits)
	most, wholes := 0, 0
	for c := range wire.Cycle(12) {
		b := sqltest.Batch(c, 1)
		a.Memory.Knowledge.Learn([]byte{byte(c)}, []byte("some content"), memory.KnowledgeOracle, 0.7, wire.Tick(c))
		b.Minds[0] = a.Flush(wire.Tick(c))
		whole := b.Minds[0].Memory != nil
		if err := s.CommitCycle(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		var n, outdated int
		err := db.QueryRow(`SELECT count(*), coalesce(sum(since <> m.updated_at), 0) FROM agent_changes c JOIN agent_agent_memory m USING (agent_id) WHERE agent_id = ?`, id.ID[:]).Scan(&n, &outdated)
		if err != nil {
			t.Fatal(err)
		}
		if outdated > 0 || whole && n > 0 {
			t.Fatalf("cycle %d, all of the memory written: %t, leaves %d changes, of them %d outdated", c, whole, n, outdated)
		}
		most = max(most, n)
		if whole {
			wholes++
		}
	}
	if most < 2 || wholes < 2 {
		t.Errorf("at most %d changes, %d rows of all; want both more often", most, wholes)
	}
}
