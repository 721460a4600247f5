//go:build !race

package program

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

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
