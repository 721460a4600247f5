package sqlite_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vmihailenco/msgpack/v5"

	"kingdom/engine"
	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
	"kingdom/wire"
)

// batchOf is a cycle of two agents with the same memories and states in MessagePack; rows of the second are only there if it is awake.
func batchOf(t *testing.T, c wire.Cycle, awake bool) *engine.Batch {
	t.Helper()
	b := sqltest.Batch(c, 2)
	for i := range b.Minds {
		known := []string{fmt.Sprintf("a text of cycle %d", c)}
		for n := range 200 {
			known = append(known, fmt.Sprintf("a text that many know, number %d of the %d-th generation", n, c/16))
		}
		raw, err := msgpack.Marshal(known)
		if err != nil {
			t.Fatal(err)
		}
		m := &b.Minds[i]
		m.Memory.Knowledge, m.Memory.PeerModel, m.State.Body = raw, raw, raw
		m.Changes, m.DeletedChanges = nil, 0
		if i == 1 && !awake {
			m.Memory, m.State = nil, nil
		}
	}
	return b
}

// What agents know is read back whoever asks, across generations of words, after openings in the midst of one and after commits that failed;
// words that nothing needs any more are deleted, and no others are, and what an agent that sleeps for long remembers needs none that are older
// than those of the generation before.
func TestStore_WordsAcrossGenerations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kingdom.db")
	var s *sqlite.Store
	open := func() {
		t.Helper()
		if s != nil {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if s, err = sqlite.Open(t.Context(), path, sqlite.Later); err != nil {
			t.Fatal(err)
		}
	}
	open()
	defer func() { s.Close() }()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	generations := func() (list string) {
		t.Helper()
		if err := db.QueryRow(`SELECT coalesce(group_concat(generation || ':' || n, ' '), '') FROM (SELECT generation, count(*) AS n FROM history_words GROUP BY 1 ORDER BY 1)`).Scan(&list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	exec := func(stmt string) {
		t.Helper()
		if _, err := db.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	var asleep []byte
	for c := range wire.Cycle(50) {
		awake := c <= 14 || c >= 40 // the second agent
		if c%7 == 3 {
			exec(`CREATE TRIGGER fails BEFORE INSERT ON history_words BEGIN SELECT RAISE(ABORT, 'no more words'); END`)
			broken := sqltest.Batch(c, 2)
			broken.Minds[0].State.Body = append([]byte{0x91, 0xaf}, "a text of no use"[:15]...)
			if err := s.CommitCycle(t.Context(), broken); err == nil || !strings.Contains(err.Error(), "no more words") {
				t.Fatalf("a commit without its words: %v", err)
			}
			exec(`DROP TRIGGER fails`)
		}
		if c%5 == 2 {
			open()
		}
		b := batchOf(t, c, awake)
		if err := s.CommitCycle(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if awake {
			asleep = b.Minds[1].State.Body
		}
		for i, want := range [][]byte{b.Minds[0].State.Body, asleep} {
			r, err := s.LoadAgent(t.Context(), sqltest.ID(i))
			if err != nil || !bytes.Equal(r.State.Body, want) || !bytes.Equal(r.Memory.Knowledge, want) || !bytes.Equal(r.Memory.PeerModel, want) {
				t.Fatalf("cycle %d: agent %d is not read back: %v", c, i, err)
			}
		}
		if want, ok := map[wire.Cycle]string{0: "0:1", 1: "0:2", 15: "0:16", 16: "0:16 1:1", 31: "0:16 1:16", 32: "1:16 2:1", 48: "2:16 3:1"}[c]; ok {
			if got := generations(); got != want {
				t.Errorf("after cycle %d there are blocks %q, want %q", c, got, want)
			}
		}
	}
	im, err := s.Load(t.Context())
	if err != nil || !bytes.Equal(im.Minds[1].Memory.Knowledge, asleep) {
		t.Errorf("Load: %v", err)
	}
	sqltest.WithTables(t, s)
	var plain []byte
	if err := db.QueryRow(`SELECT body FROM agent_state WHERE agent_id = ?`, func() []byte { id := sqltest.ID(1); return id[:] }()).Scan(&plain); err != nil || !bytes.Equal(plain, asleep) {
		t.Errorf("after tables were made: %s, %v", cmp.Diff(asleep, plain), err)
	}
	for c := wire.Cycle(50); c < 66; c++ { // a run goes on after tables were made, in the same generation and in the next
		if err := s.CommitCycle(t.Context(), batchOf(t, c, true)); err != nil {
			t.Fatal(err)
		}
	}
	if got := generations(); got != "3:16 4:2" {
		t.Errorf("at the end there are blocks %q", got)
	}
}

// What was unpacked for a snapshot is shared by many agents, and not needed any more when the next cycle is written.
func TestStore_ReleasesWhatASnapshotRead(t *testing.T) {
	s, _ := watched(t)
	for c := range wire.Cycle(3) {
		b := batchOf(t, c, true)
		if err := s.CommitCycle(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if n := sqlite.MindsInMemory(s); n > 0 {
			t.Errorf("cycle %d: %d bytes are kept of what was read in the one before", c, n)
		}
		if _, _, err := s.LoadLiving(t.Context(), b.Minds[0].State.AgentID); err != nil {
			t.Fatal(err)
		}
		if sqlite.MindsInMemory(s) == 0 {
			t.Errorf("cycle %d: nothing is kept of what was read", c)
		}
	}
}
