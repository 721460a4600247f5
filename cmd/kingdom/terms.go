package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/scenarios"
)

// termsFile holds what resume --set said of the models of a run: where they are asked, and on what terms. It is no part of what the
// run is: scenario.yaml keeps what it began with, and nothing that only reads the run looks at it.
const termsFile = "models.json"

// terms is models.json.
type terms struct {
	Set []string `json:"set"` // each path=value, a path once
}

// askedNow returns the scenario of a run as its models are asked now.
func askedNow(dir string, sc *scenarios.Scenario) (*scenarios.Scenario, error) {
	return askedAnew(dir, sc, nil)
}

// askedAnew returns the scenario of a run with its models on the terms that it was given before, and new ones, which are kept.
func askedAnew(dir string, sc *scenarios.Scenario, set []string) (*scenarios.Scenario, error) {
	t, err := readTerms(dir)
	if err != nil {
		return nil, err
	}
	t.add(set)
	if len(t.Set) == 0 {
		return sc, nil
	}
	now, err := sc.OnTerms(t.Set...)
	if err != nil {
		return nil, usage(err)
	}
	if len(set) > 0 {
		err = writeJSON(filepath.Join(dir, termsFile), &t)
	}
	return now, err
}

// add puts each setting in the place of an earlier one of the same path.
func (t *terms) add(set []string) {
	for _, s := range set {
		path, _, _ := strings.Cut(s, "=")
		t.Set = slices.DeleteFunc(t.Set, func(had string) bool { return strings.HasPrefix(had, path+"=") })
		t.Set = append(t.Set, s)
	}
}

func readTerms(dir string) (t terms, err error) {
	err = readJSON(filepath.Join(dir, termsFile), "restore it from a copy, or remove it and give resume its --set again", &t)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	return t, err
}
