package observe

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kingdom/engine"
	"kingdom/wire"
)

// What is kept of a wait is read again, and nothing is left when it is over.
func TestWait_KeptAndRemoved(t *testing.T) {
	dir, began := t.TempDir(), time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	w := &engine.Wait{Cycle: 1, Tick: 256}
	for n := range uint64(mostWaited + 5) {
		w.Agents = append(w.Agents, engine.WaitedFor{Agent: wire.AgentID{byte(n + 1)}, Number: n + 1, Since: began})
	}
	kept := NewWait(w)
	if len(kept.Agents) != 64 || kept.Waiting != mostWaited+5 {
		t.Errorf("%d agents are kept of %d", len(kept.Agents), kept.Waiting)
	}
	for range 2 { // the second replaces the first
		if err := KeepWait(dir, kept); err != nil {
			t.Fatal(err)
		}
	}
	got := ReadWait(dir)
	if d := cmp.Diff(kept, got); d != "" {
		t.Fatalf("read otherwise than kept:\n%s", d)
	}
	const want = "tick 256 of cycle 1 has waited 30s for the answers of agents 1 (ada), 2 (02000000), 3 (03000000), 4 (04000000), 5 (05000000), 6 (06000000) and 63 more"
	names := map[wire.AgentID]string{{1}: "ada"}
	if text := got.Text(names, began.Add(30*time.Second)); text != want {
		t.Errorf("says %q, want %q", text, want)
	}
	w.Agents = w.Agents[:1]
	if text := NewWait(w).Text(names, began.Add(6*time.Second)); text != "tick 256 of cycle 1 has waited 6s for the answer of agent 1 (ada)" {
		t.Errorf("of one agent: %q", text)
	}
	w.Agents = append(w.Agents, engine.WaitedFor{Agent: wire.AgentID{2}, Number: 2, Since: began})
	odd := NewWait(w)
	odd.Agents[1].ID = "no id"
	if text := odd.Text(map[wire.AgentID]string{{}: "nobody"}, began); text != "tick 256 of cycle 1 has waited 0s for the answers of agents 1 (01000000), 2 (02000000)" {
		t.Errorf("of two agents: %q", text)
	}
	for _, text := range []string{"", "{}", "[1]", `{"cycle":"x","agents":[{}]}`} {
		if err := os.WriteFile(waitPath(dir), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := ReadWait(dir); got != nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	for range 2 { // what is not there need not be removed
		if err := KeepWait(dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 || ReadWait(dir) != nil {
		t.Errorf("left: %v, %v", left, err)
	}
	if err := KeepWait(filepath.Join(dir, "gone"), kept); err == nil {
		t.Error("a directory that is gone: no error")
	}
}
