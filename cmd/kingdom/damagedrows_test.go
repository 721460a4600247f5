package main

import (
	"strings"
	"testing"
)

// Rows that are whole and do not belong together are damage, whether a daemon finds that or cannot go on with them.
func TestCommands_RowsThatDoNotBelongTogether(t *testing.T) {
	const apart = "restore cycle 3: the stored rows do not belong together ("
	for sql, says := range map[string]string{
		"DELETE FROM world_chains": apart, "DELETE FROM world_rows": apart,
		"DELETE FROM history_blobs": "part 0: it is missing; the database was damaged or changed from outside: restore it from a copy",
	} {
		s := runEpoch0(t, "--cycles", "3")
		if _, err := s.db.Exec(sql); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"inspect", s.dir}, {"resume", s.dir, "--cycles", "4"}} {
			r := in(t, append(command, "--json")...)
			if r.code != exitFailure || !strings.Contains(r.err, says) || !strings.Contains(r.out, `"code":"damaged"`) {
				t.Errorf("%v after %s: exit %d: %s", command, sql, r.code, r.err)
			}
		}
	}
}
