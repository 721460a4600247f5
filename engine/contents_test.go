package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// shelfStore is a store with records of one table; it notes what is read of them.
type shelfStore struct {
	*memStore
	reads []string
	fail  error
}

func newShelf(bodies ...string) *shelfStore {
	s := &shelfStore{memStore: newMemStore()}
	for i, b := range bodies {
		key := binary.BigEndian.AppendUint64(nil, uint64(i))
		p := place{wire.SystemAgora, "messages"}
		s.chains[p] = append(s.chains[p], world.Row{System: p.system, Table: p.table, Key: key, Body: []byte(b), Chain: true})
	}
	return s
}

func (s *shelfStore) read(x *contentReader, t *testing.T, numbers ...uint64) ([]string, error) {
	out := make([]string, len(numbers))
	var missing []wire.Missing
	for i, n := range numbers {
		missing = append(missing, wire.Missing{
			Record: wire.RecordID{System: wire.SystemAgora, Table: "messages", Number: n},
			Fill: func(record []byte) error {
				if len(record) == 0 {
					return errors.New("empty")
				}
				out[i] = string(record)
				return nil
			},
		})
	}
	return out, x.fill(t.Context(), missing)
}

func TestContentReader(t *testing.T) {
	s := newShelf("zero", "one", "two", "three", "four", "")
	x := newContentReader(&countingStore{s})
	for _, tt := range []struct {
		numbers []uint64
		want    string
		reads   []string
	}{
		{[]uint64{4, 1, 2}, "four one two", []string{"1-3", "4-5"}}, // neighbours together
		{[]uint64{2, 2, 1}, "two two one", nil},                     // known
		{[]uint64{3, 0, 3}, "three zero three", []string{"0-1", "3-4"}},
		{nil, "", nil},
	} {
		s.reads = nil
		got, err := s.read(x, t, tt.numbers...)
		if err != nil || strings.Join(got, " ") != tt.want || !slices.Equal(s.reads, tt.reads) {
			t.Errorf("read %v: %q after reading %v, %v; want %q after %v", tt.numbers, got, s.reads, err, tt.want, tt.reads)
		}
	}
	if _, err := s.read(x, t, 9); err == nil || !strings.Contains(err.Error(), "record 9 of AGORA table messages is not in the store") {
		t.Errorf("a record that does not exist: %v", err)
	}
	if _, err := s.read(x, t, 5); err == nil || err.Error() != "empty" {
		t.Errorf("a record that is not the right one: %v", err)
	}
	for number, body := range []string{6: "six", 7: "seven"} { // as cycles write them
		if body != "" {
			row := world.Row{System: wire.SystemAgora, Table: "messages", Key: binary.BigEndian.AppendUint64(nil, uint64(number)), Body: []byte(body), Chain: true}
			other := row
			other.Table = "deeds" // nobody ever asked for one
			x.addNew([]world.Row{row, other})
		}
	}
	s.reads = nil
	if got, err := s.read(x, t, 7, 6); err != nil || strings.Join(got, " ") != "seven six" || s.reads != nil {
		t.Errorf("records that have just gone to the store: %q after reading %v, %v", got, s.reads, err)
	}
	if n := len(x.recent.bodies); n != 7 {
		t.Errorf("%d records are known, want 7: all but those of a table that nobody asks for", n)
	}
	s.fail = errors.New("disk on fire")
	if _, err := s.read(newContentReader(&countingStore{s}), t, 1); !errors.Is(err, s.fail) {
		t.Errorf("a failing store: %v", err)
	}
}

// countingStore is a shelfStore as the engine sees it.
type countingStore struct{ *shelfStore }

func (s *countingStore) ChainRows(ctx context.Context, system wire.System, table string, from, to uint64, each func(world.Row) error) error {
	s.mu.Lock()
	s.reads = append(s.reads, fmt.Sprintf("%d-%d", from, to))
	s.mu.Unlock()
	if s.shelfStore.fail != nil {
		return s.shelfStore.fail
	}
	return s.memStore.ChainRows(ctx, system, table, from, to, each)
}

// The cache holds what was used last and never more than its limit.
func TestContentReader_IsBounded(t *testing.T) {
	bodies := make([]string, 64)
	for i := range bodies {
		bodies[i] = strings.Repeat(string(rune('A'+i)), 10)
	}
	s := newShelf(bodies...)
	x := newContentReader(&countingStore{s})
	x.limit = 100
	for i := range uint64(64) {
		if _, err := s.read(x, t, i); err != nil {
			t.Fatal(err)
		}
		held := 0
		for _, set := range []recordSet{x.recent, x.older} {
			sum := 0
			for _, b := range set.bodies {
				sum += len(b)
			}
			if sum != set.bytes {
				t.Fatalf("after %d: %d bytes held, %d counted", i, sum, set.bytes)
			}
			held += sum
		}
		if held > x.limit {
			t.Fatalf("after %d: %d bytes held, limit %d", i, held, x.limit)
		}
	}
	s.reads = nil
	for _, n := range []uint64{63, 62, 61, 60, 59} {
		if _, err := s.read(x, t, n); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.reads) > 0 {
		t.Errorf("the newest five of 64 were read again: %v", s.reads)
	}
	if _, err := s.read(x, t, 0); err != nil || len(s.reads) != 1 {
		t.Errorf("the oldest of 64 was still held (%v)", err)
	}
	big := newShelf(strings.Repeat("x", 51))
	x = newContentReader(&countingStore{big})
	x.limit = 100
	if got, err := big.read(x, t, 0); err != nil || len(got[0]) != 51 || x.recent.bytes != 0 {
		t.Errorf("a record of half the limit and more: %q, %v, %d bytes held", got, err, x.recent.bytes)
	}
}

// A run that reads old contents back from its store has the same hashes as one that keeps everything in memory.
func TestEngine_ReadingBackFromStoreGivesSameHashes(t *testing.T) {
	run := func(opt Options, cycles wire.Cycle) (Summary, *Engine) {
		t.Helper()
		opt.Mind = testMind("42")
		e, err := Start(t.Context(), testConfig("42", 8), opt)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		sum, err := e.Run(t.Context(), cycles)
		if err != nil {
			t.Fatal(err)
		}
		return sum, e
	}
	const cycles = 12
	kept, _ := run(Options{}, cycles)
	s := &countingStore{newShelf()}
	stored, e := run(Options{Store: s}, cycles)
	if kept.WorldHash != stored.WorldHash || kept.AgentsHash != stored.AgentsHash {
		t.Errorf("world %v, agents %v; with a store %v, %v", kept.WorldHash, kept.AgentsHash, stored.WorldHash, stored.AgentsHash)
	}
	if len(s.reads) == 0 {
		t.Error("nothing was ever read back: the world forgets nothing, or the test asks for nothing old")
	}
	if len(e.stored) == 0 {
		t.Error("the world was never told what is in the store")
	}
}

// bodyStore looks at the texts that come with the rows of entries.
type bodyStore struct {
	*memStore
	t      *testing.T
	bodies int
}

func (b *bodyStore) CommitCycle(ctx context.Context, batch *Batch) error {
	for _, r := range batch.Rows {
		if r.System == wire.SystemOracle && r.Table == "entries" && r.Body != nil {
			b.bodies++
			if len(batch.Bodies[wire.Hash(r.Key)]) == 0 {
				b.t.Errorf("cycle %d: entry %x is written without its text", batch.Cycle.Cycle, r.Key)
			}
		}
	}
	return b.memStore.CommitCycle(ctx, batch)
}

func TestStore_NewEntryRowsHaveBodies(t *testing.T) {
	db := &bodyStore{memStore: newMemStore(), t: t}
	mustRun(t, testConfig("42", 8), Options{Store: db}, 2)
	if db.bodies == 0 {
		t.Error("no entry was written; the test shows nothing")
	}
}
