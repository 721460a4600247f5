package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// garbagePercent is how much the heap may grow over what is alive before it is
	// collected. A run's agents are alive all the time: to mark them half as often is
	// worth more than the memory (docs/benchmarks.md).
	garbagePercent = 200
	// memoryShare is how much of the machine's memory, or of its container's, a run aims
	// to stay within. The rest is the file cache's, which the store lives on.
	memoryShare = 0.85
)

// limitMemory lets the heap grow further than usual, and has the garbage collector work
// harder where memory ends. GOGC and GOMEMLIMIT, where set, are the user's word on it.
func (a *app) limitMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	memory := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(memory)); err != nil {
		fmt.Fprintf(a.err, "kingdom: the use of memory is not limited: %v; GOMEMLIMIT, such as 4GiB, sets a limit\n", err)
	}
}
