package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
)

// What an agent is restored from is packed until tables are made. One that was changed from outside is not restored, and
// the error says so.
func TestStore_PacksMemories(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kingdom.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Later)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := sqltest.Batch(0, 3)
	known := append([]byte{0x82}, strings.Repeat("what an agent knows ", 500)...)
	b.Minds[0].Memory.Knowledge, b.Minds[0].State.Body = known, known
	if err := s.CommitCycle(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	id := b.Minds[0].Memory.AgentID
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lengths := func() (knowledge, state int) {
		t.Helper()
		err := db.QueryRow(`SELECT length(knowledge), length(body) FROM agent_agent_memory JOIN agent_state USING (agent_id) WHERE agent_id = ?`, id[:]).Scan(&knowledge, &state)
		if err != nil {
			t.Fatal(err)
		}
		return knowledge, state
	}
	if k, st := lengths(); k > len(known)/10 || st > len(known)/10 {
		t.Errorf("%d bytes lie there as %d and %d", len(known), k, st)
	}
	if _, err := db.Exec(`UPDATE agent_state SET body = substr(body, 1, length(body) - 1) WHERE agent_id = ?`, id[:]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LoadAgent(t.Context(), id); err == nil || !strings.Contains(err.Error(), "checksum differs") {
		t.Errorf("a damaged state is read: %v", err)
	}
	next := sqltest.Batch(1, 3)
	next.Minds[0].Memory.Knowledge, next.Minds[0].State.Body = known, known
	if err := s.CommitCycle(t.Context(), next); err != nil {
		t.Fatal(err)
	}
	sqltest.WithTables(t, s)
	if k, st := lengths(); k != len(known) || st != len(known) {
		t.Errorf("after tables were made %d and %d bytes lie there", k, st)
	}
}
