//go:build !race

package program

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"kingdom/internal/golden"
)

// A hostile program runs in one goroutine, and the race detector would make it take ten times as long.

// heapGrowth is the most by which the heap may grow while a hostile program runs, in bytes.
const heapGrowth = 64 << 20

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
	var report strings.Builder
	for _, h := range hostiles(t) {
		r := h.run(nil)
		fmt.Fprintf(&report, "%s %s %s steps=%d memory=%d trace=%.16s\n", h.name, r.State, r.Fault, r.Steps, r.Memory, r.Trace)
		if r.Fault.String() != h.fault {
			t.Errorf("%s: %s %s %q at line %d after %d steps, want %s", h.name, r.State, r.Fault, r.Message, r.Line, r.Steps, h.fault)
		}
		if r.Steps > h.steps {
			t.Errorf("%s: %d steps of %d", h.name, r.Steps, h.steps)
		}
	}
	golden.File(t, "testdata/hostile.txt", report.String())
}

// TestHostile_StaysSmall: none makes the heap grow by more than heapGrowth while it runs.
func TestHostile_StaysSmall(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	for _, h := range hostiles(t) {
		runtime.GC()
		before, most := heap(), uint64(0)
		look := func() { most = max(most, heap()) }
		h.run(look)
		look()
		if grew := int64(most) - int64(before); grew > heapGrowth {
			t.Errorf("%s: the heap grew by %d MiB", h.name, grew>>20)
		} else if testing.Verbose() {
			t.Logf("%-32s %5d MiB", h.name, grew>>20)
		}
	}
}

// TestHostile_OnArm64 runs TestHostile_EndsAsItsHeaderSays as an arm64 binary under qemu: the golden file of
// verdicts, steps and traces holds there too.
func TestHostile_OnArm64(t *testing.T) {
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		if qemu, err = exec.LookPath("qemu-aarch64-static"); err != nil {
			t.Fatal("qemu-aarch64 is missing; .ci/need installs it (Debian: apt-get install qemu-user)")
		}
	}
	binary := filepath.Join(t.TempDir(), "program.test")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Env = append(build.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build for arm64: %v\n%s", err, out)
	}
	if out, err := exec.Command(qemu, binary, "-test.run", "^TestHostile_EndsAsItsHeaderSays$").CombinedOutput(); err != nil {
		t.Errorf("on arm64: %v\n%.4000s", err, out)
	}
}

// hostileTime is the most that a hostile program may take of a processor.
const hostileTime = 500 * time.Millisecond

// TestHostile_InTime: none takes more than half a second of CPU. The least of three runs counts, since
// other work on the machine makes each of them dearer.
func TestHostile_InTime(t *testing.T) {
	for _, h := range hostiles(t) {
		least := time.Duration(1 << 62)
		for range 3 {
			runtime.GC() // not what an earlier one left behind
			begin := cpuTime(t)
			h.run(nil)
			if least = min(least, cpuTime(t)-begin); least <= hostileTime {
				break
			}
		}
		if least > hostileTime {
			t.Errorf("%s: %v of CPU, at most %v", h.name, least, hostileTime)
		} else if testing.Verbose() {
			t.Logf("%-32s %8s", h.name, least.Round(time.Millisecond))
		}
	}
}

func cpuTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
