package scenarios

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// minimal is a valid scenario that bad lines are put behind.
const minimal = "name: x\npopulation: [{role: EXPLORER}]\n"

// named is a scenario with an agent named anna and a group of three named team.
const named = "name: x\npopulation: [{role: EXPLORER, name: anna}, {role: EXPLORER, name: team, count: 3}]\n"

// one is a scenario whose first agent begins with something, in line 4; the second is eve.
func one(begins string) string {
	return "name: x\npopulation:\n  - role: EXPLORER\n    " + begins + "\n  - {role: LIBRARIAN, name: eve}\n"
}

func TestParse_Problems(t *testing.T) {
	const keys = "name, description, seed, cycles, time, population, gates, epoch, auto_spawn, spawn, minds, prompts, think, goals, memory, dormancy, agora, oracle, mint, portal, inputs, changes, signatures, checkpoint, store, logs"
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"empty file", "", []string{"f.yaml: is empty; want a mapping with the keys " + keys}},
		{"only a comment", "# nothing\n", []string{"f.yaml: is empty; want a mapping with the keys " + keys}},
		{"not a mapping", "- a\n", []string{"f.yaml:1:1: is a list; want a mapping with the keys " + keys}},
		{"not YAML", "name: [1,\nseed: }", []string{"f.yaml:2:7: is not YAML here: did not find expected node content; want well-formed YAML", "more may follow once this is mended"}},
		{"a colon in a text", "name: x\ndescription: a: b\n", []string{"f.yaml:2:15: is not YAML here: mapping values are not allowed in this context; a text with a colon and a space in it must be in quotes; otherwise check the indentation", "more may follow once this is mended"}},
		{"brackets in a text of a list", minimal + "changes: [{cycle: 2, set: [population[0].mind=x]}]\n", []string{"f.yaml:3:38: is not YAML here: did not find expected ',' or ']'; close every [ and {; a text with one of [ ] { } , in it must be in quotes", "more may follow once this is mended"}},
		{"indentation of a list", "name: x\npopulation:\n  - role: EXPLORER\n   count: 3\n", []string{"f.yaml:4:4: is not YAML here: did not find expected '-' indicator; indent all items of the list above, and all keys of an item, by the same number of spaces", "more may follow once this is mended"}},
		{"indentation of a mapping", "name: x\ntime:\n    base_budget: 9\n  max_extra: 2\n", []string{"f.yaml:4:3: is not YAML here: did not find expected key; indent all keys of the mapping above by the same number of spaces", "more may follow once this is mended"}},
		{"a file of another kind", strings.Repeat("é", 5000), []string{`f.yaml:1:1: is the text "` + strings.Repeat("é", 100) + `…"; want a mapping with the keys ` + keys}},
		{"merge of a key that is needed", "name: x\npopulation: [&a {role: EXPLORER}, {<<: *a}]\n", []string{"f.yaml:2:36: population[1].<<: is a YAML merge, which scenarios do not support; write the keys out, or repeat a whole value with an alias (&name, *name)"}},
		{"a date", minimal + "seed: 2026-01-01\n", []string{"f.yaml:3:7: seed: is the date 2026-01-01; want a whole number or text in quotes"}},
		{"no amount", minimal + "inputs: [{cycle: 1, do: grant, agent: 1, amount: 0}]\n", []string{"f.yaml:3:50: inputs[0].amount: is 0; want a whole number of ⚡ from 1 to 1000000000"}},
		{"not UTF-8", "name: x\ndescription: Z\u00fcrich, caf\xe9\n", []string{"f.yaml:2:25: has the byte 0xe9, which is not UTF-8; save the file as UTF-8", "more may follow once this is mended"}},
		{"a control character", "name: x\ndescription: \"a\x01b\"\n", []string{`f.yaml:2:16: has the control character 0x01; remove it, or write it as an escape in double quotes, such as "\x01"`, "more may follow once this is mended"}},
		{"two documents", minimal + "---\nname: y\n", []string{"f.yaml:3:1: holds a second document; keep one scenario per file"}},
		{"missing", "cycles: 3\n", []string{
			"f.yaml:1:1: name: is missing; want text",
			"f.yaml:1:1: population: is missing; want a list, each item a mapping with the keys role, name, count, mind, persona, adversary, accomplices, balance, knowledge, goals, relations, traits",
		}},
		{"unknown key, near", minimal + "cycels: 3\n", []string{`f.yaml:3:1: cycels: unknown key; did you mean "cycles"?`}},
		{"unknown key, far", minimal + "speed: 3\n", []string{`f.yaml:3:1: speed: unknown key; did you mean "seed"?`}},
		{"unknown key, beginning", minimal + "time:\n  base: 3\n", []string{`f.yaml:4:3: time.base: unknown key; did you mean "base_budget"?`}},
		{"unknown key, from elsewhere", minimal + "malformed_rate: 1\n", []string{"f.yaml:3:1: malformed_rate: unknown key; did you mean minds.scripted.malformed_rate? The keys here are " + keys}},
		{"unknown key, nothing near", minimal + "mint: {qqqqqq: 1}\n", []string{"f.yaml:3:8: mint.qqqqqq: unknown key; the keys here are initial_balance, pair_cycles, budget_share, upkeep, upkeep_within_rewards"}},
		{"tab", minimal + "mint:\n\tpair_cycles: 2\n", []string{"f.yaml:4:1: is indented with a tab; YAML wants spaces: two for each level", "more may follow once this is mended"}},
		{"merge key", minimal + "mint: {<<: {pair_cycles: 2}}\n", []string{"f.yaml:3:8: mint.<<: is a YAML merge, which scenarios do not support; write the keys out, or repeat a whole value with an alias (&name, *name)"}},
		{"merge key twice", minimal + "mint: {<<: {pair_cycles: 2}, <<: {upkeep: 2}}\n", []string{
			"f.yaml:3:8: mint.<<: is a YAML merge, which scenarios do not support; write the keys out, or repeat a whole value with an alias (&name, *name)",
			"f.yaml:3:30: mint.<<: is written twice; keep one; the first is in line 3",
		}},
		{"key twice", minimal + "name: y\n", []string{"f.yaml:3:1: name: is written twice; keep one; the first is in line 1"}},
		{"key that is no word", minimal + "[a, b]: 1\n", []string{"f.yaml:3:1: has a key that is not a scalar; want the keys " + keys}},
		{"name", "name: My World\npopulation: [{role: EXPLORER}]\n", []string{`f.yaml:1:7: name: is the text "My World"; want lower-case letters, digits, '-' and '_' only`}},
		{"name, empty", "name: ''\npopulation: [{role: EXPLORER}]\n", []string{"f.yaml:1:7: name: has 0 bytes; want 1 to 64"}},
		{"name, number", "name: 7\npopulation: [{role: EXPLORER}]\n", []string{"f.yaml:1:7: name: is 7; want text; put it in quotes"}},
		{"text, list", minimal + "description: [a]\n", []string{"f.yaml:3:14: description: is a list; want text"}},
		{"seed, fraction", minimal + "seed: 1.10\n", []string{"f.yaml:3:7: seed: is 1.10; want a whole number or text in quotes"}},
		{"seed, empty", minimal + "seed: ''\n", []string{"f.yaml:3:7: seed: is empty; want a number or text, such as 42 or blue"}},
		{"seed, null", minimal + "seed:\n", []string{"f.yaml:3:6: seed: is empty; want a whole number or text in quotes"}},
		{"seed, control character", minimal + `seed: "a\tb"` + "\n", []string{`f.yaml:3:7: seed: is the text "a\tb"; want no control characters in it`}},
		{"whole, text", minimal + "cycles: ten\n", []string{`f.yaml:3:9: cycles: is the text "ten"; want a whole number from 1 to 1000000`}},
		{"whole, quoted", minimal + "cycles: '10'\n", []string{`f.yaml:3:9: cycles: is the text "10"; want a whole number from 1 to 1000000`}},
		{"whole, fraction", minimal + "cycles: 1.5\n", []string{"f.yaml:3:9: cycles: is 1.5; want a whole number from 1 to 1000000"}},
		{"whole, negative", minimal + "cycles: -1\n", []string{"f.yaml:3:9: cycles: is -1; want a whole number from 1 to 1000000"}},
		{"whole, octal", minimal + "cycles: 010\n", []string{"f.yaml:3:9: cycles: is 010; want a whole number from 1 to 1000000"}},
		{"whole, low", minimal + "time: {ticks_per_cycle: 91}\n", []string{"f.yaml:3:25: time.ticks_per_cycle: is 91; want a whole number from 92 to 65536"}},
		{"whole, high", minimal + "cycles: 1000001\n", []string{"f.yaml:3:9: cycles: is 1000001; want a whole number from 1 to 1000000"}},
		{"whole, huge", minimal + "cycles: 99999999999999999999\n", []string{"f.yaml:3:9: cycles: is 99999999999999999999; want a whole number from 1 to 1000000"}},
		{"number, high", minimal + "minds: {scripted: {nop_rate: 1.5}}\n", []string{"f.yaml:3:30: minds.scripted.nop_rate: is 1.5; want a number from 0 to 1"}},
		{"number, not a number", minimal + "minds: {scripted: {nop_rate: .nan}}\n", []string{"f.yaml:3:30: minds.scripted.nop_rate: is .nan; want a number from 0 to 1"}},
		{"switch", minimal + "auto_spawn: yes\n", []string{`f.yaml:3:13: auto_spawn: is the text "yes"; want true or false`}},
		{"choice, near", minimal + "signatures: lasy\n", []string{`f.yaml:3:13: signatures: is the text "lasy"; did you mean lazy? want one of eager, lazy`}},
		{"choice, far", minimal + "gates: 3\n", []string{"f.yaml:3:8: gates: is 3; want one of default, strict, open"}},
		{"duration without unit", minimal + "think: {timeout: 30}\n", []string{"f.yaml:3:18: think.timeout: is 30; want a duration from 10ms to 90s, such as 30s"}},
		{"duration, high", minimal + "think: {timeout: 2m}\n", []string{`f.yaml:3:18: think.timeout: is the text "2m"; want a duration from 10ms to 90s, such as 30s`}},
		{"mapping, number", minimal + "think: 3\n", []string{"f.yaml:3:8: think: is 3; want a mapping with the keys timeout, on_outage"}},
		{"budget above cycle", minimal + "time: {base_budget: 300}\n", []string{"f.yaml:3:21: time.base_budget: is 300; want at most time.ticks_per_cycle, 256"}},
		{"no groups", "name: x\npopulation: []\n", []string{"f.yaml:2:13: population: has 0 items; want 1 to 1000"}},
		{"groups, mapping", "name: x\npopulation: {role: EXPLORER}\n", []string{"f.yaml:2:13: population: is a mapping; want a list, each item a mapping with the keys role, name, count, mind, persona, adversary, accomplices, balance, knowledge, goals, relations, traits"}},
		{"group, text", "name: x\npopulation: [EXPLORER]\n", []string{`f.yaml:2:14: population[0]: is the text "EXPLORER"; want a mapping with the keys role, name, count, mind, persona, adversary, accomplices, balance, knowledge, goals, relations, traits`}},
		{"group without role", "name: x\npopulation:\n  - role: EXPLORER\n  - count: 2\n", []string{"f.yaml:4:5: population[1].role: is missing; want one of GENERALIST, COMPILER_SMITH, LIBRARIAN, ARCHITECT, EXPLORER"}},
		{"role", "name: x\npopulation: [{role: ARCHITEKT}]\n", []string{`f.yaml:2:21: population[0].role: is the text "ARCHITEKT"; did you mean ARCHITECT? want one of GENERALIST, COMPILER_SMITH, LIBRARIAN, ARCHITECT, EXPLORER`}},
		{"too many agents", "name: x\npopulation: [{role: EXPLORER, count: 60000}, {role: EXPLORER, count: 60000}]\n", []string{"f.yaml:2:13: population: has 120000 agents; want at most 100000"}},
		{"trait, high", trait("1.1"), []string{"f.yaml:2:59: population[0].traits.risk_tolerance: is 1.1; want a number from 0 to 1"}},
		{"trait, text", trait("high"), []string{`f.yaml:2:59: population[0].traits.risk_tolerance: is the text "high"; want a number from 0 to 1, or a mapping with the keys dist, value, mean, sd, alpha, beta, min, max`}},
		{"trait, list", trait("[1]"), []string{"f.yaml:2:59: population[0].traits.risk_tolerance: is a list; want a number from 0 to 1, or a mapping with the keys dist, value, mean, sd, alpha, beta, min, max"}},
		{"trait, other distribution's key", trait("{dist: uniform, mean: 0.5}"), []string{"f.yaml:2:81: population[0].traits.risk_tolerance.mean: has no meaning for dist uniform; remove it or change dist"}},
		{"trait, crossed ends", trait("{dist: uniform, min: 0.7, max: 0.2}"), []string{"f.yaml:2:59: population[0].traits.risk_tolerance: has min 0.7 above max 0.2; want min at most max"}},
		{"trait, distribution", trait("{dist: gauss}"), []string{`f.yaml:2:66: population[0].traits.risk_tolerance.dist: is the text "gauss"; want one of fixed, uniform, normal, beta`}},
		{"action", minimal + "minds: {scripted: {refuse_actions: [bounty_clam]}}\n", []string{`f.yaml:3:37: minds.scripted.refuse_actions[0]: is "bounty_clam", which is not an action; did you mean bounty_claim? kingdom actions lists them`}},
		{"action, number", minimal + "minds: {scripted: {refuse_actions: [3]}}\n", []string{"f.yaml:3:37: minds.scripted.refuse_actions[0]: is 3; want a name"}},
		{"input, agent out of range", minimal + "inputs: [{cycle: 1, agent: 2, do: wake}]\n", []string{"f.yaml:3:28: inputs[0].agent: is 2; want at most 1, the agents of population"}},
		{"input, agent zero", minimal + "inputs: [{cycle: 1, agent: 0, do: wake}]\n", []string{"f.yaml:3:28: inputs[0].agent: is 0; want the number of an agent in spawn order, or a name of population"}},
		{"input, unknown do", minimal + "inputs: [{cycle: 1, agent: 1, do: wakw}]\n", []string{`f.yaml:3:35: inputs[0].do: is the text "wakw"; did you mean wake? want one of wake, sleep, kill, goal, done, grant, take, post, param, spawn`}},
		{"input, goal without text", minimal + "inputs:\n  - {cycle: 1, agent: 1, do: wake}\n  - {cycle: 2, agent: 1, do: goal}\n", []string{"f.yaml:5:5: inputs[1].text: is missing; say what the goal is"}},
		{"input, goal with empty text", minimal + "inputs: [{cycle: 2, agent: 1, do: goal, text: ''}]\n", []string{"f.yaml:3:47: inputs[0].text: is empty; say what the goal is"}},
		{"spawn, poor", minimal + "spawn: {cap: 3}\ninputs: [{cycle: 1, do: spawn, amount: 49}]\n", []string{"f.yaml:4:40: inputs[0].amount: is 49; want 0, or a whole number from 50 to 1000000000"}},
		{"spawn, trait", minimal + "spawn: {cap: 3}\ninputs: [{cycle: 1, do: spawn, traits: {collaboration: 7}}]\n", []string{"f.yaml:4:56: inputs[0].traits.collaboration: is 7; want a number from 0 to 1"}},
		{"spawn, an agent", minimal + "spawn: {cap: 3}\ninputs: [{cycle: 1, do: spawn, agent: 1}]\n", []string{"f.yaml:4:39: inputs[0].agent: has no meaning for do: spawn; remove it; do: spawn reads role, count, traits, amount, name, mind, persona"}},
		{"traits, of a wake", minimal + "inputs: [{cycle: 1, agent: 1, do: wake, traits: {collaboration: 0.9}}]\n", []string{"f.yaml:3:49: inputs[0].traits: has no meaning for do: wake; remove it; do: wake reads agent"}},
		{"input, no agent", minimal + "inputs: [{cycle: 1, do: wake}]\n", []string{"f.yaml:3:10: inputs[0].agent: is missing; want the number of an agent in spawn order, from 1 to 1, or a name of population"}},
		{"input, unknown name", named + "inputs: [{cycle: 1, agent: anne, do: wake}]\n", []string{`f.yaml:3:28: inputs[0].agent: is the text "anne", which names nobody; did you mean anna? want a name of population, or a number from 1 to 4`}},
		{"input, member past the group", named + "inputs: [{cycle: 1, agent: team-4, do: wake}]\n", []string{`f.yaml:3:28: inputs[0].agent: is the text "team-4", which names nobody; did you mean team-1? want a name of population, or a number from 1 to 4`}},
		{"input, alias for a name", named + "inputs: [{cycle: 1, agent: Anna, do: wake}]\n", []string{`f.yaml:3:28: inputs[0].agent: is the text "Anna"; want the number of an agent in spawn order, or a name of population`}},
		{"input, key of another", minimal + "inputs: [{cycle: 1, agent: 1, do: wake, for_cycles: 3}]\n", []string{"f.yaml:3:53: inputs[0].for_cycles: has no meaning for do: wake; remove it; do: wake reads agent"}},
		{"input, agent of a post", minimal + "inputs: [{cycle: 1, agent: 1, do: post, text: hello}]\n", []string{"f.yaml:3:28: inputs[0].agent: has no meaning for do: post; remove it; do: post reads channel, message, text"}},
		{"input, post of nothing", minimal + "inputs: [{cycle: 1, do: post, text: ' '}]\n", []string{`f.yaml:3:37: inputs[0].text: is the text " "; say what the message is`}},
		{"input, kind of a post", minimal + "inputs: [{cycle: 1, do: post, text: a, message: question}]\n", []string{`f.yaml:3:49: inputs[0].message: is the text "question"; did you mean QUESTION? want one of STATEMENT, QUESTION, ANSWER, PROPOSAL, DECISION, CODE, REFERENCE, REVIEW, SIGNAL`}},
		{"input, grant of nothing", minimal + "inputs: [{cycle: 1, agent: 1, do: grant}]\n", []string{"f.yaml:3:10: inputs[0].amount: is missing; want a whole number of ⚡ from 1 to 1000000000"}},
		{"input, grant below nothing", minimal + "inputs: [{cycle: 1, agent: 1, do: grant, amount: -5}]\n", []string{"f.yaml:3:50: inputs[0].amount: is -5; want a whole number from 0 to 1000000000"}},
		{"epoch, high", minimal + "epoch: 7\n", []string{"f.yaml:3:8: epoch: is 7; want a whole number from 0 to 6"}},
		{"portal, no directory", minimal + "portal: {fetcher: recorded}\n", []string{"f.yaml:3:19: portal.recordings: is missing; want the directory of the recorded answers"}},
		{"portal, http", minimal + "portal: {fetcher: http}\n", []string{`f.yaml:3:19: portal.fetcher: is the text "http"; want one of offline, recorded`}},
		{"portal, no domain", minimal + "portal: {allow: [docs.rs, 'https://docs.rs']}\n", []string{`f.yaml:3:27: portal.allow[1]: is the text "https://docs.rs"; want a domain in lower case, such as en.wikipedia.org, without scheme, port or path`}},
		{"portal, no prefix", minimal + "portal: {private: [127.0.0.1]}\n", []string{`f.yaml:3:20: portal.private[0]: is the text "127.0.0.1"; want a prefix of addresses, such as 127.0.0.0/8 or fd00::/8`}},
		{"input, no param", minimal + "inputs: [{cycle: 1, do: param, value: 1}]\n", []string{"f.yaml:3:10: inputs[0].param: is missing; want one of agora.channel_fee, population.cap, mint.reward.review, mint.reward.entry, mint.reward.bug, mint.reward.royalty, mint.reward.vote, vault.quota_bytes, forge.cpu_quota, portal.quota_bonus"}},
		{"input, unknown param", minimal + "inputs: [{cycle: 1, do: param, param: agora.chanel_fee, value: 1}]\n", []string{`f.yaml:3:39: inputs[0].param: is the text "agora.chanel_fee"; did you mean agora.channel_fee? want one of agora.channel_fee, population.cap, mint.reward.review, mint.reward.entry, mint.reward.bug, mint.reward.royalty, mint.reward.vote, vault.quota_bytes, forge.cpu_quota, portal.quota_bonus`}},
		{"input, param without value", minimal + "inputs: [{cycle: 1, do: param, param: agora.channel_fee}]\n", []string{"f.yaml:3:10: inputs[0].value: is missing; want a whole number from 1 to 50"}},
		{"input, param out of range", minimal + "inputs: [{cycle: 1, do: param, param: mint.reward.vote, value: 3}]\n", []string{"f.yaml:3:64: inputs[0].value: is 3; want a whole number from 0 to 2 for mint.reward.vote"}},
		{"goal, unknown kind", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: claim}]\n", []string{`f.yaml:3:47: inputs[0].kind: is the text "claim"; did you mean claim_bounty? want one of operator, earn, claim_bounty, do_review, explore, improve_reputation, mentor, build_library, raise_coverage, design_system, try_novel, learn, vote, answer`}},
		{"goal, unknown domain", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, text: a, domain: review}]\n", []string{`f.yaml:3:58: inputs[0].domain: is the text "review"; did you mean REVIEW? want one of usual, LANGUAGE, LIBRARY, DOCUMENTATION, DESIGN, REVIEW, EXPERIMENT, ECONOMY, GOVERNANCE, SOCIAL`}},
		{"goal, subject of none", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: earn, subject: entry:0}]\n", []string{"f.yaml:3:62: inputs[0].subject: has no meaning for kind earn; remove it, or take the kind claim_bounty, do_review, vote, answer or learn"}},
		{"goal, subject missing", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: vote}]\n", []string{"f.yaml:3:10: inputs[0].subject: is missing for kind vote; want 64 hex digits, bounty:006 (the first bounty) or entry:0 (the first entry)"}},
		{"goal, subject of no form", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: learn, subject: bounty:6}]\n", []string{`f.yaml:3:63: inputs[0].subject: is the text "bounty:6"; want 64 hex digits, bounty:006 (the first bounty) or entry:0 (the first entry)`}},
		{"goal, predicate of a kind", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: earn, predicate: balance>=50}]\n", []string{"f.yaml:3:64: inputs[0].predicate: has no meaning for kind earn, which ends by its own rule; remove it, or take the kind operator"}},
		{"goal, predicate of no form", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, text: a, predicate: rich}]\n", []string{"f.yaml:3:61: inputs[0].predicate: has no >=; want balance>=N, reputation>=X, or an action and how often it must be done, such as entry_verify>=5"}},
		{"goal, predicate of no act", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, text: a, predicate: nop>=5}]\n", []string{`f.yaml:3:61: inputs[0].predicate: is about "nop"; want balance, reputation, or an action that sends a message (kingdom actions lists them)`}},
		{"goal, predicate above one", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, text: a, predicate: reputation>=2}]\n", []string{`f.yaml:3:61: inputs[0].predicate: asks for a reputation of "2"; want a number above 0, at most 1`}},
		{"goal, predicate of none", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, text: a, predicate: balance>=0}]\n", []string{`f.yaml:3:61: inputs[0].predicate: asks for "0"; want a whole number from 1 to 1000000000`}},
		{"goal, deadline before", minimal + "inputs: [{cycle: 4, agent: 1, do: goal, kind: earn, deadline_cycle: 4}]\n", []string{"f.yaml:3:69: inputs[0].deadline_cycle: is 4; want a cycle after 4, or 0"}},
		{"start, balance below", one("balance: -2"), []string{"f.yaml:4:14: population[0].balance: is -2; want a whole number from -1 to 1000000"}},
		{"start, balance of half", one("balance: 2.5"), []string{"f.yaml:4:14: population[0].balance: is 2.5; want a whole number from -1 to 1000000"}},
		{"start, fact without content", one("knowledge: [{label: a}]"), []string{"f.yaml:4:17: population[0].knowledge[0].content: is missing; want text"}},
		{"start, fact without label", one("knowledge: [{content: a}]"), []string{"f.yaml:4:17: population[0].knowledge[0].label: is missing; want text"}},
		{"start, fact twice", one("knowledge: [{label: a, content: b}, {label: a, content: b}]"), []string{`f.yaml:4:49: population[0].knowledge[1].label: repeats the label "a"; want each label once; the first is in line 4`}},
		{"start, relation of facts", one("knowledge: [{label: a, content: b, relates_to: [b]}]"), []string{`f.yaml:4:53: population[0].knowledge[0].relates_to[0]: is "b", which is not the label of another fact in this list; want the label of one`}},
		{"start, goal without text", one("goals: [{layer: objective}]"), []string{"f.yaml:4:13: population[0].goals[0].text: is missing; say what the goal is"}},
		{"start, goal twice", one("goals: [{kind: earn}, {kind: earn}]"), []string{"f.yaml:4:27: population[0].goals[1]: repeats an earlier goal of this list; remove one of the two"}},
		{"start, layer full", one("goals: [{kind: earn}, {kind: mentor}]") + "goals: {tasks: 1}\n", []string{"f.yaml:4:27: population[0].goals[1]: exceeds the capacity of the layer task; remove goals of this layer, or raise goals.tasks"}},
		{"start, trust in nobody", one("relations: [{agent: bob, trust: 1}]"), []string{`f.yaml:4:25: population[0].relations[0].agent: is the text "bob", which names nobody; want a name of population, or a number from 1 to 2`}},
		{"start, trust above one", one("relations: [{agent: 2, trust: 1.5}]"), []string{"f.yaml:4:35: population[0].relations[0].trust: is 1.5; want a number from 0 to 1"}},
		{"start, trust missing", one("relations: [{agent: 2}]"), []string{"f.yaml:4:17: population[0].relations[0].trust: is missing; want a number from 0 to 1"}},
		{"start, trust in itself", one("relations: [{agent: 1, trust: 1}]"), []string{"f.yaml:4:25: population[0].relations[0].agent: is 1, the agent itself; want another agent"}},
		{"start, trust twice", one("relations: [{agent: 2, trust: 1}, {agent: eve, trust: 0}]"), []string{"f.yaml:4:47: population[0].relations[1].agent: is eve, to whom an earlier relation of this list applies; want one relation to each agent; the earlier one is in line 4"}},
		{"name, of two groups", "name: x\npopulation:\n  - {role: EXPLORER, name: a}\n  - {role: EXPLORER, name: a}\n", []string{`f.yaml:4:28: population[1].name: is the text "a" as population[0].name does; want names that no other agent or group has; the first is in line 3`}},
		{"name, of a member", "name: x\npopulation:\n  - {role: EXPLORER, name: a-2}\n  - {role: EXPLORER, name: a, count: 2}\n", []string{`f.yaml:4:28: population[1].name: is the text "a", which names a member "a-2" as population[0].name does; want names that no other agent or group has; the first is in line 3`}},
		{"name, like an alias", "name: x\npopulation: [{role: EXPLORER, name: deadbeef}]\n", []string{`f.yaml:2:37: population[0].name: is the text "deadbeef"; want lower-case letters, digits, '-' and '_', a letter first, and not 8 or 64 digits of 0-9 and a-f, which would be an alias or id`}},
		{"name of others", "name: x\npopulation: [{role: EXPLORER, name: newcomers}]\n", []string{`f.yaml:2:37: population[0].name: is the text "newcomers"; want another name: kingdom society and the report call the agents so that are spawned later without a name`}},
		{"name of others, of newcomers", "name: x\npopulation: [{role: EXPLORER}]\ninputs: [{cycle: 1, do: spawn, name: newcomers}]\n", []string{`f.yaml:3:38: inputs[0].name: is the text "newcomers"; want another name: kingdom society and the report call the agents so that are spawned later without a name`}},
		{"name of all", "name: x\npopulation: [{role: EXPLORER, name: all}]\n", []string{`f.yaml:2:37: population[0].name: is the text "all"; want another name: kingdom interview --agent all asks each agent of a run`}},
		{"name of all, of newcomers", "name: x\npopulation: [{role: EXPLORER}]\ninputs: [{cycle: 1, do: spawn, name: all}]\n", []string{`f.yaml:3:38: inputs[0].name: is the text "all"; want another name: kingdom interview --agent all asks each agent of a run`}},
		{"model with the name of the scripted mind", minimal + "minds: {models: {scripted: {endpoint: 'http://h/v1', model: m}}}\n", []string{"f.yaml:3:28: minds.models.scripted: has the name of the offline mind; choose another: mind: scripted, and commands that compare minds, mean that one"}},
		{"action twice", minimal + "minds: {scripted: {refuse_actions: [msg_post, msg_query, msg_post]}}\n", []string{"f.yaml:3:58: minds.scripted.refuse_actions[2]: names msg_post again; name it once"}},
		{"unknown action twice", minimal + "minds: {scripted: {refuse_actions: [a, a]}}\n", []string{
			`f.yaml:3:37: minds.scripted.refuse_actions[0]: is "a", which is not an action; kingdom actions lists them`,
			`f.yaml:3:40: minds.scripted.refuse_actions[1]: is "a", which is not an action; kingdom actions lists them`,
		}},
		{"domains and prefixes twice", minimal + "portal: {allow: [a.com, a.com], block: [b.com, b.com], private: [10.0.0.0/8, 10.0.0.0/8]}\n", []string{
			"f.yaml:3:25: portal.allow[1]: names a.com again; name it once",
			"f.yaml:3:48: portal.block[1]: names b.com again; name it once",
			"f.yaml:3:78: portal.private[1]: names 10.0.0.0/8 again; name it once",
		}},
		{"layer twice", minimal + "minds: {blind: [money, money]}\n", []string{"f.yaml:3:24: minds.blind[1]: names money again; name it once"}},
		{"name, a number", "name: x\npopulation: [{role: EXPLORER, name: 7}]\n", []string{"f.yaml:2:37: population[0].name: is 7; want text; put it in quotes"}},
		{"name, upper case", "name: x\npopulation: [{role: EXPLORER, name: Anna}]\n", []string{`f.yaml:2:37: population[0].name: is the text "Anna"; want lower-case letters, digits, '-' and '_' only`}},
		{"key twice, unknown", minimal + "cycels: 3\ncycels: 4\n", []string{`f.yaml:3:1: cycels: unknown key; did you mean "cycles"?`, "f.yaml:4:1: cycels: is written twice; keep one; the first is in line 3"}},
		{"name, long", "name: " + strings.Repeat("x", 65) + "\npopulation: [{role: EXPLORER}]\n", []string{"f.yaml:1:7: name: has 65 bytes; want 1 to 64"}},
		{"seed, long", minimal + "seed: " + strings.Repeat("x", 201) + "\n", []string{`f.yaml:3:7: seed: has 201 bytes; want at most 200`}},
		{"whole, text where 0 is allowed", minimal + "epoch: two\n", []string{`f.yaml:3:8: epoch: is the text "two"; want a whole number from 0 to 6`}},
		{"signed, quoted", one("balance: '5'"), []string{`f.yaml:4:14: population[0].balance: is the text "5"; want a whole number from -1 to 1000000`}},
		{"signed, octal", one("balance: 010"), []string{"f.yaml:4:14: population[0].balance: is 010; want a whole number from -1 to 1000000"}},
		{"signed, high", one("balance: 1000001"), []string{"f.yaml:4:14: population[0].balance: is 1000001; want a whole number from -1 to 1000000"}},
		{"number, quoted", minimal + "minds: {scripted: {nop_rate: '0.5'}}\n", []string{`f.yaml:3:30: minds.scripted.nop_rate: is the text "0.5"; want a number from 0 to 1`}},
		{"switch, quoted", minimal + "auto_spawn: 'true'\n", []string{`f.yaml:3:13: auto_spawn: is the text "true"; want true or false`}},
		{"switch, upper case", minimal + "auto_spawn: True\n", []string{"f.yaml:3:13: auto_spawn: is True; want true or false"}},
		{"duration, low", minimal + "think: {timeout: 9ms}\n", []string{`f.yaml:3:18: think.timeout: is the text "9ms"; want a duration from 10ms to 90s, such as 30s`}},
		{"duration without unit where 0 is allowed", minimal + "minds: {models: {m: {timeout: 5}}}\n", []string{"f.yaml:3:31: minds.models.m.timeout: is 5; want a duration from 0s to 90s, such as 30s"}},
		{"list, long", minimal + "minds: {blind: [" + strings.Repeat("money, ", 9) + "]}\n", []string{"f.yaml:3:16: minds.blind: has 9 items; want 0 to 8"}},
		{"action, list", minimal + "minds: {scripted: {refuse_actions: [[a]]}}\n", []string{"f.yaml:3:37: minds.scripted.refuse_actions[0]: is a list; want a name"}},
		{"action, empty", minimal + "minds: {scripted: {refuse_actions: ['']}}\n", []string{`f.yaml:3:37: minds.scripted.refuse_actions[0]: is empty; want a name`}},
		{"trait, ends of a fixed value", trait("{dist: fixed, min: 0.7, max: 0.2}"), []string{
			"f.yaml:2:78: population[0].traits.risk_tolerance.min: has no meaning for dist fixed; remove it or change dist",
			"f.yaml:2:88: population[0].traits.risk_tolerance.max: has no meaning for dist fixed; remove it or change dist",
		}},
		{"one agent too many", "name: x\npopulation: [{role: EXPLORER, count: 60000}, {role: EXPLORER, count: 40001}]\n", []string{"f.yaml:2:13: population: has 100001 agents; want at most 100000"}},
		{"problems in one line, in file order", "name: x\npopulation: [{count: 0, role: WIZARD}]\n", []string{
			"f.yaml:2:22: population[0].count: is 0; want a whole number from 1 to 100000",
			`f.yaml:2:31: population[0].role: is the text "WIZARD"; want one of GENERALIST, COMPILER_SMITH, LIBRARIAN, ARCHITECT, EXPLORER`,
		}},
		{"input, number above all populations", minimal + "inputs: [{cycle: 1, agent: 100001, do: wake}]\n", []string{"f.yaml:3:28: inputs[0].agent: is 100001; want the number of an agent in spawn order, or a name of population"}},
		{"input, number of the largest population", minimal + "inputs: [{cycle: 1, agent: 100000, do: wake}]\n", []string{"f.yaml:3:28: inputs[0].agent: is 100000; want at most 1, the agents of population"}},
		{"input, name of one letter", minimal + "inputs: [{cycle: 1, agent: a, do: wake}]\n", []string{`f.yaml:3:28: inputs[0].agent: is the text "a", which names nobody; want a name of population, or a number from 1 to 1`}},
		{"input, nearly the name of a group", named + "inputs: [{cycle: 1, agent: teem, do: wake}]\n", []string{`f.yaml:3:28: inputs[0].agent: is the text "teem", which names nobody; did you mean team? want a name of population, or a number from 1 to 4`}},
		{"input, id for a name", named + "inputs: [{cycle: 1, agent: " + strings.Repeat("a", 64) + ", do: wake}]\n", []string{`f.yaml:3:28: inputs[0].agent: is the text "` + strings.Repeat("a", 64) + `"; want the number of an agent in spawn order, or a name of population`}},
		{"input, done without text", minimal + "inputs: [{cycle: 1, agent: 1, do: done}]\n", []string{"f.yaml:3:10: inputs[0].text: is missing; say what the goal is"}},
		{"input, param below its range", minimal + "inputs: [{cycle: 1, do: param, param: agora.channel_fee, value: 0}]\n", []string{"f.yaml:3:65: inputs[0].value: is 0; want a whole number from 1 to 50 for agora.channel_fee"}},
		{"goal, subject of four digits", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: learn, subject: bounty:0006}]\n", []string{`f.yaml:3:63: inputs[0].subject: is the text "bounty:0006"; want 64 hex digits, bounty:006 (the first bounty) or entry:0 (the first entry)`}},
		{"goal, subject with a letter", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: learn, subject: bounty:00x}]\n", []string{`f.yaml:3:63: inputs[0].subject: is the text "bounty:00x"; want 64 hex digits, bounty:006 (the first bounty) or entry:0 (the first entry)`}},
		{"goal, subject that is only a number", minimal + "inputs: [{cycle: 1, agent: 1, do: goal, kind: learn, subject: '006'}]\n", []string{`f.yaml:3:63: inputs[0].subject: is the text "006"; want 64 hex digits, bounty:006 (the first bounty) or entry:0 (the first entry)`}},
		{"start, as many facts as nodes", one("knowledge: ["+facts(16)+"]") + "memory: {nodes: 16}\n", []string{"f.yaml:4:16: population[0].knowledge: has 16 facts; want fewer than memory.nodes, 16"}},
		{"start, fact that refers to itself", one("knowledge: [{label: a, content: b, relates_to: [a]}]"), []string{`f.yaml:4:53: population[0].knowledge[0].relates_to[0]: is "a", which is not the label of another fact in this list; want the label of one`}},
		{"start, goal with the subject of another", one("goals: [{kind: learn, text: a, subject: bounty:006}, {kind: learn, text: b, subject: bounty:006}]"), []string{"f.yaml:4:58: population[0].goals[1]: repeats an earlier goal of this list; remove one of the two"}},
		{"start, layer full for two goals", one("goals: [{kind: earn}, {kind: mentor}, {kind: explore}]") + "goals: {tasks: 1}\n", []string{
			"f.yaml:4:27: population[0].goals[1]: exceeds the capacity of the layer task; remove goals of this layer, or raise goals.tasks",
			"f.yaml:4:43: population[0].goals[2]: exceeds the capacity of the layer task; remove goals of this layer, or raise goals.tasks",
		}},
		{"start, trust in itself, second group", "name: x\npopulation:\n  - {role: EXPLORER}\n  - {role: EXPLORER, relations: [{agent: 2, trust: 1}]}\n", []string{"f.yaml:4:42: population[1].relations[0].agent: is 2, the agent itself; want another agent"}},
		{"start, trust in a group twice", "name: x\npopulation:\n  - {role: EXPLORER, name: team, count: 3}\n  - {role: EXPLORER, relations: [{agent: team, trust: 1}, {agent: team, trust: 0}]}\n", []string{
			"f.yaml:4:67: population[1].relations[1].agent: is team, to whom an earlier relation of this list applies; want one relation to each agent; the earlier one is in line 4",
		}},
		{"name, of two large groups", "name: x\npopulation:\n  - {role: EXPLORER, name: a, count: 3}\n  - {role: EXPLORER, name: a, count: 3}\n", []string{`f.yaml:4:28: population[1].name: is the text "a" as population[0].name does; want names that no other agent or group has; the first is in line 3`}},
		{"name, like an alias, twice", "name: x\npopulation:\n  - {role: EXPLORER, name: deadbeef}\n  - {role: EXPLORER, name: deadbeef}\n", []string{
			`f.yaml:3:28: population[0].name: is the text "deadbeef"; want `, `f.yaml:4:28: population[1].name: is the text "deadbeef"; want `,
		}},
		{"input, cycle zero", minimal + "inputs: [{cycle: 0, agent: 1, do: sleep}]\n", []string{"f.yaml:3:18: inputs[0].cycle: is 0; want a whole number from 1 to 1000000"}},
		{"input, empty", minimal + "inputs: [{}]\n", []string{
			"f.yaml:3:10: inputs[0].cycle: is missing; want a whole number from 1 to 1000000",
			"f.yaml:3:10: inputs[0].do: is missing; want one of wake, sleep, kill, goal, done, grant, take, post, param, spawn",
		}},
		{"alias to itself", minimal + "minds: &a {scripted: *a}\n", []string{`f.yaml:3:12: minds.scripted.scripted: unknown key; did you mean minds.scripted? The keys here are malformed_rate, nop_rate, refuse_actions, failure_bursts, latency`}},
		{"all at once, in file order", "seed: []\nname: x\ncycles: 0\npopulation: [{role: EXPLORER, cuont: 3}]\n", []string{
			"f.yaml:1:7: seed: is a list; want a whole number or text in quotes",
			"f.yaml:3:9: cycles: is 0; want a whole number from 1 to 1000000",
			`f.yaml:4:31: population[0].cuont: unknown key; did you mean "count"?`,
		}},
		{"all at once, of several values too", "name: x\ncycles: 4\npopulation:\n  - {role: WIZARD, name: anna, accomplices: gang}\n  - {role: EXPLORER, name: anna, mind: nobody}\n" +
			"inputs:\n  - {cycle: 9, do: sleep, agent: ann}\n  - {cycle: 1, do: grant, agent: 3, amount: 5}\nminds: {blind: [peer]}\nprompts: {state: '{{.Nothing}}'}\nportal: {allow: ['http://x']}\n", []string{
			`f.yaml:4:12: population[0].role: is the text "WIZARD"; want one of GENERALIST, COMPILER_SMITH, LIBRARIAN, ARCHITECT, EXPLORER`,
			"f.yaml:4:45: population[0].accomplices: names a coalition, but these agents are not adversaries; give adversary as well: ",
			`f.yaml:5:28: population[1].name: is the text "anna" as population[0].name does; want names that no other agent or group has; the first is in line 4`,
			`f.yaml:5:40: population[1].mind: names the model "nobody", which does not exist; name one of minds.models, or add it there`,
			`f.yaml:7:34: inputs[0].agent: is the text "ann", which names nobody; did you mean anna? want a name of population, or a number from 1 to 2`,
			"f.yaml:8:34: inputs[1].agent: is 3; want at most 2, the agents of population",
			`f.yaml:9:17: minds.blind[0]: is "peer", which is not a layer of memory; did you mean peers? the layers are `,
			"f.yaml:10:21: prompts.state: there is no field Nothing; want one of ",
			`f.yaml:11:18: portal.allow[0]: is the text "http://x"; want a domain in lower case, such as en.wikipedia.org, without scheme, port or path`,
		}},
		{"a wrong value hides nothing beside it", "name: x\npopulation:\n  - {role: EXPLORER, name: 3masters, count: two}\n  - {role: EXPLORER, balance: x, nme: a}\nportal: {unlisted: x, allow: ['http://x']}\n" +
			"inputs:\n  - {cycle: 0, do: post, text: '', channel: 7}\n  - {cycle: x, do: goal, agent: 1, kind: earn, subject: x}\n  - {cycle: 0, do: grant, agent: 1, value: 3}\n", []string{
			`f.yaml:3:28: population[0].name: is the text "3masters"; want lower-case letters, `,
			`f.yaml:3:45: population[0].count: is the text "two"; want a whole number from 1 to 100000`,
			`f.yaml:4:31: population[1].balance: is the text "x"; want a whole number from -1 to 1000000`,
			`f.yaml:4:34: population[1].nme: unknown key; did you mean "name"?`,
			`f.yaml:5:20: portal.unlisted: is the text "x"; want `,
			`f.yaml:5:31: portal.allow[0]: is the text "http://x"; want `,
			"f.yaml:7:13: inputs[0].cycle: is 0; want a whole number from 1 to 1000000",
			"f.yaml:7:32: inputs[0].text: is empty; say what the message is",
			"f.yaml:7:45: inputs[0].channel: is 7; want text; put it in quotes",
			`f.yaml:8:13: inputs[1].cycle: is the text "x"; want a whole number from 1 to 1000000`,
			"f.yaml:8:57: inputs[1].subject: has no meaning for kind earn; ",
			"f.yaml:9:5: inputs[2].amount: is missing; want ",
			"f.yaml:9:13: inputs[2].cycle: is 0; want a whole number from 1 to 1000000",
			"f.yaml:9:44: inputs[2].value: has no meaning for do: grant; remove it; do: grant reads agent, amount",
			"more may follow once these are mended",
		}},
		{"predicate, misspelled", one("goals: [{text: a, predicate: 'entry_verfy>=2'}]"), []string{`f.yaml:4:34: population[0].goals[0].predicate: is about "entry_verfy"; did you mean entry_verify? want balance, reputation, or an action that sends a message (kingdom actions lists them)`}},
		{"predicate, wrong number", one("goals: [{text: a, predicate: 'balance>=x'}]"), []string{`f.yaml:4:34: population[0].goals[0].predicate: asks for "x"; want a whole number from 1 to 1000000000`}},
		{"a wrong price hides no unknown model, a wrong capacity no bad predicate", one("mind: nobody\n    goals: [{text: a, predicate: x}]") + "goals: {tasks: 0}\nminds: {models: {m: {price_input: x}}}\n", []string{
			`f.yaml:4:11: population[0].mind: names the model "nobody", which does not exist; `,
			"f.yaml:5:34: population[0].goals[0].predicate: has no >=; ",
			"f.yaml:7:16: goals.tasks: is 0; want a whole number from 1 to 256",
			`f.yaml:8:35: minds.models.m.price_input: is the text "x"; `,
		}},
		{"nothing seems to be missing that is only misspelled", minimal + "inputs:\n  - {cycle: 1, do: goal, agent: 1, knd: learn, subject: x}\n  - {cycle: 1, do: wake, agnt: 1}\n  - {cycle: 1, do: grant, agent: 1, amuont: 1}\n" +
			"  - {cycle: 1, do: post, txt: hello}\nportal: {fetcher: recorded, recordngs: x}\n", []string{
			`f.yaml:4:36: inputs[0].knd: unknown key; did you mean "kind"?`,
			`f.yaml:5:26: inputs[1].agnt: unknown key; did you mean "agent"?`,
			`f.yaml:6:37: inputs[2].amuont: unknown key; did you mean "amount"?`,
			`f.yaml:7:26: inputs[3].txt: unknown key; did you mean "text"?`,
			`f.yaml:8:29: portal.recordngs: unknown key; did you mean "recordings"?`,
		}},
		{"nothing that follows from another problem", "name: x\ncycles: 0\ntime: {ticks_per_cycle: 10, base_budget: 48}\npopulation:\n  - {role: EXPLORER, naem: anna, adversary: 7, accomplices: gang}\n" +
			"inputs: [{cycle: 3, do: sleep, agent: anna}, {cycle: 1, do: slep, agent: 1, amount: 3}]\nminds: {models: 3, tiers: {1: [a], 2: [a], 3: [a]}}\n", []string{
			"f.yaml:2:9: cycles: is 0; want a whole number from 1 to 1000000",
			"f.yaml:3:25: time.ticks_per_cycle: is 10; want a whole number from 92 to 65536",
			`f.yaml:5:22: population[0].naem: unknown key; the keys here are role, name, `,
			"f.yaml:5:45: population[0].adversary: is 7; want text; put it in quotes",
			`f.yaml:6:61: inputs[1].do: is the text "slep"; did you mean sleep? want one of wake, sleep, kill, goal, done, grant, take, post, param, spawn`,
			"f.yaml:7:17: minds.models: is 3; want a mapping ",
			"more may follow once these are mended",
		}},
		{"nothing that follows from a wrong fact, goal or relation", "name: x\npopulation:\n  - {role: EXPLORER, knowledge: [{label: 7, content: a}, {label: 7, content: b}]}\n" +
			"  - {role: EXPLORER, goals: [{kind: claim}]}\n  - {role: EXPLORER, relations: [{agent: 7.5, trust: 1}]}\n", []string{
			"f.yaml:3:42: population[0].knowledge[0].label: is 7; want text; put it in quotes",
			"f.yaml:3:66: population[0].knowledge[1].label: is 7; want text; put it in quotes",
			`f.yaml:4:37: population[1].goals[0].kind: is the text "claim"; did you mean claim_bounty? want `,
			"f.yaml:5:42: population[2].relations[0].agent: is 7.5; want the number of an agent in spawn order, or a name of population",
		}},
		{"nothing that follows from a wrong size of memory", one("knowledge: ["+facts(2)+"]") + "memory: {nodes: 1}\n", []string{"f.yaml:6:17: memory.nodes: is 1; want a whole number from 16 to 65536"}},
		{"nothing that follows from a wrong size of a layer", one("goals: [{kind: earn}]") + "goals: {tasks: 0}\n", []string{"f.yaml:6:16: goals.tasks: is 0; want a whole number from 1 to 256"}},
		{"nothing that follows from a wrong budget", minimal + "time: {base_budget: 70000}\n", []string{"f.yaml:3:21: time.base_budget: is 70000; want a whole number from 1 to 65536"}},
		{"nothing that follows from a wrong count", "name: x\npopulation: [{role: EXPLORER, count: 100001}]\n", []string{"f.yaml:2:38: population[0].count: is 100001; want a whole number from 1 to 100000"}},
		{"nothing about numbers of agents after a wrong count", "name: x\npopulation: [{role: EXPLORER, count: 0}]\ninputs: [{cycle: 1, agent: 9, do: wake}]\n", []string{"f.yaml:2:38: population[0].count: is 0; want a whole number from 1 to 100000", "more may follow once this is mended"}},
		{"nothing about names of models after wrong minds", one("mind: big") + "minds: 3\n", []string{"f.yaml:6:8: minds: is 3; want a mapping with the keys scripted, models, tiers, blind, caps", "more may follow once this is mended"}},
		{"nothing about a model that does not exist after a wrong name of one", one("mind: 7"), []string{"f.yaml:4:11: population[0].mind: is 7; want text; put it in quotes"}},
		{"nothing else after a key that is no word", minimal + "[a, b]: 1\ntime: {base_budget: 300}\n", []string{"f.yaml:3:1: has a key that is not a scalar; want the keys " + keys}},
		{"a wrong fact hides no wrong number of an agent", one("knowledge: [{label: 7, content: a}]") + "inputs: [{cycle: 1, agent: 9, do: wake}]\n", []string{
			"f.yaml:4:25: population[0].knowledge[0].label: is 7; want text; put it in quotes",
			"f.yaml:6:28: inputs[0].agent: is 9; want at most 2, the agents of population",
		}},
		{"a wrong number of cycles hides no wrong number of an agent", minimal + "cycles: 0\ninputs: [{cycle: 1, agent: 9, do: wake}]\n", []string{
			"f.yaml:3:9: cycles: is 0; want a whole number from 1 to 1000000",
			"f.yaml:4:28: inputs[0].agent: is 9; want at most 1, the agents of population",
		}},
		{"a problem of one model hides none of a model whose name it begins with", minimal + "minds: {models: {ma: {key: A B}, mab: {prices: 1}}}\n", []string{
			"f.yaml:3:28: minds.models.ma.key: is not the name of a key; want the NAME given to kingdom key set; never write the key itself into a scenario",
			`f.yaml:3:40: minds.models.mab.prices: unknown key; the keys here are `,
		}},
		{"too long", strings.Repeat("#", maxFile+1), []string{"f.yaml: has 1048577 bytes; want at most 1048576"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(c.file))
			var bad *Error
			if !errors.As(err, &bad) {
				t.Fatalf("Parse = %v, want an *Error", err)
			}
			got := strings.Split(bad.Error(), "\n")
			for i := range min(len(got), len(c.want)) {
				if begin, long := strings.CutSuffix(c.want[i], " "); long && strings.HasPrefix(got[i], begin) {
					got[i] = c.want[i] // a list follows that another test has
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("problems differ (-want +got):\n%s", d)
			}
		})
	}
}

func trait(value string) string {
	return "name: x\npopulation: [{role: EXPLORER, traits: {risk_tolerance:    " + value + "}}]\n"
}

// facts is n facts with different labels, as a YAML list without its brackets.
func facts(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("{label: fact%d, content: a}", i))
	}
	return strings.Join(list, ", ")
}

// Values at the ends of their ranges, and forms that look like refused ones, are accepted.
func TestParse_Accepts(t *testing.T) {
	for _, c := range []struct{ name, file string }{
		{"as many bytes as a file may have", minimal + strings.Repeat("#", maxFile-len(minimal))},
		{"as many agents as a population may have", "name: x\npopulation: [{role: EXPLORER, count: 60000}, {role: EXPLORER, count: 40000}]\n"},
		{"long name", "name: " + strings.Repeat("x", 64) + "\npopulation: [{role: EXPLORER}]\n"},
		{"long seed", minimal + "seed: " + strings.Repeat("x", 200) + "\n"},
		{"most cycles", minimal + "cycles: 1000000\n"},
		{"largest balance", one("balance: 1000000")},
		{"longest duration", minimal + "think: {timeout: 90s}\n"},
		{"a slot in each tick", minimal + "time: {ticks_per_cycle: 256, base_budget: 256}\n"},
		{"trait that is a whole number", trait("1")},
		{"most models of a tier", minimal + "minds: {models: {m: {}}, tiers: {1: [" + strings.Repeat("m, ", 16) + "], 2: [m], 3: [m]}}\n"},
		{"name of eight letters", "name: x\npopulation: [{role: EXPLORER, name: explorer}]\n"},
		{"one fact less than nodes", one("knowledge: ["+facts(15)+"]") + "memory: {nodes: 16}\n"},
		{"goals of one kind with different texts", one("goals: [{text: a, domain: REVIEW}, {text: b, domain: REVIEW}]")},
		{"goals of one kind and text with different subjects", one("goals: [{kind: vote, text: a, subject: bounty:006}, {kind: vote, text: a, subject: bounty:007}]")},
		{"goal that ends in the next cycle", minimal + "inputs: [{cycle: 4, agent: 1, do: goal, kind: earn, deadline_cycle: 5}]\n"},
		{"largest value of a parameter", minimal + "inputs: [{cycle: 1, do: param, param: agora.channel_fee, value: 50}]\n"},
		{"directory of recorded answers", minimal + "portal: {fetcher: recorded, recordings: answers}\n"},
	} {
		if _, err := Parse("f.yaml", []byte(c.file)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// An alias stands for the value that it names.
func TestParse_ListItemsMayBeAliases(t *testing.T) {
	s := must(Parse("f.yaml", []byte("name: x\npopulation: [&group {role: EXPLORER, count: 2}, *group]\n")))(t)
	if s.Agents() != 4 || s.Population[1].Count != 2 {
		t.Errorf("%d agents, want 4", s.Agents())
	}
}

func TestParse_Defaults(t *testing.T) {
	s, err := Parse("f.yaml", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	if s.Seed != "42" || s.Cycles != 50 || s.Time.TicksPerCycle != 256 || s.Checkpoint.EveryCycles != 32 || s.Think.Timeout.Seconds() != 30 || *s.AutoSpawn {
		t.Errorf("defaults of a scenario with one agent:\n%s", s.Show())
	}
	s, err = Parse("f.yaml", []byte(strings.Replace(minimal, "EXPLORER", "EXPLORER, count: 4", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if !*s.AutoSpawn {
		t.Error("auto_spawn must be on for four agents")
	}
}

// FuzzParse: a file gives problems or a scenario that survives being shown.
func FuzzParse(f *testing.F) {
	for _, name := range names() {
		b, err := embedded.ReadFile(name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(minimal + "minds: &a {scripted: *a}\n"))
	f.Add([]byte(trait("{dist: beta, alpha: 3, beta: 1, min: 0.1}")))
	f.Add([]byte(minimal + "inputs: [{cycle: 1, agent: 1, do: goal, text: read, layer: objective}]\n"))
	f.Add([]byte("seed: 0x10\n" + minimal + "description: \"\\u0000\"\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Parse("f.yaml", b)
		if err != nil {
			if bad := new(Error); !errors.As(err, &bad) || len(bad.Problems) == 0 {
				t.Fatalf("error without problems: %v", err)
			}
			return
		}
		again, err := Parse("f.yaml", s.Show())
		if err != nil {
			t.Fatalf("shown scenario does not parse: %v\n%s", err, s.Show())
		}
		if s.Digest() != again.Digest() || s.Seed != again.Seed || s.Cycles != again.Cycles {
			t.Fatalf("shown scenario differs:\n%s\n%s", s.Show(), again.Show())
		}
		if err := s.Override(); err != nil || s.Digest() != again.Digest() {
			t.Fatalf("overriding nothing changed the scenario: %v", err)
		}
	})
}

// Who names a run's directory where a scenario is wanted is told of the file in it.
func TestLoad_Directory(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(dir)
	want := "is a directory; want the path of a file, such as " + filepath.Join(dir, "scenario.yaml")
	if e := new(Error); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
		t.Errorf("Load of a directory = %v, want a scenario error with %q", err, want)
	}
}
