package scenarios

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world/oracle"
)

const treated = `name: x
population:
  - {role: EXPLORER, name: anna, balance: 250}
  - role: LIBRARIAN
    name: treated
    count: 3
    goals:
      - {kind: operator, text: read a lot, domain: DOCUMENTATION, predicate: entry_get >= 4}
      - {kind: learn, layer: objective}
    knowledge:
      - {label: loops, content: they repeat, confidence: 0.9, source: oracle, relates_to: [lists]}
      - {label: lists, content: they hold}
    relations:
      - {agent: anna, trust: 0.8}
      - {agent: treated, trust: 0.35, interactions: 4}
  - {role: EXPLORER, count: 2, balance: 0}
inputs:
  - {cycle: 3, agent: treated, do: sleep, for_cycles: 5}
  - {cycle: 3, agent: treated-2, do: grant, amount: 7}
  - {cycle: 4, do: post, channel: '#help', text: hello, message: QUESTION}
  - {cycle: 4, do: param, param: mint.reward.vote, value: 0}
`

func TestNames(t *testing.T) {
	s := must(Parse("f.yaml", []byte(treated)))(t)
	if d := cmp.Diff([]string{"anna", "treated-1", "treated-2", "treated-3", "", ""}, s.AgentNames()); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	for who, want := range map[AgentRef][]uint64{
		"1": {1}, "6": {6}, "7": nil, "0": nil, "anna": {1}, "treated": {2, 3, 4}, "treated-1": {2}, "treated-3": {4},
		"treated-0": nil, "treated-4": nil, "treated-01": nil, "treated-": nil, "anna-1": nil, "": nil, "bob": nil,
	} {
		if got := s.AgentsNamed(who); !slices.Equal(got, want) {
			t.Errorf("%q names %v, want %v", who, got, want)
		}
	}
}

func TestNames_OfTwoDigits(t *testing.T) {
	s := must(Parse("f.yaml", []byte("name: x\npopulation: [{role: EXPLORER}, {role: EXPLORER, name: a, count: 12}]\n")))(t)
	if got := s.AgentNames()[12]; got != "a-12" {
		t.Errorf("the last of 12 members is named %s", got)
	}
	for who, want := range map[AgentRef][]uint64{"10": {10}, "13": {13}, "a-10": {11}, "a-12": {13}, "a-13": nil, "b": nil} {
		if got := s.AgentsNamed(who); !slices.Equal(got, want) {
			t.Errorf("%q names %v, want %v", who, got, want)
		}
	}
}

// Relations to a group are one to each member; they come in spawn order, not in that of the file.
func TestTrusted(t *testing.T) {
	s := must(Parse("f.yaml", []byte("name: x\npopulation:\n  - {role: EXPLORER, relations: [{agent: team, trust: 0.5}, {agent: 2, trust: 1, interactions: 3}]}\n"+
		"  - {role: EXPLORER}\n  - {role: EXPLORER, name: team, count: 2}\n")))(t)
	want := []Relation{{"2", 1, 3}, {"3", 0.5, 10}, {"4", 0.5, 10}}
	if got := s.Trusted(&s.Population[0]); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestInput_ChannelIsNamedWithoutItsSign(t *testing.T) {
	if got := must(Parse("f.yaml", []byte(treated)))(t).Inputs[2].Channel; got != "help" {
		t.Errorf("#help is the channel %q", got)
	}
}

func TestBalances(t *testing.T) {
	s := must(Parse("f.yaml", []byte(treated)))(t)
	if d := cmp.Diff([]uint64{250, 100, 100, 100, 0, 0}, s.WorldRules().Balances); d != "" {
		t.Errorf("balances (-want +got):\n%s", d)
	}
	if b := must(Load("epoch0"))(t).Balances(); b != nil {
		t.Errorf("a scenario that states no balance has %v", b)
	}
}

// What is resolved reads as the same scenario, with the same digest; each new value is part of it.
func TestBeginning_RoundTrip(t *testing.T) {
	s := must(Parse("f.yaml", []byte(treated)))(t)
	again := must(Parse("shown.yaml", s.Show()))(t)
	if s.Digest() != again.Digest() || string(s.Show()) != string(again.Show()) {
		t.Errorf("the resolved scenario is another one:\n%s", cmp.Diff(string(s.Show()), string(again.Show())))
	}
	for _, set := range []string{
		"population[0].balance=249", "population[0].balance=-1", "population[4].balance=1", "population[1].knowledge[0].confidence=0.8", "population[1].knowledge[1].relates_to=[loops]",
		"population[1].goals[0].predicate=entry_get>=5", "population[1].goals[0].domain=usual", "population[1].relations[0].trust=0.7", "population[1].name=others",
		"inputs[0].for_cycles=4", "inputs[1].amount=8", "inputs[2].message=STATEMENT", "inputs[2].channel=general", "inputs[3].value=1",
	} {
		c := must(Parse("f.yaml", []byte(treated)))(t)
		if set == "population[1].name=others" {
			if err := c.Override("inputs=[]", "population[1].relations=[]"); err != nil {
				t.Fatal(err)
			}
		}
		before := c.Digest()
		if set == "population[4].balance=1" {
			set = "population[2].balance=1"
		}
		if err := c.Override(set); err != nil {
			t.Errorf("%s: %v", set, err)
		} else if c.Digest() == before {
			t.Errorf("%s does not change the digest", set)
		}
	}
}

func TestStartGoal_Description(t *testing.T) {
	s := must(Parse("f.yaml", []byte(treated)))(t)
	read, learn := s.Population[1].Goals[0].Description(), s.Population[1].Goals[1].Description()
	want := goals.Description{Kind: goals.KindOperator, Text: "read a lot", Domain: action.DomainDocumentation, Predicate: "entry_get>=4"}
	if d := cmp.Diff(want, read); d != "" {
		t.Errorf("description (-want +got):\n%s", d)
	}
	want = goals.Description{Kind: goals.KindLearn, Text: "As asked: learn", Subject: &oracle.EntryZero}
	if d := cmp.Diff(want, learn); d != "" {
		t.Errorf("description (-want +got):\n%s", d)
	}
	bounty := wire.Hash(sha256.Sum256([]byte("KINGDOM_BOUNTY:006")))
	for subject, want := range map[string]wire.Hash{"entry:0": oracle.EntryZero, "bounty:006": bounty, bounty.String(): bounty} {
		s := must(Parse("f.yaml", []byte(one("goals: [{kind: do_review, subject: '"+subject+"'}]"))))(t)
		if got := s.Population[0].Goals[0].Description().Subject; got == nil || *got != want {
			t.Errorf("the subject %s is %v, want %v", subject, got, want)
		}
	}
	for i, name := range GoalKind(0).EnumNames() {
		if got := goalKinds[i+1].String(); got != name {
			t.Errorf("kind %s is %s", name, got)
		}
	}
	for _, d := range Domain(0).EnumNames()[1:] {
		g := StartGoal{Kind: GoalOperator, Domain: Domain(slices.Index(Domain(0).EnumNames(), d) + 1)}
		if got := g.Description().Domain.String(); got != d {
			t.Errorf("domain %s is %s", d, got)
		}
	}
}

func TestSuccesses(t *testing.T) {
	for _, c := range []struct {
		trust float64
		of    uint64
		want  uint64
	}{{0, 10, 0}, {1, 10, 10}, {0.8, 10, 8}, {0.35, 4, 1}, {0.5, 1, 1}, {0.04, 10, 0}} {
		if got := (&Relation{Trust: c.trust, Interactions: c.of}).Successes(); got != c.want {
			t.Errorf("trust %g of %d: %d, want %d", c.trust, c.of, got, c.want)
		}
	}
}

// modelled is a scenario in which a model thinks for all agents, and an adversary for itself.
func modelled(model, minds string) string {
	return "name: x\npopulation: [{role: EXPLORER}, {role: LIBRARIAN, adversary: veto}]\nminds: {models: {m: " + model + "}, tiers: {1: [m], 2: [m], 3: [m]}, " + minds + "}\n"
}

// Values that are legal and that nothing will come of are told.
func TestWarnings_ValuesThatHaveNoEffect(t *testing.T) {
	const model = "{endpoint: 'https://h/v1', model: x, max_output: 4000, price_output: 15}"
	const asked = "name: x\npopulation: [{role: EXPLORER, mind: m}]\n"
	for _, c := range []struct{ file, want string }{
		{minimal + "minds: {models: {m: " + model + "}}\n", "minds.models.m: is asked by no agent; name it in minds.tiers (1, 2 and 3) or as the mind of a group; until then others think"},
		{asked + "minds: {models: {m: " + model + "}}\n", ""},
		{asked + "minds: {models: {m: " + model + ", n: " + model + "}}\n", "minds.models.n: is asked by no agent"},
		{minimal + "minds: {models: {m: " + model + "}}\nchanges: [{cycle: 3, set: ['population[0].mind=m']}]\n", ""},
		{minimal + "minds: {models: {m: " + model + "}, tiers: {1: [m], 2: [m], 3: [m]}}\n", ""},
		{minimal + "minds: {caps: {run_usd: 2}}\n", "minds.caps.run_usd: limits calls to models, and none is asked; it has no effect; give a group a model (docs/MINDS.md)"},
		{minimal + "minds: {caps: {tier_usd: {2: 2}}}\n", "minds.caps.tier_usd.2: limits calls to models, and none is asked"},
		{asked + "minds: {models: {m: " + model + "}, caps: {run_usd: 0.06}}\n", ""},
		{asked + "minds: {models: {m: " + model + "}, caps: {run_usd: 0.05}}\n", "minds.caps.run_usd: is 0.05 USD, and the longest answer of one call may cost 0.06 USD; every call will be refused; raise the cap, or lower max_output of the model"},
		{asked + "minds: {models: {m: " + model + "}, caps: {agent_usd: 0.01}}\n", "minds.caps.agent_usd: is 0.01 USD, and the longest"},
		{asked + "minds: {models: {m: " + model + "}, caps: {model_usd: {m: 0.01}}}\n", "minds.caps.model_usd.m: is 0.01 USD, and the longest"},
		{asked + "minds: {models: {m: {endpoint: 'https://h/v1', model: x, max_output: 8192, price_output: 0.1}}, caps: {run_usd: 0}}\n", "minds.caps.run_usd: is 0.00 USD, and the longest answer of one call may cost 0.00082 USD;"},
		{asked + "minds: {models: {m: {endpoint: 'http://127.0.0.1:1/v1', model: x}}, caps: {run_usd: 0}}\n", ""}, // it costs nothing
		{named + "inputs: [{cycle: 2, do: kill, agent: anna}, {cycle: 3, do: grant, agent: anna, amount: 5}]\n", "inputs[1].agent: is agent 1, which inputs[0] kills in cycle 2; the dead get nothing and never wake"},
		{named + "inputs: [{cycle: 4, do: wake, agent: team}, {cycle: 3, do: kill, agent: team-2}]\n", "inputs[0].agent: is agent 3, which inputs[1] kills in cycle 3"},
		{named + "inputs: [{cycle: 2, do: kill, agent: anna}, {cycle: 2, do: grant, agent: anna, amount: 5}, {cycle: 3, do: wake, agent: team}]\n", ""},
		{one("balance: 200\n    goals: [{kind: earn}]"), "population[0].goals[0].kind: is reached at once, since these agents begin with 200 ⚡; take the kind operator with a predicate such as balance>=400, or lower population[0].balance"},
		{one("goals: [{kind: earn}]"), "population[0].goals[0].kind: is reached at once, since these agents begin with 100 ⚡; take the kind operator with a predicate such as balance>=200, or lower mint.initial_balance"},
		{one("balance: 29\n    goals: [{kind: earn}, {kind: mentor}]"), ""},
		{one("balance: 500\n    goals: [{text: save, domain: ECONOMY, predicate: 'balance>=100'}]"), "population[0].goals[0].predicate: is reached at once, since these agents begin with 500 ⚡; ask for more, or lower population[0].balance"},
		{one("goals: [{text: a, domain: ECONOMY, predicate: 'balance>=101'}, {text: b, domain: ECONOMY, predicate: 'reputation>=0.1'}, {text: c, domain: ECONOMY, predicate: 'entry_verify>=1'}]"), ""},
		{minimal + "spawn: {cap: 3}\ninputs: [{cycle: 2, do: spawn, count: 2}]\n", ""},
		{minimal + "spawn: {cap: 3}\ninputs: [{cycle: 2, do: spawn, count: 3}]\n", "inputs[0].do: makes 4 agents in epoch 0, where spawn.cap is 3; unless agents have died or a later epoch has begun, newcomers are refused; set spawn.cap to 4"},
		{minimal + "epoch: 1\nspawn: {cap: 3}\ninputs: [{cycle: 2, do: spawn, count: 3}]\n", ""},
		{minimal + "minds: {scripted: {failure_bursts: {every_cycles: 5}}}\n", "minds.scripted.failure_bursts.every_cycles: has no effect without length_slots"},
		{minimal + "minds: {scripted: {failure_bursts: {length_slots: 5}}}\n", "minds.scripted.failure_bursts.length_slots: has no effect without every_cycles"},
		{minimal + "minds: {scripted: {failure_bursts: {every_cycles: 5, length_slots: 5}}}\n", ""},
		{minimal + "minds: {scripted: {latency: {median_ms: 5}}}\n", "minds.scripted.latency.median_ms: has no effect with the distribution none"},
		{minimal + "minds: {scripted: {latency: {distribution: uniform}}}\n", "minds.scripted.latency.distribution: has no effect while median_ms is 0"},
		{modelled(model, "scripted: {refuse_actions: [msg_post], nop_rate: 0.1}"), "minds.scripted.nop_rate: is about the scripted mind, and models think for all agents; it has no effect; leave it out, or give a group mind: scripted"},
		{modelled(model, "scripted: {latency: {distribution: constant, median_ms: 5}}"), "minds.scripted.latency: is about the scripted mind"},
		{modelled(model, "scripted: {nop_rate: 0}"), ""},
		{modelled(model, "scripted: {nop_rate: 0.1}") + "think: {on_outage: fallback}\n", ""},
		{modelled(model, "scripted: {nop_rate: 0.1}") + "changes: [{cycle: 2, set: ['population[0].mind=scripted']}]\n", ""},
		{modelled(model, "scripted: {nop_rate: 0.1}") + "spawn: {cap: 9}\ninputs: [{cycle: 2, do: spawn, mind: scripted}]\n", ""},
		{asked + "minds: {models: {m: " + model + "}, scripted: {nop_rate: 0.1}}\n", ""}, // newcomers
		{minimal + "mint: {upkeep_within_rewards: true}\n", "mint.upkeep_within_rewards: has no effect while upkeep is 0; set mint.upkeep, such as to 1"},
		{minimal + "mint: {upkeep: 1, upkeep_within_rewards: true}\n", ""},
		{minimal + "mint: {upkeep_within_rewards: false}\n", ""},
		{minimal + "time: {base_budget: 100, max_extra: 157}\n", "time.max_extra: is 157, and a cycle has room for 156 more slots; set it to 156, or lower time.base_budget"},
		{minimal + "time: {base_budget: 100, max_extra: 156}\n", ""},
		{minimal + "time: {base_budget: 100}\n", ""},
	} {
		got := must(Parse("f.yaml", []byte(c.file)))(t).Warnings()
		if c.want == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || c.want == "" || !strings.HasPrefix(got[0].Field+": "+got[0].Wrong+"; "+got[0].Right, c.want) || got[0].Line == 0 {
			t.Errorf("%s\nwarned %v, want %q", c.file, got, c.want)
		}
	}
}

// The scenarios that come with the program have no value without effect.
func TestWarnings_NoneOfBuiltInScenarios(t *testing.T) {
	for _, b := range List() {
		if s := must(Load(b.Name))(t); len(s.Warnings()) > 0 {
			t.Errorf("%s: %v", b.Name, s.Warnings())
		}
	}
}

func TestWarnings(t *testing.T) {
	models := "minds: {models: {m: {endpoint: 'http://127.0.0.1:1/v1', model: x}}}\n"
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"nothing given", minimal, nil},
		{"kinds and domains", treated, []string{"f.yaml:11:7: population[1].knowledge: is read by language models only, and none thinks for these agents; it has no effect; give the group a model (docs/MINDS.md)"}},
		{"free text", minimal + "inputs:\n  - {cycle: 2, agent: 1, do: goal, text: be kind}\n", []string{
			"f.yaml:4:42: inputs[0].text: is free text, which the scripted mind does not read; give the goal a kind or a domain too (docs/SCENARIOS.md, goals)",
		}},
		{"free text from the start", one("goals: [{text: be kind}]"), []string{
			"f.yaml:4:20: population[0].goals[0].text: is free text, which the scripted mind does not read; give the goal a kind or a domain too (docs/SCENARIOS.md, goals)",
		}},
		{"free text to a model", models + "name: x\npopulation: [{role: EXPLORER, mind: m}]\ninputs: [{cycle: 2, agent: 1, do: goal, text: be kind}]\n", nil},
		{"goal of a kind", minimal + "inputs: [{cycle: 2, agent: 1, do: goal, kind: earn}]\n", nil},
		{"goal of a domain", minimal + "inputs: [{cycle: 2, agent: 1, do: goal, text: be kind, domain: SOCIAL}]\n", nil},
		{"knowledge and free text from the start to a model", models + "name: x\npopulation: [{role: EXPLORER, mind: m, knowledge: [{label: a, content: b}], goals: [{text: be kind}]}]\n", nil},
		{"knowledge of an adversary", one("adversary: veto\n    knowledge: [{label: a, content: b}]"), []string{
			"f.yaml:5:16: population[0].knowledge: is read by language models only, and none thinks for these agents; it has no effect; give the group a model (docs/MINDS.md)",
		}},
		{"inputs before the population", "inputs: [{cycle: 2, agent: 1, do: goal, text: be kind}]\n" + one("goals: [{text: be kind}]"), []string{
			"f.yaml:1:47: inputs[0].text: is free text, which the scripted mind does not read; give the goal a kind or a domain too (docs/SCENARIOS.md, goals)",
			"f.yaml:5:20: population[0].goals[0].text: is free text, which the scripted mind does not read; give the goal a kind or a domain too (docs/SCENARIOS.md, goals)",
		}},
		{"a persona", one("persona: You are greedy."), []string{
			"f.yaml:4:14: population[0].persona: is read by language models only, and none thinks for these agents; it has no effect; give the group a model (docs/MINDS.md)",
		}},
		{"personas of several groups", "name: x\npopulation:\n  - {role: EXPLORER, name: brave, persona: You dare.}\n  - {role: EXPLORER}\n  - {role: LIBRARIAN, persona: You care.}\n  - {role: LIBRARIAN, name: last, persona: You wait.}\n", []string{
			"f.yaml:3:44: population[0].persona: is read by language models only, and none thinks for the groups brave, population[2] and last; it has no effect in any of them; give the groups a model (docs/MINDS.md)",
		}},
		{"a persona and prompts by a change", minimal + "changes: [{cycle: 3, set: ['population[0].persona=You are greedy.', \"prompts.rules='{{.Rules.MaxPosts}}'\"]}]\n", []string{
			"f.yaml:1:1: prompts: are read by language models only, and none thinks for any agent; they have no effect; give a group a model (docs/MINDS.md)",
			"f.yaml:2:14: population[0].persona: is read by language models only, and none thinks for these agents; it has no effect; give the group a model (docs/MINDS.md)",
		}},
		{"a persona until a model reads it", models + one("persona: You are greedy.") + "changes: [{cycle: 3, set: ['population[0].mind=m']}]\n", nil},
		{"a persona that the identity leaves out", models + "name: x\nprompts: {identity: 'You are {{.Me.Alias}}.'}\npopulation:\n  - {role: EXPLORER, persona: unread}\n  - {role: EXPLORER, mind: m, persona: You are greedy.}\n", []string{
			"f.yaml:5:31: population[0].persona: is read by language models only, and none thinks for these agents; it has no effect; give the group a model (docs/MINDS.md)",
			"f.yaml:6:40: population[1].persona: stands in no prompt: the scenario's own template prompts.identity leaves it out; it has no effect; write {{.Me.Persona}} where it is to stand",
		}},
		{"a persona that the identity has", models + "name: x\nprompts: {identity: 'You are {{.Me.Alias}}. {{.Me.Persona}}'}\npopulation: [{role: EXPLORER, mind: m, persona: You are greedy.}]\n", nil},
		{"a persona of a change that the identity leaves out", models + "name: x\nprompts: {identity: 'You are {{.Me.Alias}}.'}\npopulation: [{role: EXPLORER, mind: m}]\nchanges: [{cycle: 3, set: ['population[0].persona=You are greedy.']}]\n", []string{
			"f.yaml:4:14: population[0].persona: stands in no prompt: the scenario's own template prompts.identity leaves it out; it has no effect; write {{.Me.Persona}} where it is to stand",
		}},
		{"an input after the last cycle", minimal + "cycles: 5\ninputs:\n  - {cycle: 5, agent: 1, do: wake}\n  - {cycle: 6, agent: 1, do: wake}\n", []string{
			"f.yaml:6:13: inputs[1].cycle: 1 input is for a cycle after the last one, 5, and has no effect; it takes effect in a run of 6 cycles (cycles: 6, or --cycles 6)",
		}},
		{"inputs and changes after the last cycle", minimal + "cycles: 5\ninputs:\n  - {cycle: 9, agent: 1, do: wake}\n  - {cycle: 6, agent: 1, do: wake}\nchanges:\n  - {cycle: 5, set: ['minds.blind=[peers]']}\n  - {cycle: 7, set: ['minds.blind=[]']}\n", []string{
			"f.yaml:5:13: inputs[0].cycle: 2 inputs and 1 change are for cycles after the last one, 5, and have no effect; they take effect in a run of 9 cycles (cycles: 9, or --cycles 9)",
		}},
		{"changes after the last cycle", minimal + "cycles: 5\nchanges: [{cycle: 6, set: ['minds.blind=[peers]']}, {cycle: 7, set: ['minds.blind=[]']}]\n", []string{
			"f.yaml:4:19: changes[0].cycle: 2 changes are for cycles after the last one, 5, and have no effect; they take effect in a run of 7 cycles (cycles: 7, or --cycles 7)",
		}},
		{"done", minimal + "inputs: [{cycle: 2, agent: 1, do: done, text: be kind}]\n", nil},
	} {
		var got []string
		for _, p := range must(Parse("f.yaml", []byte(c.file)))(t).Warnings() {
			got = append(got, p.String())
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", c.name, d)
		}
	}
}

// Relations beyond the peers that an agent can model are refused, since the agent would forget them at the start.
func TestRelations_LimitIsPeerLimit(t *testing.T) {
	if maxRelations != memory.PeerMax {
		t.Errorf("a group may have relations to %d agents, and an agent models %d", maxRelations, memory.PeerMax)
	}
	text := func(others int) []byte {
		return fmt.Appendf(nil, "name: x\npopulation:\n  - {role: EXPLORER, relations: [{agent: others, trust: 0.8}]}\n  - {role: EXPLORER, name: others, count: %d}\n", others)
	}
	if _, err := Parse("f.yaml", text(memory.PeerMax)); err != nil {
		t.Errorf("as many as an agent models: %v", err)
	}
	const want = "f.yaml:3:33: population[0].relations: names 151 other agents; want at most 150, as many as an agent can model"
	if _, err := Parse("f.yaml", text(memory.PeerMax+1)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("one more: %v, want %s", err, want)
	}
	within := func(members int) []byte {
		return fmt.Appendf(nil, "name: x\npopulation:\n  - {role: EXPLORER, name: them, count: %d, relations: [{agent: them, trust: 0.8}]}\n", members)
	}
	if _, err := Parse("f.yaml", within(memory.PeerMax+1)); err != nil {
		t.Errorf("a group whose members trust each other, as many others as an agent models: %v", err)
	}
	if _, err := Parse("f.yaml", within(memory.PeerMax+2)); err == nil {
		t.Error("a group whose members trust each other, one more than an agent models, is accepted")
	}
}
