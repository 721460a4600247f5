package main

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/term"
)

// leftError is a command that the user left, and that leaves nothing to continue.
type leftError struct{ text string }

func (e *leftError) Error() string { return e.text }

// errPromptLeft says that Ctrl-C was pressed where something was asked for.
var errPromptLeft = &leftError{"nothing was entered"}

// passphrase is what opens the sealed key file: from the environment, or asked for.
func (a *app) passphrase(ctx context.Context, question string) ([]byte, error) {
	if p := os.Getenv(envPassphrase); p != "" {
		return []byte(p), nil
	}
	return a.askSecret(ctx, question)
}

// terminalPath is where people sit, also when standard input comes from elsewhere.
const terminalPath = "/dev/tty"

// askSecret asks for a secret on the terminal, without showing what is typed.
func (a *app) askSecret(ctx context.Context, question string) ([]byte, error) {
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
	fmt.Fprint(a.err, question)
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
		fmt.Fprintln(a.err)
		if r.err != nil {
			return nil, fmt.Errorf("%w: %w", errPromptLeft, r.err)
		}
		return r.text, nil
	case <-ctx.Done():
		fmt.Fprintln(a.err)
		_ = term.Restore(fd, before) // the terminal may be gone with the user
		return nil, errPromptLeft
	}
}
