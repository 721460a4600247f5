package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/scenarios"
)

func newScenario(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenario",
		Short: "Check, show and list scenarios",
		Long:  "A scenario is a YAML file, or the name of a built-in one. docs/SCENARIOS.md is the reference.",
	}
	cmd.AddCommand(newScenarioValidate(a), newScenarioShow(a), newScenarioSchema(a), newScenarioList(a))
	return group(cmd)
}

func newScenarioValidate(a *app) *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "validate SCENARIO",
		Short: "Check a scenario and list everything that is wrong with it",
		Long: "Check a scenario and list every problem: file, line, column, field, what is wrong and what would be right. If the file\n" +
			"is no YAML, or a mistake hides which agents or models there are, not everything can be checked; a last line then says\n" +
			"that more may follow. In a valid scenario, values without effect are listed as warnings, and models that run and doctor\n" +
			"would refuse. Fields of --json: valid, name, digest, problems[] {file, line, column, field, wrong, right}, warnings[] of\n" +
			"the same form; if it is not valid also error, code and exit, in one line.",
		Args: args(1, "a scenario"),
		RunE: func(_ *cobra.Command, names []string) error {
			sc, err := loadScenario(names[0], set)
			switch {
			case a.json && err != nil:
				err = silent(err)
				line := errorLine(err)
				a.jsonLine(invalidJSON{validation(sc, err), line.Error, line.Code, line.Exit})
				return err
			case a.json:
				return printJSON(a.out, validation(sc, nil))
			case err != nil:
				return err
			}
			for _, w := range validationWarnings(sc) {
				a.say("warning: %s", w)
			}
			fmt.Fprintf(a.out, "%s is valid: %s, %s, digest %v\n", names[0], llm.Count(uint64(sc.Agents()), "agent"), llm.Count(sc.Cycles, "cycle"), sc.Digest())
			return nil
		},
	}
	addSet(cmd, &set)
	return cmd
}

func newScenarioShow(a *app) *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "show SCENARIO",
		Short: "Print a scenario with all defaults filled in",
		Args:  args(1, "a scenario"),
		RunE: func(_ *cobra.Command, names []string) error {
			sc, err := loadScenario(names[0], set)
			if err != nil {
				return err
			}
			if a.json {
				return printJSON(a.out, sc.Values())
			}
			_, err = a.out.Write(sc.Show())
			return err
		},
	}
	addSet(cmd, &set)
	return cmd
}

func newScenarioSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenarios",
		Args:  args(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(scenarios.Schema())
			return err
		},
	}
}

func newScenarioList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the built-in scenarios",
		Long:  "List the built-in scenarios. Fields of --json: name, description, agents, cycles.",
		Args:  args(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			list := scenarios.List()
			if a.json {
				return printJSON(a.out, list)
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "SCENARIO\tAGENTS\tCYCLES\tDESCRIPTION")
			for _, s := range list {
				fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", s.Name, s.Agents, s.Cycles, s.Description)
			}
			return w.Flush()
		},
	}
}

type validationJSON struct {
	Valid    bool          `json:"valid"`
	Name     string        `json:"name"`
	Digest   string        `json:"digest"`
	Problems []problemJSON `json:"problems"`
	Warnings []problemJSON `json:"warnings"`
}

// invalidJSON is what is wrong with a scenario and the error line of the command in one object.
type invalidJSON struct {
	validationJSON
	Error string `json:"error"`
	Code  string `json:"code"`
	Exit  int    `json:"exit"`
}

type problemJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Field  string `json:"field"`
	Wrong  string `json:"wrong"`
	Right  string `json:"right"`
}

func validation(sc *scenarios.Scenario, err error) validationJSON {
	v := validationJSON{Valid: err == nil, Problems: []problemJSON{}, Warnings: []problemJSON{}}
	if err == nil {
		for _, w := range validationWarnings(sc) {
			v.Warnings = append(v.Warnings, problemJSON(w))
		}
		v.Name, v.Digest = sc.Name, sc.Digest().String()
		return v
	}
	if e, ok := asError[*scenarios.Error](err); ok {
		for _, p := range e.Problems {
			v.Problems = append(v.Problems, problemJSON(p))
		}
	} else {
		v.Problems = append(v.Problems, problemJSON{Wrong: err.Error()})
	}
	return v
}

func addSet(cmd *cobra.Command, set *[]string) {
	cmd.Flags().StringArrayVar(set, "set", nil, "override a scenario value, path=value (repeatable), such as mint.initial_balance=20")
}

// validationWarnings returns the warnings of a scenario, and what run and doctor would refuse of its models. A run that reuses
// recorded answers needs no model that can be asked, so this is no error here.
func validationWarnings(sc *scenarios.Scenario) []scenarios.Problem {
	out := slices.Clone(sc.Warnings())
	for _, used := range usedModels(sc) {
		m, err := model(used, sc.Think.Timeout)
		if err == nil {
			err = m.Check()
		}
		bad, is := asError[*openai.FieldError](err)
		if is && used.Name == scenarios.DefaultModel && (bad.Field == "endpoint" && m.Endpoint == "" || bad.Field == "model" && m.ID == "") {
			continue // the environment may have it
		}
		if err == nil {
			continue
		}
		if e, ok := asError[*scenarios.Error](modelFieldError(sc, err)); ok {
			out = append(out, e.Problems...)
		}
	}
	return out
}

// warn prints the warnings of a scenario: values without effect. That of a cap of the run which --budget gave names the flag.
func warn(say func(format string, args ...any), sc *scenarios.Scenario, budget bool) {
	for _, w := range sc.Warnings() {
		if budget && w.Field == "minds.caps.run_usd" {
			say("warning: --budget %s; %s", w.Wrong, w.Right)
		} else {
			say("warning: %s", w)
		}
	}
}

// loadScenario reads a scenario and applies --set overrides in order.
func loadScenario(name string, set []string) (*scenarios.Scenario, error) {
	if isSweep(name) {
		return nil, usagef("%s holds a sweep; name one of its runs, such as %s, or its scenario, %s", name, shellQuote(anyRun(name)), shellQuote(filepath.Join(name, scenarioFile)))
	}
	sc, err := scenarios.Load(name)
	if err != nil {
		return nil, usage(err)
	}
	if len(set) == 0 {
		return sc, nil
	}
	if err := sc.Override(set...); err != nil {
		return nil, usage(err)
	}
	return sc, nil
}
