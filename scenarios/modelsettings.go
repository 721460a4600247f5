package scenarios

import (
	"regexp"
	"slices"
	"strings"
)

// changeableModelSettings are the settings of a model about its endpoint, connection, keys, prices and limits. They do not
// change how recorded answers replay, so they may change in a run that has begun. context and max_output are among them
// because a server may take less than the scenario says, which a run learns only when it has begun.
var changeableModelSettings = []string{
	"endpoint", "insecure", "proxy", "ca_file", "key_env", "key_file", "key", "price_input", "price_cached", "price_cache_write", "price_output",
	"requests_per_minute", "tokens_per_minute", "concurrency", "timeout", "context", "max_output",
}

var modelPath = regexp.MustCompile(`^minds\.models\.([a-z][a-z0-9_-]*)\.([a-z_]+)$`)

// WithModelSettings returns the scenario with other settings of its models, in all phases. Each assignment is path=value, as
// for Override, and may only set one of changeableModelSettings.
func (s *Scenario) WithModelSettings(sets ...string) (*Scenario, error) {
	for _, set := range sets {
		path, _, _ := strings.Cut(set, "=")
		m := modelPath.FindStringSubmatch(path)
		if m == nil || !slices.Contains(changeableModelSettings, m[2]) {
			return nil, oneProblem("--set "+set, "cannot change in a run that has begun",
				"want minds.models.NAME and one of "+strings.Join(changeableModelSettings, ", ")+"; kingdom fork begins a new run with other minds or prompts")
		}
		names := s.modelNames()
		if len(names) == 0 {
			return nil, oneProblem("--set "+set, "names a model, but the run uses none", "leave it out; kingdom fork begins a new run with other minds")
		}
		if !slices.Contains(names, m[1]) {
			return nil, oneProblem("--set "+set, "names a model that the run does not use", "want one of "+strings.Join(names, ", "))
		}
	}
	next := *s
	if err := next.Override(sets...); err != nil {
		return nil, err
	}
	for _, phase := range next.changed {
		if err := phase.Override(sets...); err != nil {
			return nil, err
		}
	}
	return &next, nil
}

// modelNames returns the names of the models of all phases, sorted.
func (s *Scenario) modelNames() (names []string) {
	for _, ph := range s.Phases() {
		for i := range ph.Scenario.Minds.Models {
			names = append(names, ph.Scenario.Minds.Models[i].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
