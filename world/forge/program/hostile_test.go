package program

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
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
