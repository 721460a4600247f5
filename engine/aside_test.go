package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"kingdom/agent"
	"kingdom/wire"
)

// What is laid aside comes back as it was, whoever was first, and leaves no file behind.
func TestAside_GivesBack(t *testing.T) {
	dir := t.TempDir()
	a, err := newAside(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("a file with a name: %v %v", left, err)
	}
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
		if !bytes.Equal(a.get(spans[i]), blob(i)) {
			t.Errorf("blob %d is another one", i)
		}
	}
	if _, err := newAside(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there will do")
	}
}

// A batch gives whole rows whether they were laid aside or not, and those that did not change
// as nil.
func TestBatch_GivesWholeRows(t *testing.T) {
	a, err := newAside(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	var large largeRows
	if large.knowledge, err = a.put([]byte("much")); err != nil {
		t.Fatal(err)
	}
	if large.state, err = a.put([]byte("state")); err != nil {
		t.Fatal(err)
	}
	id := wire.AgentID{1}
	b := &Batch{
		aside: a, large: []largeRows{large, {}, {}},
		Minds: []agent.Rows{
			{Memory: &agent.MemoryRow{AgentID: id, Working: []byte("w")}, State: &agent.StateRow{AgentID: id}},
			{Memory: &agent.MemoryRow{Knowledge: []byte("held")}, State: &agent.StateRow{Body: []byte("held")}},
			{},
		},
	}
	if m := b.Memory(0); string(m.Knowledge) != "much" || string(m.Working) != "w" || m.AgentID != id {
		t.Errorf("%+v", m)
	}
	if s := b.State(0); string(s.Body) != "state" || s.AgentID != id {
		t.Errorf("%+v", s)
	}
	if b.Minds[0].Memory.Knowledge != nil || b.Minds[0].State.Body != nil {
		t.Error("what was read is kept")
	}
	if string(b.Memory(1).Knowledge) != "held" || string(b.State(1).Body) != "held" {
		t.Error("what was not laid aside is lost")
	}
	if b.Memory(2) != nil || b.State(2) != nil {
		t.Error("rows that did not change")
	}
	a.close()
	if err := protect(func() error { b.Memory(0); return nil }); err == nil {
		t.Error("a file that cannot be read is read")
	}
}
