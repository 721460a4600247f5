package sqlite_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
	"kingdom/wire"
	"kingdom/world"
)

// Events that wait for agents are packed with words until tables are made, other records of the world are not.
func TestStore_PacksWaitingEvents(t *testing.T) {
	s, db := watched(t)
	length := func(tbl string) (n int) {
		t.Helper()
		if err := db.QueryRow(`SELECT sum(length(body)) FROM world_rows WHERE tbl = ?`, tbl).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	body := append([]byte{0x81, 0xa1, 'k', 0xc4, 200}, strings.Repeat("what happened ", 20)[:200]...)
	b := sqltest.Batch(0, 3)
	for _, tbl := range []string{"bus.events", "bus.queues"} {
		for n := range byte(3) {
			b.Rows = append(b.Rows, world.Row{System: wire.SystemNexus, Table: tbl, Key: []byte{n}, Body: body})
		}
	}
	if err := s.CommitCycle(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if events, queues := length("bus.events"), length("bus.queues"); events > 60 || queues != 3*len(body) {
		t.Errorf("events lie there as %d bytes, queues as %d", events, queues)
	}
	read := func() (n int) {
		t.Helper()
		im, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range im.Rows {
			if strings.HasPrefix(r.Table, "bus.") && bytes.Equal(r.Body, body) {
				n++
			}
		}
		return n
	}
	for c := wire.Cycle(1); c < 40; c++ { // the generation of their words stays as long as they do
		if err := s.CommitCycle(t.Context(), sqltest.Batch(c, 3)); err != nil {
			t.Fatal(err)
		}
	}
	if n := read(); n != 6 {
		t.Errorf("%d of 6 rows are read back", n)
	}
	sqltest.WithTables(t, s)
	if n, events := read(), length("bus.events"); n != 6 || events != 3*len(body) {
		t.Errorf("after tables were made %d rows are read back, and events lie there as %d bytes", n, events)
	}
}

// Records of the world have numbers for the names of their fields until tables are made, but for those that views decode.
func TestStore_PacksRecords(t *testing.T) {
	s, db := watched(t)
	id := bytes.Repeat([]byte{7}, 32)
	body := append([]byte("\x82\xa6author\xc4\x20"), id...)
	body = append(body, "\xaacreated_at\x05"...)
	b := sqltest.Batch(0, 3)
	for _, tbl := range []string{"entries", "repos"} {
		b.Rows = append(b.Rows, world.Row{System: wire.SystemVault, Table: tbl, Key: id, Body: body})
	}
	if err := s.CommitCycle(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	check := func(when string, entry int) {
		t.Helper()
		var entries, repos int
		if err := db.QueryRow(`SELECT max(CASE tbl WHEN 'entries' THEN length(body) END), max(CASE tbl WHEN 'repos' THEN length(body) END) FROM world_rows WHERE key = ?`, id).Scan(&entries, &repos); err != nil {
			t.Fatal(err)
		}
		if entries != entry || repos != len(body) {
			t.Errorf("%s an entry lies there as %d bytes and a repo as %d, want %d and %d", when, entries, repos, entry, len(body))
		}
		im, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range im.Rows {
			if bytes.Equal(r.Key, id) && bytes.Equal(r.Body, body) {
				n++
			}
		}
		if n != 2 {
			t.Errorf("%s %d of 2 records are read back", when, n)
		}
	}
	check("in a run", 9) // the format, the map, two names and an id of two bytes, a number
	sqltest.WithTables(t, s)
	check("after tables were made", len(body))
	if _, err := db.Exec(`UPDATE world_rows SET body = x'0581c1ff7f07' WHERE tbl = 'entries' AND system = 1`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "VAULT table entries: it has a name that this program does not know; use the kingdom") {
		t.Errorf("a record of a later version: %v", err)
	}
}

// More records than one step unpacks lose none, and what follows the last of a step is unpacked too.
func TestStore_UnpacksRecordsInSteps(t *testing.T) {
	s, db := watched(t)
	b := sqltest.Batch(0, 1)
	for i := range 12_000 {
		r := world.Row{System: wire.System(1 + i%3), Table: "held", Key: binary.BigEndian.AppendUint32(nil, uint32(i)), Body: []byte("\x81\xa6amount\x05")}
		if i >= 6_000 { // tables of one record have an empty key; the last record of a step is one of them
			r.Table, r.Key = fmt.Sprintf("held-%d", i), []byte{}
		}
		b.Rows = append(b.Rows, r)
	}
	if err := s.CommitCycle(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	sqltest.WithTables(t, s)
	var n int
	if err := db.QueryRow(`SELECT count(*) FROM world_rows WHERE tbl LIKE 'held%' AND body = x'81a6616d6f756e7405'`).Scan(&n); err != nil || n != 12_000 {
		t.Errorf("%d records are unpacked, %v", n, err)
	}
}

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

// An event that waits many cycles for a sleeping agent needs no words of old cycles.
func TestStore_LongWaitingEventsNeedNoOldWords(t *testing.T) {
	s, db := watched(t)
	body := append([]byte{0x81, 0xa1, 'k', 0xc4, 200}, strings.Repeat("what happened ", 20)[:200]...)
	for c := range wire.Cycle(50) {
		b := sqltest.Batch(c, 1)
		if c == 0 {
			b.Rows = append(b.Rows, world.Row{System: wire.SystemNexus, Table: "bus.events", Key: []byte{7}, Body: body})
		}
		if err := s.CommitCycle(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	var oldest int
	if err := db.QueryRow(`SELECT min(generation) FROM history_words`).Scan(&oldest); err != nil || oldest < 2 {
		t.Errorf("after 50 cycles there are words of generation %d, %v", oldest, err)
	}
	im, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range im.Rows {
		if r.Table == "bus.events" && bytes.Equal(r.Body, body) {
			return
		}
	}
	t.Error("the event is gone")
}
