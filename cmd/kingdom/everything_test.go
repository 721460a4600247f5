package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/sql/pgserver"
)

var (
	allCycles = flag.Int("everything.cycles", 3, "cycles of the world with everything on; 100 is the long form")
	allKills  = flag.Int("everything.kills", 3, "how often its run is killed")
)

// A world in which all daemons have work (programs, merges, the outside from recorded answers, agents that
// play against the rules of each of them) ends in one hash however it is run, and whenever it is killed.
func TestEverything_OneSeedGivesOneHash(t *testing.T) {
	command := fmt.Sprintf("run testdata/everything.yaml --cycles %d --json --out", *allCycles)
	want := killedAndResumed(t, command, *allKills, nil)
	for _, v := range []struct {
		name string
		env  []string
		args []string
	}{
		{"one core", []string{"GOMAXPROCS=1"}, nil},
		{"eight cores", []string{"GOMAXPROCS=8"}, nil},
		{"postgres", nil, []string{"--store", pgserver.Database(t)}},
		{"lazy signatures, no logs", nil, []string{"--set", "signatures=lazy", "--logs=false"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			args := append(strings.Fields(command), filepath.Join(t.TempDir(), "run"))
			got := summaryOf(t, must(t, process(t, v.env, plainBinary(t), append(args, v.args...)...)))
			if got.WorldHash != want.WorldHash || got.AgentTicks != want.AgentTicks {
				t.Errorf("world hash %s after %d agent-ticks, want %s after %d", got.WorldHash, got.AgentTicks, want.WorldHash, want.AgentTicks)
			}
		})
	}
}
