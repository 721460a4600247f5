package main

import (
	"strings"
	"testing"
)

// Rows that are whole and do not belong together are damage, whether a daemon finds that or cannot go on with them.
func TestCommands_RowsThatDoNotBelongTogether(t *testing.T) {
	for _, sql := range []string{"DELETE FROM world_chains", "DELETE FROM world_rows"} {
		s := runEpoch0(t, "--cycles", "3")
		if _, err := s.db.Exec(sql); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"inspect", s.dir}, {"resume", s.dir, "--cycles", "4"}} {
			r := in(t, append(command, "--json")...)
			if r.code != exitFailure || !strings.Contains(r.err, "restore cycle 3: the stored rows do not belong together (") || !strings.Contains(r.out, `"code":"damaged"`) {
				t.Errorf("%v after %s: exit %d: %s", command, sql, r.code, r.err)
			}
		}
	}
}
