package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/scenarios"
)

// modelSettingsFile keeps the settings of models that resume --set changed, such as endpoints and limits. They are not
// part of the run's identity: scenario.yaml stays as it was, and of the commands that only read a run those ignore this file
// that neither ask a model nor show what one is asked.
const modelSettingsFile = "models.json"

// modelSettings is models.json.
type modelSettings struct {
	Set []string `json:"set"` // each path=value, a path once
}

// withModelSettings returns the scenario of a run with its current model settings.
func withModelSettings(dir string, sc *scenarios.Scenario) (*scenarios.Scenario, error) {
	return withNewModelSettings(dir, sc, nil)
}

// withNewModelSettings returns the scenario of a run with its current model settings and those of set, which it adds to
// the file.
func withNewModelSettings(dir string, sc *scenarios.Scenario, set []string) (*scenarios.Scenario, error) {
	t, err := readModelSettings(dir)
	if err != nil {
		return nil, err
	}
	t.add(set)
	if len(t.Set) == 0 {
		return sc, nil
	}
	now, err := sc.WithModelSettings(t.Set...)
	if err != nil {
		return nil, usage(err)
	}
	if len(set) > 0 {
		err = t.write(dir)
	}
	return now, err
}

// write writes the file, unless there is nothing to keep.
func (t *modelSettings) write(dir string) error {
	if len(t.Set) == 0 {
		return nil
	}
	return writeJSON(filepath.Join(dir, modelSettingsFile), t)
}

// add appends the settings; each replaces an earlier one of the same path.
func (t *modelSettings) add(set []string) {
	for _, s := range set {
		path, _, _ := strings.Cut(s, "=")
		t.Set = slices.DeleteFunc(t.Set, func(had string) bool { return strings.HasPrefix(had, path+"=") })
		t.Set = append(t.Set, s)
	}
}

func readModelSettings(dir string) (t modelSettings, err error) {
	err = readJSON(filepath.Join(dir, modelSettingsFile), "restore it from a copy, or remove it and give resume its --set again", &t)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	return t, err
}
