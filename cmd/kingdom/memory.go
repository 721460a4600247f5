package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// memoryShare is how much of the machine's memory, or of its container's, a run aims to stay
	// within. The rest is the file cache's, which the store lives on.
	memoryShare = 0.85
	// heapGrowth is by how many percent the heap grows between two collections. Go's 100 saves no
	// time that could be measured and takes 8 to 15 % more memory (docs/benchmarks.md).
	heapGrowth = 60
)

// limitMemory sets how much garbage waits to be collected, and has the collector work harder
// where memory ends. GOGC and GOMEMLIMIT, where set, are the user's word on it.
func (a *app) limitMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	memory := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(memory)); err != nil {
		fmt.Fprintf(a.err, "kingdom: the use of memory is not limited: %v; GOMEMLIMIT, such as 4GiB, sets a limit\n", err)
	}
}
