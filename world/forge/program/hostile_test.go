package program

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"kingdom/internal/golden"
)

// hostile is one program of testdata/hostile: comment lines at its head say how it has to
// end and, where they differ, the budget and the quota.
type hostile struct {
	name, source  string
	fault         string // NONE for one that halts within its bounds
	steps, memory uint64
}

const (
	hostileSteps  = 1_000_000 // of 1,000 forge ticks, the most that an agent has in a cycle
	hostileMemory = 1 << 20
	heapGrowth    = 64 << 20 // bytes
)

func hostiles(t testing.TB) []hostile {
	files, err := filepath.Glob("testdata/hostile/*.star")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d hostile programs, %v", len(files), err)
	}
	var all []hostile
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		h := hostile{name: strings.TrimSuffix(filepath.Base(f), ".star"), source: string(text), steps: hostileSteps, memory: hostileMemory}
		for line := range strings.Lines(h.source) {
			key, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "# "), ": ")
			if !strings.HasPrefix(line, "# ") || !ok {
				break
			}
			switch key {
			case "fault":
				h.fault = value
			case "steps":
				h.steps = number(t, value)
			case "memory":
				h.memory = number(t, value)
			}
		}
		all = append(all, h)
	}
	return all
}

func number(t testing.TB, s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// run compiles and runs it. A text that does not compile ends as it would in Forge.
func (h hostile) run(probe func()) Result {
	p, err := Compile([]byte(h.source))
	if err != nil {
		return Result{State: Faulted, Fault: InvalidInstruction, Message: err.Error()}
	}
	return Run(Input{Program: p, Steps: h.steps, Memory: h.memory, Bind: map[string]*Program{"submission": p}, probe: probe})
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// TestHostile_EndsAsItsHeaderSays runs each program, compares how it ends with its head, and verdict, steps and
// trace with the golden file, which was written on another machine and is read on arm64 too.
func TestHostile_EndsAsItsHeaderSays(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var report strings.Builder
	for _, h := range hostiles(t) {
		runtime.GC()
		before, most := heap(), uint64(0)
		look := func() { most = max(most, heap()) }
		begin := time.Now()
		r := h.run(look)
		took := time.Since(begin)
		look()
		fmt.Fprintf(&report, "%s %s %s steps=%d memory=%d trace=%.16s\n", h.name, r.State, r.Fault, r.Steps, r.Memory, r.Trace)
		if r.Fault.String() != h.fault {
			t.Errorf("%s: %s %s %q at line %d after %d steps, want %s", h.name, r.State, r.Fault, r.Message, r.Line, r.Steps, h.fault)
		}
		if r.Steps > h.steps {
			t.Errorf("%s: %d steps of %d", h.name, r.Steps, h.steps)
		}
		if grew := int64(most) - int64(before); grew > heapGrowth {
			t.Errorf("%s: the heap grew by %d MiB", h.name, grew>>20)
		} else if testing.Verbose() {
			t.Logf("%-32s %8s %5d MiB  %s %q", h.name, took.Round(time.Millisecond), grew>>20, r.Fault, r.Message)
		}
		if again := h.run(nil); again.Steps != r.Steps || again.Trace != r.Trace || again.Fault != r.Fault {
			t.Errorf("%s: ends otherwise when run again", h.name)
		}
	}
	golden.File(t, "testdata/hostile.txt", report.String())
}
