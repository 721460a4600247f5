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
	// memoryShare is how much of the machine's memory, or of its container's, a run aims to stay
	// within. The rest is the file cache's, which the store lives on.
	memoryShare = 0.85
	// heapGrowth is by how many percent the heap grows between two collections. With 60, a thousand
	// agents would take a sixth more memory and 2 % less CPU; Go's own 100 takes more again (docs/benchmarks.md).
	heapGrowth = 40
	// leastGrowth is by how many bytes it grows at least: a small heap would be collected several times a second, which
	// takes a tenth of the CPU of a run of eight agents and saves what no machine lacks.
	leastGrowth = 64 << 20
)

// limitMemory sets how much garbage waits to be collected, and has the collector work harder
// where memory ends. GOGC and GOMEMLIMIT, where set, are the user's word on it.
func (a *app) limitMemory() {
	if os.Getenv("GOGC") == "" {
		paceHeap()
	}
	memory := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(memory)); err != nil {
		fmt.Fprintf(a.err, "kingdom: the use of memory is not limited: %v; GOMEMLIMIT, such as 4GiB, sets a limit\n", err)
	}
}

// paceHeap sets by how much the heap grows until the next collection, now and after each collection. A process does that
// once, however many runs it makes.
var paceHeap = sync.OnceFunc(func() { pacer{live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}.pace() })

// pacer asks what a collection left. Garbage of its own tells it when there was one.
type pacer struct{ live []metrics.Sample }

func (p pacer) pace() {
	metrics.Read(p.live)
	debug.SetGCPercent(growth(p.live[0].Value.Uint64()))
	runtime.AddCleanup(&pacer{}, pacer.pace, p)
}

// growth is by how many percent a heap with so many live bytes grows until it is collected. Go takes fewer bytes than
// leastLive, as there are before the first collection, for as many.
func growth(live uint64) int {
	const leastLive = 4 << 20
	return int(max(heapGrowth, leastGrowth*100/max(live, leastLive)))
}
