package engine

import (
	"errors"
	"strings"
	"testing"

	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/wire"
)

var testRun = RunRow{Scenario: "test", Digest: wire.Hash{1}, Seed: "42", Physics: Physics}

// writeJournal makes a journal of two segments: a thought, an input and a tick
// record per tick, and a cycle record at the end of each segment.
func writeJournal(t *testing.T) (dir string, records int) {
	t.Helper()
	dir = t.TempDir()
	j, err := journal.Open(dir, testRun.digest(), 1)
	if err != nil {
		t.Fatal(err)
	}
	put := func(kind recordKind, sync bool, body func([]byte) []byte) {
		if sync {
			err = j.PutSync(kind, body)
		} else {
			err = j.Put(kind, body)
		}
		if err != nil {
			t.Fatal(err)
		}
		records++
	}
	for c := range wire.Cycle(2) {
		for tick := wire.Tick(c); tick <= wire.Tick(c); tick++ {
			in := inputRecord{Seq: uint64(tick + 1), Tick: tick, Kind: uint8(InputWake), Agent: wire.AgentID{7}}
			put(recordInput, true, func(b []byte) []byte { return inputCodec.Append(b, &in) })
			key := thoughtKey{wire.AgentID{7}, tick, "act", 0}
			r := newThoughtRecord(key, wire.Hash{}, &llm.Thought{Outcome: llm.Answered, Text: []byte("hello")})
			put(recordThought, true, func(b []byte) []byte { return thoughtCodec.Append(b, &r) })
			rec := tickRecord{Tick: tick, Seats: []byte("12345678")}
			put(recordTick, false, func(b []byte) []byte { return tickCodec.Append(b, &rec) })
		}
		r := newCycleRecord(&CycleRow{Cycle: c, Tick: wire.Tick(c)}, wire.Hash{byte(c)})
		put(recordCycle, false, func(b []byte) []byte { return cycleCodec.Append(b, &r) })
		j.Next()
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, records
}

func TestJournal_ReadsBackInOrder(t *testing.T) {
	dir, _ := writeJournal(t)
	h, err := openHistory(dir, testRun.digest())
	if err != nil {
		t.Fatal(err)
	}
	for c := range wire.Cycle(2) {
		for tick := wire.Tick(c); tick <= wire.Tick(c); tick++ {
			if due, ok := h.nextInput(); !ok || due != tick {
				t.Fatalf("tick %d: input due at %d, %v", tick, due, ok)
			}
			if in, err := h.takeInput(); err != nil || in.Seq != uint64(tick+1) {
				t.Fatalf("tick %d: input %+v, %v", tick, in, err)
			}
			got := map[thoughtKey]thoughtRecord{}
			if err := h.readThoughts(tick, got); err != nil || len(got) != 1 {
				t.Fatalf("tick %d: thoughts %v, %v", tick, got, err)
			}
			if r, ok, err := h.takeTick(tick); err != nil || !ok || r.Tick != tick {
				t.Fatalf("tick %d: record %+v, %v, %v", tick, r, ok, err)
			}
		}
		if r, ok, err := h.takeCycle(c); err != nil || !ok || r.Thoughts != (wire.Hash{byte(c)}) {
			t.Fatalf("cycle %d: record %+v, %v, %v", c, r, ok, err)
		}
	}
	if !h.ended() {
		t.Error("history goes on")
	}
}

func TestJournal_SkipsToCycle(t *testing.T) {
	dir, _ := writeJournal(t)
	h, err := openHistory(dir, testRun.digest())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.skipCycle(0); err != nil {
		t.Fatal(err)
	}
	if due, ok := h.nextInput(); !ok || due != 1 {
		t.Errorf("after cycle 0 an input is due at %d, %v; want 1", due, ok)
	}
	if _, err := h.skipCycle(9); err == nil || !strings.Contains(err.Error(), "cycle 9") {
		t.Errorf("skip past the end: %v", err)
	}
}

func TestJournal_RecordOfAnUnknownKind(t *testing.T) {
	cfg := testConfig("42", 1)
	dir, run := t.TempDir(), cfg.Identity()
	w, err := journal.Open(journalOf(dir), run.digest(), 1)
	if err != nil {
		t.Fatal(err)
	}
	in := inputRecord{Seq: 1, Tick: 1, Kind: uint8(InputWake), File: "a.yaml", Item: 1}
	known := w.Put(recordInput, func(b []byte) []byte { return inputCodec.Append(b, &in) })
	other := w.Put(recordCycle+1, func(b []byte) []byte { return append(b, 0x80) })
	if err := errors.Join(known, other, w.Close()); err != nil {
		t.Fatal(err)
	}
	var bad *CorruptError
	if _, err := OutsideInputs(dir, &cfg, 9); !errors.As(err, &bad) {
		t.Errorf("OutsideInputs = %v, want a CorruptError", err)
	}
	if _, err := RefusedInputs(dir, &cfg, 9); !errors.As(err, &bad) {
		t.Errorf("RefusedInputs = %v, want a CorruptError", err)
	}
}
