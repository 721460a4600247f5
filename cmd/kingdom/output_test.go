package main

import (
	"bytes"
	"io"
	"strings"
	"syscall"
	"testing"
)

// fullDisk is an output that refuses every write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A command whose output was lost fails, however it prints, and says so where it can.
func TestOutput_WriteErrorFailsTheCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "r"))
	golden := list(t, `- {scenario: epoch0, seed: "42", cycles: 1, world_hash: ""}`)
	must(t, in(t, "verify", golden, "--update"))
	for _, line := range []string{
		"version", "version --json", "scenario list", "scenario validate epoch0", "prompt epoch0", "actions",
		"run epoch0 --cycles 1 --out a", "run epoch0 --cycles 1 --out b --json", "run epoch0 --cycles 1 --seeds 1..2 --out c", "run epoch0 --estimate",
		"resume r --cycles 2 --json", "replay r", "replay r --json", "compare r r", "compare r r --json", "inspect r", "inspect r --json", "tables r",
		"explain r --agent 1", "fork r --at 1 --cycles 2", "tail r", "society r", "society r --csv", "verify " + golden,
		"help", "completion bash",
	} {
		var errw bytes.Buffer
		code := execute(t.Context(), strings.Fields(line), fullDisk{}, &errw)
		if code != exitFailure || !strings.Contains(errw.String(), "kingdom: print the result: "+syscall.ENOSPC.Error()) {
			t.Errorf("kingdom %s: exit %d: %s", line, code, errw.String())
		}
	}
	// What is wrong beside that stays the reason.
	var errw bytes.Buffer
	if code := execute(t.Context(), []string{"scenario", "validate", "nosuch"}, fullDisk{}, &errw); code != exitInput || !strings.Contains(errw.String(), "no such scenario") {
		t.Errorf("exit %d: %s", code, errw.String())
	}
	if code := execute(t.Context(), []string{"version"}, io.Discard, io.Discard); code != exitOK {
		t.Errorf("exit %d", code)
	}
}
