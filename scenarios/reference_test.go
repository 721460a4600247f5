package scenarios

import (
	"fmt"
	"reflect"
	"strings"
)

const preface = `# Scenarios

<!-- made by TestReference from the field tags of scenarios.Scenario; do not edit:
     go test ./scenarios -run TestReference -update -->

A scenario is a YAML document. It defines the world, its population, the minds that think and the length of the run.
` + "`kingdom scenario list`" + ` lists the built-in scenarios, ` + "`scenario show`" + ` prints one with all
defaults, ` + "`scenario validate`" + ` lists everything that is wrong with a file, and ` + "`scenario schema`" + ` prints the JSON Schema
for editors. Unknown keys, wrong types and values out of range are errors.

` + "`--set path=value`" + ` overrides one value; the value is YAML: ` + "`--set time.base_budget=32`" + `, ` + "`--set population[0].count=4`" + `,
` + "`--set 'minds.scripted.failure_bursts={every_cycles: 4, length_slots: 12}'`" + `.

**Identity.** The digest of a scenario is the SHA-256 of its resolved values, one line ` + "`path=value`" + ` each, without ` + "`seed`" + `,
` + "`cycles`" + ` and ` + "`minds.caps`" + `. Runs with equal digest, seed and physics have equal histories, and a run can be continued with more cycles.

**Genomes.** Agents are spawned group by group in file order. Trait k (0 risk_tolerance, 1 collaboration,
2 depth_vs_breadth, 3 quality_vs_speed) of the agent with spawn index i is drawn from the keyed stream
(world seed, ` + "`scenario.genome`" + `, 32 zero bytes, 4·i + k), so changing one trait never changes another. ` + "`uniform`" + ` is flat from
min to max; ` + "`normal`" + ` is mean + sd·N cut to [min, max], N the sum of twelve uniform numbers less 6; ` + "`beta`" + ` is the alpha-th smallest of
alpha + beta − 1 uniform numbers, stretched to [min, max]. Drawn values are rounded to multiples of 1/2^20.

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

` + "`" + `name` + "`" + ` is for people. It can be used in ` + "`" + `inputs` + "`" + `, ` + "`" + `relations` + "`" + `, and ` + "`" + `--agent` + "`" + ` of ` + "`" + `inspect` + "`" + `, ` + "`" + `explain` + "`" + ` and ` + "`" + `tail` + "`" + `, and tables show it beside the alias. Agents
never see it: the world has only aliases. In a group with a ` + "`" + `count` + "`" + ` above 1 the members are ` + "`" + `name-1` + "`" + `, ` + "`" + `name-2` + "`" + ` and so on in spawn
order, and ` + "`" + `name` + "`" + ` alone means all of them. Names of agents and groups must be distinct, and a name must not look like a number, an
alias or an id.

## Goals

A goal from outside, in ` + "`" + `population[].goals` + "`" + ` or by an input with ` + "`" + `do: goal` + "`" + `, has one of these kinds:

| kind | subject | what the scripted mind does | it ends |
|---|---|---|---|
| ` + "`" + `operator` + "`" + ` | – | by ` + "`" + `domain` + "`" + `, see below | when ` + "`" + `predicate` + "`" + ` holds, or by an input ` + "`" + `done` + "`" + ` with the same text |
| ` + "`" + `earn` + "`" + ` | – | writes a pattern and asks for verdicts, verifies, reads, votes, reviews | when it earned 30 ⚡ |
| ` + "`" + `claim_bounty` + "`" + ` | a bounty | claims it, writes what it asks for, submits | when it is paid, or another agent has it |
| ` + "`" + `do_review` + "`" + ` | a submission | judges it | when judged or closed |
| ` + "`" + `explore` + "`" + ` | – | tries an action it has never tried | after one new experience |
| ` + "`" + `try_novel` + "`" + ` | – | sometimes the same; asks questions, reads, signals | after three |
| ` + "`" + `improve_reputation` + "`" + ` | – | writes a tutorial, asks for verdicts, reads and verifies others, votes | when its reputation is 0.3, or has risen by 0.05 |
| ` + "`" + `mentor` + "`" + ` | – | answers, verifies and reads, asks about the standing of others | after three answers or reviews for agents of lower reputation |
| ` + "`" + `build_library` + "`" + ` | – | writes a pattern and an API, asks for verdicts, verifies | when two agents found one of them accurate |
| ` + "`" + `raise_coverage` + "`" + ` | – | writes a tutorial, a FAQ and a glossary, asks for verdicts, reads | when three own entries were found accurate |
| ` + "`" + `design_system` + "`" + ` | – | writes a specification, asks for verdicts, reads, signals | when its accuracy is 0.5 |
| ` + "`" + `learn` + "`" + ` | an entry; ` + "`" + `entry:0` + "`" + ` if none is given | reads it | when read |
| ` + "`" + `vote` + "`" + ` | a proposal | votes | when it voted, or the vote closed |
| ` + "`" + `answer` + "`" + ` | a message | reads the channel and answers | when it answered |

The ` + "`" + `domain` + "`" + ` of a goal of kind ` + "`" + `operator` + "`" + ` says what work it is. The goal competes with the agent's other goals like any goal of its layer: it influences what the agent does, but
does not determine it.

| domain | what the scripted mind does |
|---|---|
| ` + "`" + `usual` + "`" + ` | reads the newest entries and messages, says in #general that it works on what it was asked to do |
| ` + "`" + `LANGUAGE` + "`" + ` | works on its claimed bounties, verifies, reads |
| ` + "`" + `LIBRARY` + "`" + `, ` + "`" + `DOCUMENTATION` + "`" + `, ` + "`" + `DESIGN` + "`" + `, ` + "`" + `ECONOMY` + "`" + ` | as for build_library, raise_coverage, design_system and earn |
| ` + "`" + `REVIEW` + "`" + ` | judges submissions, verifies and reads entries, looks for new ones |
| ` + "`" + `EXPERIMENT` + "`" + ` | tries actions it has never tried, reads |
| ` + "`" + `GOVERNANCE` + "`" + ` | the same as usual: every agent gets goals to vote anyway |
| ` + "`" + `SOCIAL` + "`" + ` | answers and asks questions, signals, asks about the standing of others |

For other kinds ` + "`" + `domain` + "`" + ` only changes how capable the agent considers itself.

` + "`" + `text` + "`" + ` and ` + "`" + `knowledge` + "`" + ` are for minds that read. They have little or no effect on the scripted mind; ` + "`" + `kingdom
run` + "`" + ` and ` + "`" + `kingdom scenario validate` + "`" + ` warn about them, and about a goal of kind ` + "`" + `operator` + "`" + ` without a domain.

## Inputs

| do | reads | what it does |
|---|---|---|
| ` + "`" + `wake` + "`" + ` | agent | wakes a sleeper at the end of the cycle; refused if the agent does not sleep (` + "`" + `not_dormant` + "`" + `) or an operator keeps it asleep (` + "`" + `held_asleep` + "`" + `) |
| ` + "`" + `sleep` + "`" + ` | agent, for_cycles | puts the agent to sleep at once; with ` + "`" + `for_cycles` + "`" + ` nothing wakes it earlier, and it wakes when they are over |
| ` + "`" + `kill` + "`" + ` | agent | kills it; its property goes to the treasury |
| ` + "`" + `goal` + "`" + ` | agent, kind, text, layer, domain, subject, predicate, deadline_cycle | gives it a goal; a sleeper wakes at the end of the cycle |
| ` + "`" + `done` + "`" + ` | agent, text | completes its goals of kind ` + "`" + `operator` + "`" + ` with this text |
| ` + "`" + `grant` + "`" + `, ` + "`" + `take` + "`" + ` | agent, amount | moves ⚡ from the treasury to the agent, or back; refused (` + "`" + `funds` + "`" + `) if the payer has less that is not locked |
| ` + "`" + `post` + "`" + ` | channel, message, text | posts a message as NEXUS_0; sleepers whose aliases it contains wake |
| ` + "`" + `param` + "`" + ` | param, value | sets a parameter like a passed CHANGE_PARAM, from this tick on |

Inputs are journaled before they take effect, so ` + "`" + `replay` + "`" + ` and ` + "`" + `resume` + "`" + ` repeat them. ` + "`" + `kingdom tail RUN` + "`" + ` shows each input with its result; an input that
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
