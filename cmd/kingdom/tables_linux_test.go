package main

import (
	"testing"

	"kingdom/sql/sqltest"
)

// A run of another user that has all its tables is told to have them. One that lacks some says what to do, and nothing changes.
func TestTables_WhereNothingMayBeWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	for dir, tables := range map[string]string{"whole": "end", "part": "demand"} {
		must(t, in(t, "run", "epoch0", "--cycles", "2", "--set", "store.tables="+tables, "--out", dir))
	}
	defer sqltest.AsStranger(t, "whole", "part")()
	says(t, "tables|whole", exitOK, "the tables of whole hold all 2 cycles\n")
	says(t, "tables|part", exitFailure, "this user may not write in it; change its permissions, or use a copy that you own")
	says(t, "society|part", exitFailure, "the tables of part are not filled yet")
}
