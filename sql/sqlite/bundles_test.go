package sqlite_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/sql/sqltest"
	"kingdom/wire"
)

// Beliefs lie in one value per agent until tables are made, and are the same whether they are read from there, from a table that
// an earlier version wrote, or from both: of one agent here and of another there.
func TestStore_BundlesBeliefs(t *testing.T) {
	s, db := watched(t)
	lies := func(want string) {
		t.Helper()
		var got string
		if err := db.QueryRow(`SELECT (SELECT count(*) FROM history_bundles WHERE tbl = 'agent.beliefs') || ' ' || (SELECT count(*) FROM agent_beliefs)`).Scan(&got); err != nil || got != want {
			t.Errorf("there are %q values and rows, %v; want %q", got, err, want)
		}
	}
	want := map[wire.AgentID][]agent.BeliefRow{}
	commit := func(b *engine.Batch) {
		t.Helper()
		if err := s.CommitCycle(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for i := range b.Minds {
			if list := b.Minds[i].Beliefs; len(list) > 0 {
				want[list[0].AgentID] = append(want[list[0].AgentID], list...)
			}
		}
	}
	read := func() {
		t.Helper()
		im, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, all := range im.Minds {
			id := all.State.AgentID
			one, err := s.LoadAgent(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			living, _, err := s.LoadLiving(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			for from, got := range map[string][]agent.BeliefRow{"Load": all.Beliefs, "LoadAgent": one.Beliefs, "LoadLiving": living.Beliefs} {
				if d := cmp.Diff(want[id], got); d != "" {
					t.Errorf("%s differs (-want +got):\n%s", from, d)
				}
			}
		}
	}
	commit(sqltest.Batch(0, 3))
	commit(sqltest.Batch(1, 3))
	lies("3 0")
	read()

	sqltest.WithTables(t, s) // as an earlier version has them, too
	lies("0 6")
	read()

	later := sqltest.Batch(2, 3)
	later.Minds[0].Beliefs = nil // of this agent they stay where they are
	gone := later.Minds[1].Beliefs[0].ID - 8
	later.Minds[1].DeletedBeliefs = []uint64{gone}
	id := later.Minds[1].State.AgentID
	want[id] = want[id][:1]
	commit(later)
	lies("2 6")
	read()

	last := sqltest.Batch(3, 3)
	for i := range last.Minds {
		last.Minds[i].Beliefs = nil
		last.Minds[i].DeletedBeliefs = nil
	}
	last.Minds[1].DeletedBeliefs = []uint64{gone - 8, gone + 8} // all that it held
	want[id] = nil
	commit(last)
	read()
	sqltest.WithTables(t, s)
	lies("0 5")
	read()
	sqltest.WithTables(t, s)
	lies("0 5")

	if _, err := db.Exec(`INSERT INTO history_bundles VALUES (1, 'agent.beliefs', ?)`, bytes.Repeat([]byte{2}, 20)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LoadAgent(t.Context(), sqltest.ID(0)); err == nil {
		t.Error("a damaged value is read")
	}
}

// What a commit that failed would have made of the rows of an agent is forgotten with it.
func TestStore_BundlesAfterACommitThatFailed(t *testing.T) {
	s, db := watched(t)
	commit := func(b *engine.Batch) error { return s.CommitCycle(t.Context(), b) }
	if err := errors.Join(commit(sqltest.Batch(0, 2)), commit(sqltest.Batch(1, 2))); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TRIGGER fails BEFORE INSERT ON history_state BEGIN SELECT RAISE(ABORT, 'not now'); END`); err != nil {
		t.Fatal(err)
	}
	broken := sqltest.Batch(2, 2)
	broken.Minds[0].Beliefs = sqltest.Batch(9, 2).Minds[0].Beliefs
	if err := commit(broken); err == nil || !strings.Contains(err.Error(), "not now") {
		t.Fatalf("a commit that fails: %v", err)
	}
	if _, err := db.Exec(`DROP TRIGGER fails`); err != nil {
		t.Fatal(err)
	}
	if err := commit(sqltest.Batch(2, 2)); err != nil {
		t.Fatal(err)
	}
	var want []agent.BeliefRow
	for c := range wire.Cycle(3) {
		want = append(want, sqltest.Batch(c, 2).Minds[0].Beliefs...)
	}
	if got, err := s.LoadAgent(t.Context(), sqltest.ID(0)); err != nil || cmp.Diff(want, got.Beliefs) != "" {
		t.Errorf("beliefs differ (-want +got):\n%s%v", cmp.Diff(want, got.Beliefs), err)
	}
}
