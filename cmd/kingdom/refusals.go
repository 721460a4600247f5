package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"kingdom/llm/openai"
)

// refusalsFile keeps what the servers of a run's models refused. Like models.json it is not part of the run's identity:
// only a command that asks models reads it.
const refusalsFile = "refused.json"

// refusals is refused.json.
type refusals struct {
	Models []openai.Refused `json:"models"`
}

// keepRefusals asks the models of a run without what their servers refused before, and writes down every further refusal
// before the next call is made. A nil endpoints means that the run asks none.
func keepRefusals(dir string, endpoints *openai.Endpoints, say func(format string, args ...any)) (stop func(), err error) {
	if endpoints == nil {
		return func() {}, nil
	}
	path := filepath.Join(dir, refusalsFile)
	var kept refusals
	if err := readJSON(path, "remove it, so that the servers are asked with the settings of the scenario", &kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, r := range endpoints.Recall(kept.Models) {
		say("the server of model %q refused what the scenario sets, so it is asked with %v (%s)", r.Model, r, path)
	}
	var sayOnce sync.Once
	return endpoints.OnRefusal(func(now []openai.Refused) {
		if !kept.add(now) {
			return
		}
		if err := writeJSON(path, &kept); err != nil {
			sayOnce.Do(func() { say("what servers refuse is not kept, so a resume is refused it again: %v", err) })
		}
	}), nil
}

// recallRefusals asks models without what the servers of a run refused, for a command that only reads the run.
func recallRefusals(dir string, endpoints *openai.Endpoints) error {
	var kept refusals
	err := readJSON(filepath.Join(dir, refusalsFile), "remove it, so that the servers are asked with the settings of the scenario", &kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	endpoints.Recall(kept.Models)
	return err
}

// add adds what was refused and reports whether that changes anything. What another endpoint of a model refused stays.
func (k *refusals) add(now []openai.Refused) (changed bool) {
	for i := range now {
		had := slices.IndexFunc(k.Models, now[i].SameModel)
		switch {
		case had < 0:
			k.Models = append(k.Models, now[i])
		case k.Models[had].String() == now[i].String():
			continue
		default:
			k.Models[had] = now[i]
		}
		changed = true
	}
	return changed
}
