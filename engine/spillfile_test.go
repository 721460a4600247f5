package engine

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"kingdom/agent"
	"kingdom/wire"
)

// Spilled bytes read back as they were, in whatever order they were written, and no file is left behind.
func TestSpillFile_ConcurrentPutsReadBack(t *testing.T) {
	dir := t.TempDir()
	a := newSpillFile(dir)
	defer a.release()
	const n = 64
	spans := make([]span, n)
	done := make(chan error, n)
	blob := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, 1_000*i) }
	for i := range n {
		go func() {
			var err error
			spans[i], err = a.put(blob(i))
			done <- err
		}()
	}
	for range n {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		if got := a.read([]byte("before"), spans[i]); !bytes.Equal(got, append([]byte("before"), blob(i)...)) {
			t.Errorf("blob %d is another one", i)
		}
		half := span{spans[i].at, spans[i].length / 2} // also of the one that lies in memory and in the file
		if got := a.read(nil, half); !bytes.Equal(got, blob(i)[:half.length]) {
			t.Errorf("half of blob %d is another one", i)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 || a.file.Load() == nil {
		t.Errorf("a file with a name, or none: %v %v", left, err)
	}
}

// Small amounts need no file; if a file is needed and cannot be made, put returns the error.
func TestSpillFile_FileIsMadeOnlyWhenMemoryIsFull(t *testing.T) {
	dir := t.TempDir()
	a := newSpillFile(filepath.Join(dir, "none"))
	defer a.release()
	little, err := a.put(bytes.Repeat([]byte{1}, spillInMemory))
	if err != nil || a.file.Load() != nil {
		t.Fatalf("what fits needs a file: %v", err)
	}
	if _, err := a.put([]byte{2}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is not there will do: %v", err)
	}
	if got := a.read(nil, little); len(got) != spillInMemory || got[spillInMemory-1] != 1 {
		t.Error("what fits is another")
	}
}

// A batch gives the same rows whether they were spilled or not, and nil for those that did not change.
func TestBatch_SpilledRowsEqualRowsInMemory(t *testing.T) {
	a := newSpillFile(t.TempDir())
	defer a.release()
	due, id := wire.Tick(7), wire.AgentID{1}
	rows := agent.Rows{
		Memory:      &agent.MemoryRow{AgentID: id, Working: []byte("w"), Knowledge: []byte("much"), PeerModel: []byte("peers")},
		Changes:     []agent.ChangesRow{{AgentID: id, Number: 7, Since: 8, Body: []byte("changes")}},
		State:       &agent.StateRow{AgentID: id, Body: []byte("state")},
		Experiences: []agent.ExperienceRow{{ID: 1, AgentID: id, Action: []byte("act"), Outcome: 2}, {ID: 2, AgentID: id, Lesson: []byte("lesson")}},
		Beliefs:     []agent.BeliefRow{{ID: 3, AgentID: id, Claim: []byte("claim"), Confidence: 0.25}},
		Plans:       []agent.PlanRow{{ID: 4, AgentID: id, Steps: []byte("steps"), RiskAssessment: 0.5}},
		Goals:       []agent.GoalRow{{ID: wire.Hash{5}, AgentID: id, Priority: 0.125, Deadline: &due}, {ID: wire.Hash{6}, AgentID: id}},
	}
	s := &seat{rows: rows}
	for to, b := range map[*span][]byte{&s.spilled.knowledge: []byte("much"), &s.spilled.peers: []byte("peers"), &s.spilled.changes: []byte("changes"), &s.spilled.state: []byte("state")} {
		var err error
		if *to, err = a.put(b); err != nil {
			t.Fatal(err)
		}
	}
	s.rows.Memory, s.rows.State = &agent.MemoryRow{AgentID: id, Working: []byte("w")}, &agent.StateRow{AgentID: id}
	s.rows.Changes = []agent.ChangesRow{{AgentID: id, Number: 7, Since: 8}}
	if err := s.spillLists(a); err != nil {
		t.Fatal(err)
	}
	if r := &s.rows; len(r.Experiences)+len(r.Beliefs)+len(r.Plans)+len(r.Goals) > 0 || !s.spilled.any() {
		t.Errorf("not spilled: %+v %+v", s.rows, s.spilled)
	}
	b := &Batch{spillFile: a, spilled: []spilledRows{s.spilled, {}, {}}, Minds: []agent.Rows{s.rows, rows, {}}}
	for i := range 2 {
		if got := whole(b, i); !reflect.DeepEqual(got, rows) {
			t.Errorf("%d: %+v, want %+v", i, got, rows)
		}
	}
	if got := whole(b, 2); !got.Empty() {
		t.Errorf("rows that did not change: %+v", got)
	}
	if b.Minds[0].Memory.Knowledge != nil || b.Minds[0].State.Body != nil || b.Minds[0].Goals != nil {
		t.Error("what was read is kept")
	}
	a.release()
	for _, read := range []func(){func() { b.Memory(0) }, func() { b.Changes(0) }, func() { b.State(0) }, func() { b.Goals(0) }} {
		if err := protect(func() error { read(); return nil }); err == nil {
			t.Error("what was given back is read")
		}
	}
}

// whole is what a batch gives of an agent, in memory of its own.
func whole(b *Batch, i int) agent.Rows {
	r := agent.Rows{
		Experiences: b.Experiences(i), Beliefs: b.Beliefs(i), DeletedBeliefs: b.Minds[i].DeletedBeliefs, Plans: b.Plans(i), Goals: b.Goals(i),
	}
	if m := b.Memory(i); m != nil {
		own := *m
		own.Knowledge, own.PeerModel = bytes.Clone(m.Knowledge), bytes.Clone(m.PeerModel)
		r.Memory = &own
	}
	for _, c := range b.Changes(i) {
		c.Body = bytes.Clone(c.Body)
		r.Changes = append(r.Changes, c)
	}
	if s := b.State(i); s != nil {
		own := *s
		own.Body = bytes.Clone(s.Body)
		r.State = &own
	}
	return r
}
