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

// limitMemory has the garbage collector work harder near the bound instead of
// letting the heap double. GOMEMLIMIT, where set, is the user's word on it.
func limitMemory(agents uint64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(memoryFloor, int64(agents)*memoryPerAgent))
	}
}
