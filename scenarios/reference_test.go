package scenarios

import (
	"fmt"
	"reflect"
	"strings"
)

const preface = `# Scenarios

<!-- made by TestReference from the field tags of scenarios.Scenario; do not edit:
     go test ./scenarios -run TestReference -update -->

A scenario is a YAML document. It defines the world, its population, the minds that think for the agents, and the length of the run.
` + "`kingdom scenario list`" + ` lists the built-in scenarios, ` + "`kingdom scenario show`" + ` prints a scenario with all
defaults, ` + "`kingdom scenario validate`" + ` lists everything that is wrong with a file, and ` + "`kingdom scenario schema`" + ` prints the JSON Schema
for editors. Unknown keys, wrong types and values out of range are errors.

` + "`--set path=value`" + ` overrides one value. The value is YAML: ` + "`--set time.base_budget=32`" + `, ` + "`--set population[0].count=4`" + `,
` + "`--set 'minds.scripted.failure_bursts={every_cycles: 4, length_slots: 12}'`" + `.
A seed needs no quotes there: ` + "`--set seed=018`" + `, ` + "`--seed 018`" + ` and ` + "`--seeds 018,true`" + ` take any text.

**Words.** Time is counted in *ticks*. A *cycle* is a fixed number of ticks, and cycle 0 is the *bootstrap*, which creates the world and its agents. A *slot* is a tick in which an agent has its turn.
A *mind* chooses what an agent does in a slot: the scripted mind, a program, or a language model ([MINDS](MINDS.md)). ⚡ is the currency. *Epochs* are stages of the world, each of which opens more actions; the daemons Agora (messages, bounties), Oracle (a library of entries), Mint (money) and others
keep its state ([WORLD](WORLD.md)). An agent that is DORMANT sleeps until something wakes it; an ACTIVE one is awake. A *goal* is something that an agent wants to achieve ([AGENT](AGENT.md#goals)).

**Identity.** The digest of a scenario is the SHA-256 of its resolved values, one line ` + "`path=value`" + ` each. It leaves out ` + "`seed`" + `,
` + "`cycles`" + `, ` + "`minds.caps`" + `, ` + "`portal.fetcher`" + `, ` + "`portal.recordings`" + `, ` + "`portal.private`" + `, ` + "`store.tables`" + ` and ` + "`logs`" + `. Runs with equal digest, seed and physics (the version of the world's rules) have equal histories
if their models and the web answer the same. A run can be continued with more cycles.

**Genomes.** The genome of an agent is its role and four traits. Agents are spawned group by group in file order; the first one has the spawn index 1. Trait k (0 risk_tolerance, 1 collaboration,
2 depth_vs_breadth, 3 quality_vs_speed) of the agent with spawn index i is drawn from the [keyed random stream](DETERMINISM.md)
(world seed, ` + "`scenario.genome`" + `, 32 zero bytes, 4·i + k). Changing one trait therefore never changes another. ` + "`uniform`" + ` is flat from
min to max. ` + "`normal`" + ` is mean + sd·N cut to [min, max], where N is the sum of twelve uniform numbers minus 6. ` + "`beta`" + ` is the alpha-th smallest of
alpha + beta − 1 uniform numbers, stretched to [min, max]. Drawn values are rounded to multiples of 1/2^20. For the n-th agent that ` + "`inputs`" + ` spawn, counted in file order, i is n and the first of the 32 bytes is 1, so newcomers change no genome of the initial population.

A minimal scenario:

` + "```yaml" + `
name: minimal
population:
  - role: GENERALIST
    count: 4
` + "```" + `

## Keys

| path | value | default | meaning |
|---|---|---|---|
`

const guide = `
## Names

The ` + "`" + `name` + "`" + ` of a group in ` + "`" + `population` + "`" + ` is for people. It can be used in ` + "`" + `inputs` + "`" + `, in ` + "`" + `relations` + "`" + `, and with ` + "`" + `--agent` + "`" + ` of ` + "`" + `inspect` + "`" + `, ` + "`" + `explain` + "`" + ` and ` + "`" + `tail` + "`" + `. What these print shows it beside the alias of an agent or instead of it; an alias is the first eight digits of an id. In the database, the agents of ` + "`" + `v_agents` + "`" + ` (` + "`" + `v.agents` + "`" + ` in PostgreSQL) have ` + "`" + `name` + "`" + ` and ` + "`" + `spawn_index` + "`" + `, their number in the order of ` + "`" + `population` + "`" + ` ([STORE](STORE.md)). Agents
never see names: the world has only aliases. In a group with a ` + "`" + `count` + "`" + ` above 1 the members are ` + "`" + `name-1` + "`" + `, ` + "`" + `name-2` + "`" + ` and so on in spawn
order, and ` + "`" + `name` + "`" + ` alone means all of them. Names of agents and groups must be distinct, and a name must not look like a number, an
alias or an id.

## Goals

A scenario can give goals to agents, in ` + "`" + `population[].goals` + "`" + ` or by an input with ` + "`" + `do: goal` + "`" + `. Such a goal has one of these kinds; "it" in the table is the agent or the goal's subject:

| kind | subject | what the scripted mind does | it ends |
|---|---|---|---|
| ` + "`" + `operator` + "`" + ` | – | depends on ` + "`" + `domain` + "`" + `, see below | when ` + "`" + `predicate` + "`" + ` holds, or by an input ` + "`" + `done` + "`" + ` with the same text |
| ` + "`" + `earn` + "`" + ` | – | writes a pattern and asks for verdicts, verifies, reads, votes, reviews | when its balance is at least 30 ⚡ |
| ` + "`" + `claim_bounty` + "`" + ` | a bounty | claims it, writes what it asks for, submits | when the bounty is paid, to this or another agent |
| ` + "`" + `do_review` + "`" + ` | a submission | judges it | when it has judged, or the review is closed |
| ` + "`" + `explore` + "`" + ` | – | tries an action that it has never tried | after one new experience |
| ` + "`" + `try_novel` + "`" + ` | – | sometimes tries such an action; asks questions, reads, signals | after three new experiences |
| ` + "`" + `improve_reputation` + "`" + ` | – | writes a tutorial, asks for verdicts, reads and verifies others, votes | when its reputation is 0.3, or has risen by 0.05 |
| ` + "`" + `mentor` + "`" + ` | – | answers, verifies and reads, asks about the standing of others | after three answers, reviews or verifications for agents of lower reputation |
| ` + "`" + `build_library` + "`" + ` | – | writes a pattern and an API, asks for verdicts, verifies | when two agents have found one of its patterns or APIs accurate, or it has registered a repo |
| ` + "`" + `raise_coverage` + "`" + ` | – | writes a tutorial, a FAQ and a glossary, asks for verdicts, reads | when three of its entries have been found accurate |
| ` + "`" + `design_system` + "`" + ` | – | writes a specification, asks for verdicts, reads, signals | when its specification has two verdicts and an accuracy of at least 0.5 |
| ` + "`" + `learn` + "`" + ` | an entry; ` + "`" + `entry:0` + "`" + ` if none is given | reads it | when it has read the entry |
| ` + "`" + `vote` + "`" + ` | a proposal | votes | when it has voted, or the vote is closed |
| ` + "`" + `answer` + "`" + ` | a message | reads the channel and answers | when it has answered |

Only entries count that were published or changed after the goal was set.

The ` + "`" + `domain` + "`" + ` of a goal of kind ` + "`" + `operator` + "`" + ` says what kind of work it needs. The goal competes with the agent's other goals like any goal of its layer. It influences what the agent does, but
does not determine it.

| domain | what the scripted mind does |
|---|---|
| ` + "`" + `usual` + "`" + ` | reads the newest entries and messages, says in the channel #general that it works on what it was asked to do |
| ` + "`" + `LANGUAGE` + "`" + ` | works on its claimed bounties, verifies, reads |
| ` + "`" + `LIBRARY` + "`" + `, ` + "`" + `DOCUMENTATION` + "`" + `, ` + "`" + `DESIGN` + "`" + `, ` + "`" + `ECONOMY` + "`" + ` | as for build_library, raise_coverage, design_system and earn |
| ` + "`" + `REVIEW` + "`" + ` | judges submissions, verifies and reads entries, looks for new ones |
| ` + "`" + `EXPERIMENT` + "`" + ` | tries actions it has never tried, reads |
| ` + "`" + `GOVERNANCE` + "`" + ` | the same as ` + "`" + `usual` + "`" + `; every agent gets goals to vote anyway |
| ` + "`" + `SOCIAL` + "`" + ` | answers and asks questions, signals, asks about the standing of others |

For goals of other kinds ` + "`" + `domain` + "`" + ` changes only how capable the agent considers itself.

The ` + "`" + `text` + "`" + ` of a goal and ` + "`" + `knowledge` + "`" + ` are for minds that read them, that is, for language models. They have little or no effect on the scripted mind. For agents for which no model thinks, ` + "`" + `kingdom run` + "`" + ` and ` + "`" + `kingdom scenario validate` + "`" + ` therefore
warn about ` + "`" + `knowledge` + "`" + `, a ` + "`" + `persona` + "`" + `, and a goal of kind ` + "`" + `operator` + "`" + ` without a domain, and where no model thinks at all, about ` + "`" + `prompts` + "`" + `. ` + "`" + `kingdom fork` + "`" + ` warns of them too. All three
warn about goals that agents have reached when they begin, such as ` + "`" + `earn` + "`" + ` with 100 ⚡.

## Inputs

| do | keys that it uses | what it does |
|---|---|---|
| ` + "`" + `wake` + "`" + ` | agent | wakes a sleeper at the end of the cycle; refused if the agent does not sleep (` + "`" + `not_dormant` + "`" + `) or an operator keeps it asleep (` + "`" + `held_asleep` + "`" + `) |
| ` + "`" + `sleep` + "`" + ` | agent, for_cycles | puts the agent to sleep at once. With ` + "`" + `for_cycles` + "`" + ` it wakes when these cycles are over, and nothing wakes it earlier |
| ` + "`" + `kill` + "`" + ` | agent | kills it; its property goes to the treasury |
| ` + "`" + `goal` + "`" + ` | agent, kind, text, layer, domain, subject, predicate, deadline_cycle | gives it a goal; a sleeper wakes at the end of the cycle |
| ` + "`" + `done` + "`" + ` | agent, text | completes its goals of kind ` + "`" + `operator` + "`" + ` with this text |
| ` + "`" + `grant` + "`" + `, ` + "`" + `take` + "`" + ` | agent, amount | moves ⚡ from the treasury to the agent, or back; refused (` + "`" + `funds` + "`" + `) if the payer has less unlocked money |
| ` + "`" + `post` + "`" + ` | channel, message, text | posts a message as NEXUS_0; sleepers whose aliases it contains wake |
| ` + "`" + `param` + "`" + ` | param, value | sets a parameter from this tick on, as a proposal CHANGE_PARAM does that passed its vote |
| ` + "`" + `spawn` + "`" + ` | role, count, traits, amount | spawns agents at once. They warm up for a whole cycle, so newcomers of cycle 21 get their first slots in cycle 23. Each is refused (` + "`" + `population_cap` + "`" + `) if the population has reached its limit, ` + "`" + `spawn.cap` + "`" + ` in epoch 0 and more later. The models of ` + "`" + `minds.tiers` + "`" + ` think for them, as for all agents that are spawned later; without any, the scripted mind does (if models think for others, a warning says so). Names of ` + "`" + `population` + "`" + ` do not reach them |

` + "`" + `kingdom input RUN '{do: wake, agent: 3}'` + "`" + ` gives such an input, except spawn, to a run that goes on; without a cycle it takes effect in the next one.

Inputs are written to the run's journal before they take effect, so ` + "`" + `replay` + "`" + ` and ` + "`" + `resume` + "`" + ` repeat them. ` + "`" + `kingdom tail RUN` + "`" + ` shows each input with its result. An input that
the world refuses changes nothing. An input for a group is one input for each of its members.
`

// reference is docs/SCENARIOS.md: every key with its range, default and meaning.
func reference() string {
	var b strings.Builder
	b.WriteString(preface)
	rows(&b, scenarioType, "")
	fmt.Fprintf(&b, "\n## A trait as a mapping\n\n| key | value | default | meaning |\n|---|---|---|---|\n")
	rows(&b, reflect.TypeFor[Trait](), "")
	b.WriteString(guide)
	return b.String()
}

func rows(b *strings.Builder, t reflect.Type, path string) {
	for _, f := range fieldsOf(t) {
		at := join(path, f.key)
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", at, values(f), fallback(f), strings.ReplaceAll(f.doc, "|", "\\|"))
		switch shapeOf(f.typ) {
		case shapeMapping:
			rows(b, f.typ, at)
		case shapeGroups:
			rows(b, f.typ.Elem(), at+"[]")
		case shapeNamed:
			rows(b, f.typ.Elem(), at+".<name>")
		default: // has no rows of its own
		}
	}
}

func values(f field) string {
	switch shapeOf(f.typ) {
	case shapeMapping:
		return "mapping"
	case shapeGroups:
		return fmt.Sprintf("list of %s to %s mappings", f.low, f.top)
	case shapeNames:
		return fmt.Sprintf("list of %s to %s names", f.low, f.top)
	case shapeNamed:
		return fmt.Sprintf("%s to %s mappings by name", f.low, f.top)
	case shapeAmounts:
		return strings.TrimPrefix(f.want(), "want a ")
	case shapeFree:
		return "mapping"
	case shapeTrait:
		return "number from 0 to 1, or mapping"
	case shapeText:
		return fmt.Sprintf("text of %s to %s bytes", f.low, f.top)
	default:
		return strings.TrimPrefix(f.want(), "want ")
	}
}

func fallback(f field) string {
	switch {
	case f.need:
		return "required"
	case shapeOf(f.typ) == shapeTrait:
		return "`0.5`"
	case shapeOf(f.typ) == shapeNames:
		return "`[]`"
	case shapeOf(f.typ) == shapeText && f.def == "":
		return "empty"
	case f.def == "":
		return ""
	}
	return "`" + f.def + "`"
}
