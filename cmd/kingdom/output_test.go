//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
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

// With --json standard output never has anything but JSON, whatever the command: also where others would print help.
func TestJSON_StandardOutputIsJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "run"))
	lines := map[string]int{
		"--json": exitInput, "scenario --json": exitInput, "journal --json": exitInput, "--json=true dev": exitInput,
		"completion bash --json": exitInput, "completion --json": exitInput, "run --json": exitInput, "--json --nosuch": exitInput, "nosuch --json": exitInput,
		"help --json": exitOK, "help inspect --json": exitOK, "--json --help": exitOK, "journal export --help --json": exitOK, "help journal --json": exitOK,
		"explain run --agent 1 --json": exitOK, "tail run --json": exitOK, "prompt epoch0 --json": exitOK,
	}
	var all func(cmd *cobra.Command)
	all = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			lines[strings.TrimPrefix(sub.CommandPath(), "kingdom ")+" --help --json"] = exitOK
			all(sub)
		}
	}
	all(newRoot(io.Discard, io.Discard))
	for line, code := range lines {
		r := in(t, strings.Fields(line)...)
		if r.code != code || r.out == "" {
			t.Errorf("kingdom %s: exit %d, want %d; %q, %q", line, r.code, code, r.out, r.err)
		}
		for d := json.NewDecoder(strings.NewReader(r.out)); ; {
			var v any
			if err := d.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("kingdom %s prints %.200q, which is no JSON: %v", line, r.out, err)
				break
			}
		}
	}
	says(t, "--json", exitInput, "kingdom --json lacks a command; each has --json: actions, compare, ")
	says(t, "scenario|--json", exitInput, "kingdom scenario --json lacks a command; each has --json: list, schema, show, validate")
	says(t, "help|tail|--json", exitOK, `{"command":"kingdom tail","help":"`)
}

// A flag that only other commands have leads to them.
func TestFlagError_NamesCommandsThatHaveTheFlag(t *testing.T) {
	says(t, "inspect|run|--agent|1|--tick|300", exitInput, "unknown flag --tick; it belongs to kingdom explain; see kingdom inspect --help")
	says(t, "tables|run|--zzzz", exitInput, "unknown flag --zzzz; see kingdom tables --help")
}
