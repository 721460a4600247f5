package main

import (
	"os"
	"runtime/debug"
)

// Bounds of the memory a run aims to stay within: what ten thousand agents and a
// cycle's batch need on a machine of 4 GiB, and what each further agent adds.
const (
	memoryFloor    = 3500 << 20
	memoryPerAgent = 350 << 10
)

// garbagePercent is how much the heap may grow over what is alive before it is
// collected. A run's agents are alive all the time: to mark them twice as seldom is
// worth more than the memory (docs/benchmarks.md).
const garbagePercent = 200

// limitMemory lets the heap grow further than usual, and has the garbage collector
// work harder near the bound. GOGC and GOMEMLIMIT, where set, are the user's word on it.
func limitMemory(agents uint64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(memoryFloor, int64(agents)*memoryPerAgent))
	}
}
