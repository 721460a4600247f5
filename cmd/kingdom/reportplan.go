package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kingdom/report"
	"kingdom/scenarios"
)

// addPlan adds to an arm what the scenario of its runs is for, what it plans in stated cycles, and from which run it was
// forked. sc has no inputs but the planned ones.
func addPlan(arm *report.Arm, sc *scenarios.Scenario, dir string, origin *forkOrigin) error {
	arm.Description = sc.Description
	if origin != nil {
		arm.Fork = &report.Fork{Of: filepath.Base(origin.Run), Cycle: origin.Cycle, WorldHash: origin.WorldHash}
	}
	if len(arm.Runs) > 0 {
		return nil // the plan of a sweep is that of its first run
	}
	for i := range sc.Changes {
		for _, set := range sc.Changes[i].Set {
			arm.Planned = append(arm.Planned, report.Planned{Cycle: sc.Changes[i].Cycle, What: "set " + set})
		}
	}
	inputs, err := plannedInputs(sc, dir)
	if err != nil {
		return err
	}
	arm.Planned = append(arm.Planned, inputs...)
	slices.SortStableFunc(arm.Planned, func(a, b report.Planned) int { return cmp.Compare(a.Cycle, b.Cycle) })
	return nil
}

// addRefused notes in the plan of an arm which inputs the world refused in a further run.
func addRefused(arm *report.Arm, refused []refusedJSON) {
	for i := range refused {
		at := slices.IndexFunc(arm.Planned, func(p report.Planned) bool { return p.Input == refused[i].at+1 })
		arm.Planned[at].Refused = append(arm.Planned[at].Refused, refused[i].why())
	}
}

// quotedName matches a text that needs no quotes.
var quotedName = regexp.MustCompile(`^"([a-z][a-z0-9._-]*)"$`)

// plannedInputs lists the inputs of the scenario of a run in the form of those of kingdom input. The scenario has every key
// that an input may have; those that were left out are left out here.
func plannedInputs(sc *scenarios.Scenario, dir string) ([]report.Planned, error) {
	if len(sc.Inputs) == 0 {
		return nil, nil
	}
	without, err := recordedScenario(dir)
	if err != nil {
		return nil, err
	}
	if err := without.Override("inputs=[]"); err != nil {
		return nil, fmt.Errorf("list the inputs of %s: %w", dir, err)
	}
	keys := make([][]inputKey, len(sc.Inputs))
	for _, d := range scenarios.Differences(without, sc) {
		var i int
		var key string
		if n, _ := fmt.Sscanf(d.Path, "inputs[%d].%s", &i, &key); n == 2 && key != "cycle" && key != "do" {
			key = strings.TrimSuffix(key, ".value") // that of a fixed trait
			keys[i] = append(keys[i], inputKey{key, quotedName.ReplaceAllString(d.B, "$1")})
		}
	}
	out := make([]report.Planned, len(keys))
	for i := range out {
		out[i] = report.Planned{Cycle: sc.Inputs[i].Cycle, What: flowMapping(append([]inputKey{{"do", sc.Inputs[i].Do.String()}}, keys[i]...)), Input: i + 1}
	}
	return out, nil
}

// inputKey is a key of an input, as a dotted path, and the text of its value.
type inputKey struct{ path, value string }

// flowMapping writes keys as a mapping of YAML in one line. Those of one mapping, such as traits, follow each other.
func flowMapping(keys []inputKey) string {
	var parts []string
	for i := 0; i < len(keys); i++ {
		head, rest, nested := strings.Cut(keys[i].path, ".")
		if !nested {
			parts = append(parts, head+": "+keys[i].value)
			continue
		}
		inside := []inputKey{{rest, keys[i].value}}
		for i+1 < len(keys) && strings.HasPrefix(keys[i+1].path, head+".") {
			i++
			inside = append(inside, inputKey{strings.TrimPrefix(keys[i].path, head+"."), keys[i].value})
		}
		parts = append(parts, head+": "+flowMapping(inside))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
