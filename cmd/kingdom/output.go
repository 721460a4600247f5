package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// silentError is an error that the --json output of the command has already reported.
type silentError struct{ error }

func (e *silentError) Unwrap() error { return e.error }

func silent(err error) error {
	if err == nil {
		return nil
	}
	return &silentError{usage(err)}
}

func asError[T error](err error) (T, bool) {
	var t T
	ok := errors.As(err, &t)
	return t, ok
}

// jsonLine prints v as one line.
func (a *app) jsonLine(v any) {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // output keeps the error
}

// output is standard output. It keeps the first error of a write, so that a command fails if its result was lost:
// a closed pipe ends the process by itself, but a full disk does not.
type output struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// orWriteError returns the error of a command, or if it has none, the error of writing its output.
func (o *output) orWriteError(err error) error {
	if o.err != nil && (err == nil || errors.Is(err, o.err)) {
		return fmt.Errorf("print the result: %w; what the command did stays done, print it to another place", o.err)
	}
	return err
}

// shellQuote quotes a path, if needed, as one word of a shell command, for commands that are printed.
func shellQuote(path string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+=:@%,", r)
	}
	if path != "" && !strings.ContainsFunc(path, special) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
