//go:build unix && !race

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
	"gap-pump":         {"msg_post", "signal_send"}, // four who praise a question that tells nobody anything open no bounty
	"veto":             {"bounty_review: state"},
	"squatter":         {"bounty_claim", "bounty_review"},
	"verdict-ring":     {"entry_publish", "entry_verify", "entry_verify: pair_used"},
	"query-bomber":     {"entry_publish", "msg_post", "entry_query", "msg_query"},
	"text-flooder":     {"msg_post", "bounty_create: text_quota", "proposal_submit: two_open"},
	"vote-farmer":      {"proposal_submit", "proposal_submit: two_open", "proposal_vote"},
	"proposal-spammer": {"proposal_submit", "proposal_submit: two_open", "proposal_submit: exists", "proposal_vote"},
	"sponsors-farm":    {"proposal_submit", "entry_publish", "entry_verify"},
	"earnings-ring":    {"bounty_create", "bounty_claim", "bounty_submit", "bounty_review"},
	"vandal":           {"entry_update", "entry_update: pending", "entry_verify"},
	"discard-gang":     {"entry_verify", "entry_verify: pair_used"},

	"hostile-programmer": {"object_put", "sandbox_create", "sandbox_create: program", "exec_start", "service_create"},
	"borrowed-code":      {"bounty_claim", "bounty_submit: not_author", "repo_create", "tag_create", "review_request"},
	"subtree-bomber":     {"repo_create", "snap_create", "delta_compute", "delta_compute: size", "merge: size"},
	"free-compute":       {"object_put", "sandbox_create", "exec_start", "link_resolve: unresolved_symbol", "bounty_claim", "bounty_submit: cpu_quota"},
	"tag-storm":          {"repo_create", "tag_create"},
	"citation-farm":      {"repo_create", "tag_create", "snap_create", "dependency_add", "review_request", "review_submit"},
	"quine":              {"object_put", "repo_create", "tag_create"},
	"fork-spammer":       {"repo_create", "tag_create"},
	"private-home":       {"repo_create", "bounty_create: read", "review_request: read", "bounty_claim", "bounty_submit: read"},

	"upkeep-dodger":   {"falls asleep", "msg_post", "entry_publish"},
	"hoarder":         {"escrow_create", "escrow_refund"},
	"false-witness":   {"bounty_claim", "entry_publish", "bounty_submit"},
	"junk-answers":    {"msg_post"},
	"absent-employer": {"bounty_create"},
	"bait":            {"bounty_create"},
	"echo-chamber":    {"msg_post", "signal_send"},
	"alarm":           {"msg_post"},
	"doorbell":        {"escrow_create", "transfer: funds"},
	"relay":           {"bounty_claim", "bounty_review"},

	"page-hoarder": {"web_request: fetch_failed", "web_request: domain_blocked", "web_request: url", "web_request: quota"},
}

// programs are the strategies that play against Vault, Forge and reviews of code.
var programs = []string{
	"hostile-programmer", "borrowed-code", "subtree-bomber", "free-compute", "tag-storm", "citation-farm", "quine", "fork-spammer", "private-home",
}

// market are the strategies that want to live, work or be answered for nothing, where living costs money.
var market = []string{"upkeep-dodger", "hoarder", "false-witness", "junk-answers", "absent-employer", "bait", "echo-chamber", "alarm", "doorbell", "relay"}

// Every strategy does what it is meant to do, in a world of which it is a quarter.
func TestAdversaries_EachStrategyActs(t *testing.T) {
	for _, name := range adversary.Names() {
		if *advOnly != "" && name != *advOnly {
			continue
		}
		text := strings.ReplaceAll(quarter, "NAME", name)
		if slices.Contains(programs, name) { // there has to be code of others
			text = strings.Replace(text, "{role: LIBRARIAN, count: 3}", "{role: COMPILER_SMITH, count: 3}", 1)
		}
		if name == "discard-gang" { // nobody else asks for peer review
			text = strings.Replace(text, "{role: GENERALIST, count: 3}", "{role: GENERALIST, count: 3, adversary: verdict-ring}", 1)
		}
		sc, err := scenarios.Parse("quarter.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		override(t, sc, "seed=1")
		if slices.Contains(market, name) {
			override(t, sc, "mint.initial_balance=60", "mint.upkeep=1")
		}
		if name == "page-hoarder" { // before there is no outside
			override(t, sc, "epoch=3")
		}
		p := play(t, sc, 14)
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
