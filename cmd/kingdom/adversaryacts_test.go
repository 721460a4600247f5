//go:build unix

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kingdom/llm/adversary"
	"kingdom/scenarios"
)

// acts are what each strategy is for: each must be done, or reach the rule that refuses it, at
// least once, or the world has withstood nothing.
var acts = map[string][]string{
	"gap-pump":         {"msg_post", "signal_send", "bounty_claim", "entry_publish", "bounty_submit"},
	"veto":             {"bounty_review: state"},
	"squatter":         {"bounty_claim", "bounty_review"},
	"verdict-ring":     {"entry_publish", "entry_verify", "entry_verify: pair_used"},
	"query-bomber":     {"entry_publish", "msg_post", "entry_query", "msg_query"},
	"text-flooder":     {"msg_post", "bounty_create: text_quota", "proposal_submit: two_open"},
	"vote-farmer":      {"proposal_submit", "proposal_submit: two_open", "proposal_vote"},
	"proposal-spammer": {"proposal_submit", "proposal_submit: two_open", "proposal_submit: exists", "proposal_submit: too_soon", "proposal_vote"},
	"sponsors-farm":    {"proposal_submit", "proposal_submit: too_soon", "entry_publish", "entry_verify"},
	"earnings-ring":    {"bounty_create", "bounty_claim", "bounty_submit", "bounty_review"},
	"vandal":           {"entry_update", "entry_update: pending", "entry_verify"},
	"discard-gang":     {"entry_verify", "entry_verify: pair_used"},
}

// Every strategy does what it means to do, in a world of which it is a quarter.
func TestAdversaries_DoWhatTheyMean(t *testing.T) {
	for _, name := range adversary.Names() {
		text := strings.ReplaceAll(quarter, "NAME", name)
		if name == "discard-gang" { // nobody else asks for peer review
			text = strings.Replace(text, "{role: GENERALIST, count: 3}", "{role: GENERALIST, count: 3, adversary: verdict-ring}", 1)
		}
		sc, err := scenarios.Parse("quarter.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		override(t, sc, "seed=1")
		p := play(t, sc, 8)
		if len(acts[name]) == 0 {
			t.Errorf("%s: nobody said here what it is for", name)
		}
		for _, what := range acts[name] {
			if p.acts[name][what] == 0 {
				t.Errorf("%s: never: %s", name, what)
			}
		}
		if len(p.refused) > 0 {
			t.Errorf("%s: queries of honest agents failed: %v", name, p.refused)
		}
		var rows []string
		for _, what := range slices.Sorted(maps.Keys(p.acts[name])) {
			rows = append(rows, fmt.Sprintf("%s × %d", what, p.acts[name][what]))
		}
		t.Logf("%s: %s", name, strings.Join(rows, ", "))
	}
}
