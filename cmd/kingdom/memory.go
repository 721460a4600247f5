package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// memoryShare is the share of the memory of the machine or container that a run tries to stay
	// within. The rest is left to the file cache, which makes the store fast.
	memoryShare = 0.85
	// Between two collections the heap grows by mostGrowth percent, but by mostGarbage bytes at most. A large heap
	// grows by leastGrowth percent all the same (docs/decisions/0030-what-is-resident.md).
	mostGrowth  = 70
	leastGrowth = 40
	mostGarbage = 512 << 20
	// leastGarbage is by how many bytes it grows in any case. Otherwise a small heap would be collected several times a
	// second, which takes a tenth of the CPU of a run of eight agents and saves only little memory.
	leastGarbage = 64 << 20
)

// limitMemory sets how much garbage may accumulate before a collection, and a soft limit of memory. The environment
// variables GOGC and GOMEMLIMIT take precedence.
func (a *app) limitMemory() {
	if os.Getenv("GOGC") == "" {
		startGCTuner()
	}
	memory := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(memory)); err != nil {
		fmt.Fprintf(a.err, "kingdom: the use of memory is not limited: %v; GOMEMLIMIT, such as 4GiB, sets a limit\n", err)
	}
}

// startGCTuner sets by how much the heap grows until the next collection, now and again after each collection. It is
// called once per process, however many runs there are.
var startGCTuner = sync.OnceFunc(func() { gcTuner{live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}.tune() })

// gcTuner reads how many bytes are live after a collection. A cleanup on an unreachable object tells it that there was
// one.
type gcTuner struct{ live []metrics.Sample }

func (p gcTuner) tune() {
	metrics.Read(p.live)
	debug.SetGCPercent(gcPercent(p.live[0].Value.Uint64()))
	runtime.AddCleanup(&gcTuner{}, gcTuner.tune, p)
}

// gcPercent returns by how many percent a heap with this many live bytes grows until it is collected. Go counts a heap
// below minLiveBytes, as before the first collection, as minLiveBytes.
func gcPercent(live uint64) int {
	const minLiveBytes = 4 << 20
	live = max(live, minLiveBytes)
	return int(max(leastGrowth, min(mostGrowth, mostGarbage*100/live), leastGarbage*100/live))
}
