package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// cancelledError says that the user interrupted a command that cannot be resumed.
type cancelledError struct{ text string }

func (e *cancelledError) Error() string { return e.text }

// errPromptCancelled says that Ctrl-C was pressed at a prompt.
var errPromptCancelled = &cancelledError{"nothing was entered"}

// secrets gets keys of models and the passphrase that seals them: from the environment, from
// standard input, from files, or from the user.
type secrets struct {
	questions io.Writer // where the user is asked
}

// passphrase returns the passphrase of the sealed key file, from the environment or from the terminal.
func (s secrets) passphrase(ctx context.Context, question string) ([]byte, error) {
	if p := os.Getenv(envPassphrase); p != "" {
		return []byte(p), nil
	}
	return s.ask(ctx, question)
}

// terminalPath is the terminal, also when standard input is redirected.
const terminalPath = "/dev/tty"

// ask asks for a secret on the terminal, without showing what is typed.
func (s secrets) ask(ctx context.Context, question string) ([]byte, error) {
	tty, err := os.OpenFile(terminalPath, os.O_RDWR, 0)
	if err != nil {
		if !term.IsTerminal(int(os.Stdin.Fd())) {
			return nil, usagef("there is no terminal to ask on; set the environment variable %s", envPassphrase)
		}
		tty = os.Stdin
	} else {
		defer func() { _ = tty.Close() }() // nothing is buffered
	}
	fd := int(tty.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, fmt.Errorf("ask on the terminal: %w", err)
	}
	fmt.Fprint(s.questions, question)
	type answer struct {
		text []byte
		err  error
	}
	got := make(chan answer, 1)
	go func() { // after Ctrl-C it runs until the process ends: a read of a terminal cannot be cancelled
		text, err := term.ReadPassword(fd)
		got <- answer{text, err}
	}()
	select {
	case r := <-got:
		fmt.Fprintln(s.questions)
		if r.err != nil {
			return nil, fmt.Errorf("%w: %w", errPromptCancelled, r.err)
		}
		return r.text, nil
	case <-ctx.Done():
		fmt.Fprintln(s.questions)
		_ = term.Restore(fd, before) // the terminal may be gone with the user
		return nil, errPromptCancelled
	}
}
