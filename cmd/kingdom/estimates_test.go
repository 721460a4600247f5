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
// some agents think with the scripted mind.
func TestSpend_EstimatesAreNear(t *testing.T) {
	prices := []string{"--set", "minds.models.default.price_input=0.15", "--set", "minds.models.default.price_output=0.6", "--json"}
	mixed := []string{"--set", "population[0].mind=scripted", "--set", "population[4].mind=scripted", "--set", "population[6].mind=scripted"}
	for _, tt := range []struct {
		seed, cycles string
		more         []string
	}{
		{"42", "1", nil},
		{"7", "1", nil},
		{"8", "1", nil},
		{"42", "2", nil},
		{"42", "3", nil},
		{"7", "3", nil},
		{"8", "3", nil},
		{"7", "6", nil},
		{"42", "1", mixed},
		{"42", "3", mixed},
		{"9", "3", mixed},
	} {
		t.Run(fmt.Sprintf("seed %s, %s cycles, %d set", tt.seed, tt.cycles, len(tt.more)/2), func(t *testing.T) {
			t.Chdir(t.TempDir())
			server := &fakellm.Server{Seed: 1, Forget: true}
			withServer(t, server)
			args := slices.Concat([]string{"run", "epoch0-llm", "--seed", tt.seed, "--cycles", tt.cycles, "--logs=false"}, prices, tt.more)
			var e estimateJSON
			if r := must(t, in(t, append(slices.Clone(args), "--estimate")...)); json.Unmarshal([]byte(r.out), &e) != nil {
				t.Fatalf("no estimate: %s", r.out)
			}
			got := summaryOf(t, must(t, in(t, append(args, "--out", "run")...))).Spend
			ratio := float64(e.Cost) / float64(got.Cost)
			t.Logf("%d calls estimated, %d made; %d and %d tokens of a prompt; cost %.2f times", e.Calls, got.Calls, e.Prompt/e.Calls, got.Prompt/got.Calls, ratio)
			if ratio < 1/1.5 || ratio > 1.5 {
				t.Errorf("estimated %d micro-dollars, spent %d", e.Cost, got.Cost)
			}
		})
	}
}
