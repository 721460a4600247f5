package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// cancelledError is a command that the user left, and that leaves nothing to continue.
type cancelledError struct{ text string }

func (e *cancelledError) Error() string { return e.text }

// errPromptCancelled says that Ctrl-C was pressed where something was asked for.
var errPromptCancelled = &cancelledError{"nothing was entered"}

// secrets gets keys of models and the passphrase that seals them: from the environment, from
// standard input, from files, or from the user.
type secrets struct {
	questions io.Writer // where the user is asked
}

// passphrase is what opens the sealed key file: from the environment, or asked for.
func (s secrets) passphrase(ctx context.Context, question string) ([]byte, error) {
	if p := os.Getenv(envPassphrase); p != "" {
		return []byte(p), nil
	}
	return s.ask(ctx, question)
}

// terminalPath is where people sit, also when standard input comes from elsewhere.
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
		defer func() { _ = tty.Close() }() // nothing is left in it
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
	go func() { // ends with the process if the user leaves: a read of a terminal cannot be stopped
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
