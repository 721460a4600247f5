package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
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
	kept, err := readRefusals(dir)
	if err != nil {
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

// forgetContexts removes the context that a server stated for each model of which set sets the context.
func forgetContexts(dir string, set []string) error {
	path := filepath.Join(dir, refusalsFile)
	kept, err := readRefusals(dir)
	if err != nil {
		return err
	}
	forgot := false
	for i := range kept.Models {
		r := &kept.Models[i]
		sets := func(s string) bool { return strings.HasPrefix(s, "minds.models."+r.Model+".context=") }
		if r.Context > 0 && slices.ContainsFunc(set, sets) {
			r.Context, forgot = 0, true
		}
	}
	if !forgot {
		return nil
	}
	kept.Models = slices.DeleteFunc(kept.Models, func(r openai.Refused) bool { return r.String() == "" })
	return writeJSON(path, &kept)
}

// checkRefusals says how a run asks a model because of what its server refused before; nil if it refused nothing. system is the
// length of its system message in tokens.
func checkRefusals(dir string, m *openai.Model, system uint64) (*openai.Check, error) {
	kept, err := readRefusals(dir)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(kept.Models, openai.Refused{Model: m.Name, Endpoint: m.Endpoint, ID: m.ID}.SameModel)
	if at < 0 {
		return nil, nil
	}
	r, path := kept.Models[at], filepath.Join(dir, refusalsFile)
	c := &openai.Check{Name: "refused", State: openai.OK, Found: fmt.Sprintf("the server refused what the scenario sets, so the run asks with %v (%s)", r, path)}
	switch forget := fmt.Sprintf("kingdom resume %s --set minds.models.%s.context=TOKENS", shellQuote(dir), m.Name); {
	case r.Context > 0 && r.Context < m.Needs(system):
		c.State, c.Failure = openai.Failed, openai.FailureContext
		c.Found += fmt.Sprintf("; a prompt with its answer needs %d, so the model is not asked", m.Needs(system))
		c.Fix = "start the server with more, and say so with " + forget
	case r.Context > 0:
		c.Fix = "if the server takes more by now, say so with " + forget
	default:
		c.Fix = "if it takes it by now, remove the file"
	}
	return c, nil
}

// readRefusals reads refused.json of a run, which may not have one.
func readRefusals(dir string) (kept refusals, err error) {
	err = readJSON(filepath.Join(dir, refusalsFile), "remove it, so that the servers are asked with the settings of the scenario", &kept)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return kept, err
}

// recallRefusals asks models without what the servers of a run refused, for a command that only reads the run.
func recallRefusals(dir string, endpoints *openai.Endpoints) error {
	kept, err := readRefusals(dir)
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
