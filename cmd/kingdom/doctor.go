package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"kingdom/llm/keyward"
	"kingdom/llm/openai"
	"kingdom/scenarios"
)

func newDoctor(a *app) *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "doctor SCENARIO|RUN",
		Short: "Check the models of a scenario before a run: endpoint, key, model, form, price",
		Long: "Check each language model that a scenario uses. The first checks ask whether the endpoint answers, accepts the key\n" +
			"and knows the model; run makes these checks by itself. The others ask for the context size (if the server reports it)\n" +
			"and make one call of at most 64 output tokens: whether the answer keeps to its form, which field limits its length, what usage\n" +
			"is reported, where the thinking is, and the price. Of a run it says what its servers refused until now. Each check is a line:\n" +
			"ok, FAIL or warn with what to change, or skip if it cannot be made. Exit codes: 0 no check failed, 1 a check failed, 2 usage, invalid scenario or missing key. Fields of a\n" +
			"line of --json: model, check, state (ok, FAIL, warn, skip), found, fix.",
		Example: "  kingdom doctor epoch0-llm\n  kingdom doctor my.yaml --set minds.models.default.key=openai --json",
		Args:    args(1, "a scenario or a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			sc, err := scenarioToCheck(names[0], set)
			if err != nil {
				return err
			}
			if err := fromEnvironment(sc); err != nil {
				return err
			}
			run, cycles := "", span{1, sc.Cycles}
			if isRun(names[0]) {
				run = names[0]
				if cycles, err = openCycles(run, sc); err != nil {
					return err
				}
			}
			used := usedModelsIn(sc, cycles)
			keys, err := secrets{a.err}.findKeys(cmd, used)
			if err != nil {
				return err
			}
			return a.checkModels(cmd.Context(), sc, used, keys, run)
		},
	}
	addSet(cmd, &set)
	addKeyStdin(cmd)
	return cmd
}

// scenarioToCheck loads a scenario, or that of a run with its current model settings, and applies --set.
func scenarioToCheck(name string, set []string) (*scenarios.Scenario, error) {
	var sc *scenarios.Scenario
	var err error
	if !isRun(name) {
		sc, err = loadScenario(name, nil)
	} else if sc, _, err = openRunDir(name); err == nil {
		sc, err = withModelSettings(name, sc)
	}
	if err != nil || len(set) == 0 {
		return sc, err
	}
	if err := sc.Override(set...); err != nil {
		return nil, usage(err)
	}
	return sc, nil
}

// isRun reports whether a name is that of a run directory, which may be damaged.
func isRun(name string) bool {
	_, err := os.Stat(filepath.Join(name, runFile))
	return err == nil
}

// openCycles returns the cycles of a run in which models may still be asked: those that are not stored, and the last one if
// all are.
func openCycles(dir string, sc *scenarios.Scenario) (span, error) {
	_, rf, err := openRunDir(dir)
	if err != nil {
		return span{}, err
	}
	origin, err := readOrigin(dir)
	if err != nil {
		return span{}, err
	}
	last := max(sc.Cycles, rf.Until)
	return span{min(max(origin.firstOwn(), rf.Cycle+1), last), last}, nil
}

// checkModels checks the models in use and prints the results. run is the directory of a run with these models, empty
// for none.
func (a *app) checkModels(ctx context.Context, sc *scenarios.Scenario, used []*scenarios.Model, keys openai.Key, run string) error {
	if len(used) == 0 && !a.json {
		fmt.Fprintf(a.out, "no language model thinks in %s, so there is nothing to check\n", sc.Name)
	}
	bad := checksError{run: run}
	rules := sc.WorldRules()
	turn := turnRules(sc, &rules)
	system := turn.SystemTokens()
	for _, used := range used {
		m, err := model(used, sc.Think.Timeout)
		if err != nil {
			return err
		}
		m.Begun = run != ""
		if !a.json {
			fmt.Fprintf(a.out, "%s: %s at %s\n", m.Name, cmp.Or(m.ID, "no model named"), cmp.Or(m.Endpoint, "no endpoint"))
		}
		checks := openai.Examine(ctx, &m, keys(&m), system)
		if run != "" {
			if kept, err := checkRefusals(run, &m, system); err != nil {
				return err
			} else if kept != nil {
				checks = append(checks, *kept)
			}
		}
		for _, c := range checks {
			a.showCheck(m.Name, &c)
			if c.State == openai.Failed {
				bad.failed++
				bad.model = cmp.Or(bad.model, m.Name)
			}
		}
		if ctx.Err() != nil {
			return &cancelledError{"interrupted; nothing was made"}
		}
	}
	if bad.failed > 0 {
		return &bad
	}
	return nil
}

func (a *app) showCheck(model string, c *openai.Check) {
	if a.json {
		a.jsonLine(map[string]string{"model": model, "check": c.Name, "state": c.State.String(), "found": c.Found, "fix": c.Fix})
		return
	}
	line := fmt.Sprintf("  %-4s  %-9s  %s", c.State, c.Name, c.Found)
	if c.Fix != "" {
		line += "; " + c.Fix
	}
	fmt.Fprintln(a.out, line)
}

const noPreflight = "no-preflight"

// preflight makes those checks of the models in use that cost no tokens, before the run directory is created. A
// model that cannot be asked is an error if a tier has no other model.
func (a *app) preflight(ctx context.Context, sc *scenarios.Scenario, cycles span, keys openai.Key) error {
	broken := map[string]error{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, used := range usedModelsIn(sc, cycles) {
		m, err := model(used, sc.Think.Timeout)
		if err != nil {
			return err
		}
		if m.Check() != nil {
			continue // refused by name when the minds are made
		}
		all.Go(func() {
			err := firstFailedCheck(m.Name, openai.Preflight(ctx, &m, keys(&m)))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				broken[m.Name] = err
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return &cancelledError{"interrupted; nothing was made"}
	}
	for tier := range tiersIn(sc, cycles) {
		if err := tierError(tier, broken); err != nil {
			return err
		}
	}
	for _, m := range usedModelsIn(sc, cycles) {
		if err := broken[m.Name]; err != nil {
			fmt.Fprintf(a.err, "kingdom: %v; its tier uses the next model\n", err)
		}
	}
	return nil
}

// checkMissingKeys returns an error if no model of a tier can be asked because its endpoint wants a key and there is none: a key
// that was read from standard input is gone with the process that read it. Endpoints that have a key are not asked, and what else
// is wrong is left to the run, which obeys on_outage.
func checkMissingKeys(ctx context.Context, sc *scenarios.Scenario, cycles span, keys openai.Key) error {
	broken := map[string]error{}
	for _, used := range usedModelsIn(sc, cycles) {
		m, err := model(used, sc.Think.Timeout)
		if err != nil {
			return err
		}
		if !keys(&m).IsZero() {
			continue
		}
		for _, c := range openai.Preflight(ctx, &m, keyward.Key{}) {
			if c.State == openai.Failed && c.Failure == openai.FailureAuth {
				broken[m.Name] = usagef("no key was given for the model %q: %s; --%s reads one from standard input, or %s", m.Name, c.Found, keyStdin, c.Fix)
			}
		}
	}
	for tier := range tiersIn(sc, cycles) {
		if err := tierError(tier, broken); err != nil {
			return err
		}
	}
	return nil
}

// tierError returns the error of the first model if no model of the tier can be asked, else nil.
func tierError(tier []string, broken map[string]error) error {
	for _, name := range tier {
		if broken[name] == nil {
			return nil
		}
	}
	if len(tier) == 0 {
		return nil
	}
	return broken[tier[0]]
}

// unreachableError says that an endpoint does not answer. The user's input may be correct, so it is not an inputError.
type unreachableError struct{ error }

// firstFailedCheck returns the first failed check as an error, nil if none failed.
func firstFailedCheck(name string, checks []openai.Check) error {
	for _, c := range checks {
		if c.State != openai.Failed {
			continue
		}
		err := fmt.Errorf("the model %q cannot be asked: %s; %s (nothing was made; kingdom doctor shows more, --%s starts the run without this check)",
			name, strings.TrimSuffix(c.Found, "."), c.Fix, noPreflight)
		switch c.Failure {
		case openai.FailureTransport, openai.FailureTimeout, openai.FailureOverloaded, openai.FailureGarbled:
			return unreachableError{err}
		default:
			return usage(err)
		}
	}
	return nil
}
