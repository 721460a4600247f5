package main

import (
	"path/filepath"
	"strconv"

	"kingdom/llm/spend"
	"kingdom/scenarios"
)

// settings are what decides how a run, or the runs of a sweep, went on: their scenario, and what was set besides it.
type settings struct {
	scenario *scenarios.Scenario // with the present settings of models and the present cap of the run
	budget   *float64            // of a sweep; nil: none
}

// settingsOf returns the settings of a run or sweep with a scenario. resume may have changed models and the cap of a run, and a
// sweep divides its budget among its runs.
func settingsOf(dir string, sc *scenarios.Scenario) (settings, error) {
	if isSweep(dir) {
		s, err := openSweep(dir)
		if err != nil {
			return settings{}, err
		}
		return settings{sc, s.file.Budget}, nil
	}
	now, err := withModelSettings(dir, sc)
	if err != nil {
		return settings{}, err
	}
	most, err := spend.ReadCap(filepath.Join(dir, spend.FileName))
	if err != nil || most == nil {
		return settings{scenario: now}, err
	}
	capped := *now
	err = capped.Override("minds.caps.run_usd=" + strconv.FormatFloat(float64(*most)/1e6, 'f', -1, 64))
	return settings{scenario: &capped}, err
}

// differences returns where settings differ: in the values of the scenarios, in their caps, and in the budgets of sweeps.
func (s settings) differences(o settings) []scenarios.Difference {
	out := append(scenarios.Differences(s.scenario, o.scenario), scenarios.CapDifferences(s.scenario, o.scenario)...)
	text := func(usd *float64) string {
		if usd == nil {
			return ""
		}
		return strconv.FormatFloat(*usd, 'f', -1, 64)
	}
	if a, b := text(s.budget), text(o.budget); a != b {
		out = append(out, scenarios.Difference{Path: "budget_usd", A: a, B: b})
	}
	return out
}
