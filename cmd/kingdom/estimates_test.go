//go:build !race

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"kingdom/internal/fakellm"
)

// What --estimate says is near what is spent at the budgets that runs have, for several seeds and lengths, and where
// some agents think with the scripted mind. In a single cycle, chance decides how early agents rest (seed 42 is
// estimated at 1.51 times its cost), so the runs of some seeds count together.
func TestSpend_EstimatesAreNear(t *testing.T) {
	prices := []string{"--set", "minds.models.default.price_input=0.15", "--set", "minds.models.default.price_output=0.6", "--json"}
	mixed := []string{"--set", "population[0].mind=scripted", "--set", "population[4].mind=scripted", "--set", "population[6].mind=scripted"}
	for _, tt := range []struct {
		seeds  []string
		cycles string
		more   []string
	}{
		{[]string{"42", "7", "8"}, "1", nil},
		{[]string{"42"}, "2", nil},
		{[]string{"42"}, "3", nil},
		{[]string{"7"}, "3", nil},
		{[]string{"8"}, "3", nil},
		{[]string{"7"}, "6", nil},
		{[]string{"42", "7"}, "1", mixed},
		{[]string{"42"}, "3", mixed},
		{[]string{"9"}, "3", mixed},
	} {
		t.Run(fmt.Sprintf("seeds %v, %s cycles, %d set", tt.seeds, tt.cycles, len(tt.more)/2), func(t *testing.T) {
			estimated, spent := uint64(0), uint64(0)
			for _, seed := range tt.seeds {
				t.Chdir(t.TempDir())
				server := &fakellm.Server{Seed: 1, Forget: true}
				withServer(t, server)
				args := slices.Concat([]string{"run", "epoch0-llm", "--seed", seed, "--cycles", tt.cycles, "--logs=false"}, prices, tt.more)
				var e estimateJSON
				if r := must(t, in(t, append(slices.Clone(args), "--estimate")...)); json.Unmarshal([]byte(r.out), &e) != nil {
					t.Fatalf("no estimate: %s", r.out)
				}
				got := summaryOf(t, must(t, in(t, append(args, "--out", "run")...))).Spend
				t.Logf("seed %s: %d calls estimated, %d made; %d and %d tokens of a prompt; cost %.2f times", seed, e.Calls, got.Calls, e.Prompt/e.Calls, got.Prompt/got.Calls, float64(e.Cost)/float64(got.Cost))
				estimated, spent = estimated+e.Cost, spent+got.Cost
			}
			if ratio := float64(estimated) / float64(spent); ratio < 1/1.5 || ratio > 1.5 {
				t.Errorf("estimated %d micro-dollars, spent %d", estimated, spent)
			}
		})
	}
}
