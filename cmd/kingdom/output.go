package main

import (
	"encoding/json"
	"errors"
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
	_ = e.Encode(v) // a closed pipe ends the process by itself
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
