package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// silentError ends a command whose output has already said what is wrong.
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

// counted is a number of things: "1 tick", "2 ticks".
func counted(n uint64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.FormatUint(n, 10) + " " + thing
}

// jsonLine prints v as one line.
func (a *app) jsonLine(v any) {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // output keeps the error
}

// output is standard output. It keeps the first error of a write, so that no command ends well whose result nobody got:
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

// printed is the error of a command, or that its output was lost, if nothing else was wrong.
func (o *output) printed(err error) error {
	if o.err != nil && (err == nil || errors.Is(err, o.err)) {
		return fmt.Errorf("print the result: %w; what the command did stays done, print it to another place", o.err)
	}
	return err
}

// quoted is a path as one word of a command line, for commands that are printed.
func quoted(path string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+=:@%,", r)
	}
	if path != "" && !strings.ContainsFunc(path, special) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
