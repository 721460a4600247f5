package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kingdom/engine"
)

// A panic in a run is told with its stack, which is what a report of the bug needs; other errors have none.
func TestExecute_TellsStackOfPanic(t *testing.T) {
	stack := []byte("goroutine 7 [running]:\n")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&engine.AgentError{Phase: "ask", Err: errors.New("no"), Stack: stack}, "goroutine 7"},
		{fmt.Errorf("run: %w", &engine.WorldError{Err: errors.New("no"), Stack: stack}), "goroutine 7"},
		{&engine.AgentError{Phase: "think", Err: errors.New("no")}, ""},
		{errors.New("no"), ""},
	} {
		var errw bytes.Buffer
		root := &cobra.Command{Use: "kingdom", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return c.err }}
		code := executeRoot(t.Context(), root, []string{}, &errw)
		if got := bytes.Contains(errw.Bytes(), stack); code != exitFailure || got != (c.want != "") {
			t.Errorf("%v: exit %d, %q", c.err, code, errw.String())
		}
	}
}

// A command that panics fails like any other: with an exit code, a line for programs, and the stack for a report.
func TestExecute_APanicIsAnError(t *testing.T) {
	var out, errw bytes.Buffer
	root := &cobra.Command{Use: "kingdom", SilenceErrors: true, SilenceUsage: true, Run: func(*cobra.Command, []string) { panic("off the map") }}
	root.Flags().Bool("json", false, "")
	root.SetOut(&out)
	code := executeRoot(t.Context(), root, []string{"--json"}, &errw)
	const said = "internal error, please report it with the lines below and the command: off the map"
	if text := errw.String(); code != exitFailure || !strings.HasPrefix(text, "kingdom: "+said+"\n") || !strings.Contains(text, "app_test.go") {
		t.Errorf("exit %d: %s", code, text)
	}
	var line errorJSON
	if decode(t, out.String(), &line); line.Error != said || line.Exit != exitFailure || line.Code != "failure" {
		t.Errorf("--json says %+v", line)
	}
}

// decode reads the JSON of a command.
func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
