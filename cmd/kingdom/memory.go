package main

import (
	"fmt"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryShare is how much of the machine's memory, or of its container's, a run aims to stay
// within. The rest is the file cache's, which the store lives on.
const memoryShare = 0.85

// limitMemory has the garbage collector work harder where memory ends. Before that it lets the
// heap double, as Go does by default: letting it triple would take a third more memory and
// save 7 % of the time (docs/benchmarks.md). GOGC and GOMEMLIMIT, where set, are the user's
// word on it.
func (a *app) limitMemory() {
	memory := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(memory)); err != nil {
		fmt.Fprintf(a.err, "kingdom: the use of memory is not limited: %v; GOMEMLIMIT, such as 4GiB, sets a limit\n", err)
	}
}
