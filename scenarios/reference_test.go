package scenarios

import (
	"fmt"
	"reflect"
	"strings"
)

const preface = `# Scenarios

<!-- made by TestReference from the field tags of scenarios.Scenario; do not edit:
     go test ./scenarios -run TestReference -update -->

A scenario is one YAML document that says what world to make, who lives in it, which minds think and how long the run
lasts. ` + "`kingdom scenario list`" + ` names the scenarios that come with the program, ` + "`scenario show`" + ` prints one with all
defaults, ` + "`scenario validate`" + ` lists everything that is wrong with a file, and ` + "`scenario schema`" + ` prints the JSON Schema
for editors. Unknown keys, wrong types and values out of range are errors, never guesses.

` + "`--set path=value`" + ` overrides one value; the value is YAML: ` + "`--set time.base_budget=32`" + `, ` + "`--set population[0].count=4`" + `,
` + "`--set 'minds.scripted.failure_bursts={every_cycles: 4, length_slots: 12}'`" + `.

**Identity.** The digest of a scenario is the SHA-256 over its resolved values, one line ` + "`path=value`" + ` each, without ` + "`seed`" + `,
` + "`cycles`" + ` and ` + "`minds.caps`" + `. Equal digest, seed and physics give equal histories; a run may be continued with more cycles.

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

` + "`" + `name` + "`" + ` is for people: ` + "`" + `inputs` + "`" + `, ` + "`" + `relations` + "`" + `, and ` + "`" + `--agent` + "`" + ` of ` + "`" + `inspect` + "`" + `, ` + "`" + `explain` + "`" + ` and ` + "`" + `tail` + "`" + ` take it, and their tables show it beside the alias. No
agent hears of it: in the world there are aliases only. In a group with a ` + "`" + `count` + "`" + ` above 1 the members are ` + "`" + `name-1` + "`" + `, ` + "`" + `name-2` + "`" + ` and so on in spawn
order, and ` + "`" + `name` + "`" + ` alone means all of them. Two agents, or an agent and a group, cannot have one name; a name cannot look like a number, an
alias or an id.

## Goals

A goal from outside, in ` + "`" + `population[].goals` + "`" + ` or by an input with ` + "`" + `do: goal` + "`" + `, is one of a closed list of kinds. What each does to the scripted mind:

| kind | subject | the scripted mind | it ends |
|---|---|---|---|
| ` + "`" + `operator` + "`" + ` | – | by ` + "`" + `domain` + "`" + `, see below | when ` + "`" + `predicate` + "`" + ` holds, or by an input ` + "`" + `done` + "`" + ` with the same text |
| ` + "`" + `earn` + "`" + ` | – | writes a pattern and asks for verdicts, verifies, reads, votes, reviews | at 30 ⚡ |
| ` + "`" + `claim_bounty` + "`" + ` | a bounty | claims it, writes what it asks for, submits | when it is paid, or gone to another |
| ` + "`" + `do_review` + "`" + ` | a submission | judges it | when judged or closed |
| ` + "`" + `explore` + "`" + ` | – | tries something it never did | after one new experience |
| ` + "`" + `try_novel` + "`" + ` | – | the same now and then, asks, looks around, signals | after three |
| ` + "`" + `improve_reputation` + "`" + ` | – | writes a tutorial, asks for verdicts, reads and verifies others, votes | at a reputation of 0.3, or 0.05 more than it was |
| ` + "`" + `mentor` + "`" + ` | – | answers, verifies and reads, asks about the standing of others | after three answers or reviews for agents of lower reputation |
| ` + "`" + `build_library` + "`" + ` | – | writes a pattern and an API, asks for verdicts, verifies | when two found one of them accurate |
| ` + "`" + `raise_coverage` + "`" + ` | – | writes a tutorial, a FAQ and a glossary, asks for verdicts, reads | when three own entries were found accurate |
| ` + "`" + `design_system` + "`" + ` | – | writes a specification, asks for verdicts, reads, signals | at an accuracy of 0.5 |
| ` + "`" + `learn` + "`" + ` | an entry; ` + "`" + `entry:0` + "`" + ` if none is given | reads it | when read |
| ` + "`" + `vote` + "`" + ` | a proposal | votes | when it voted, or the vote closed |
| ` + "`" + `answer` + "`" + ` | a message | reads the channel and answers | when it answered |

` + "`" + `domain` + "`" + ` of a goal of kind ` + "`" + `operator` + "`" + ` says what work it is. The goal is worth as much as any of its layer: it weighs on what the agent does, and
does not command it.

| domain | the scripted mind |
|---|---|
| ` + "`" + `usual` + "`" + ` | looks at the newest entries and messages, says in #general that it works on what it was asked to do |
| ` + "`" + `LANGUAGE` + "`" + ` | works at bounties it holds, verifies, reads, looks around |
| ` + "`" + `LIBRARY` + "`" + `, ` + "`" + `DOCUMENTATION` + "`" + `, ` + "`" + `DESIGN` + "`" + `, ` + "`" + `ECONOMY` + "`" + ` | as for build_library, raise_coverage, design_system and earn |
| ` + "`" + `REVIEW` + "`" + ` | judges submissions, verifies and reads entries, looks for new ones |
| ` + "`" + `EXPERIMENT` + "`" + ` | tries what it never did, looks around |
| ` + "`" + `GOVERNANCE` + "`" + ` | as usual: votes come to every agent by themselves |
| ` + "`" + `SOCIAL` + "`" + ` | answers and asks questions, signals, asks about the standing of others |

For other kinds a ` + "`" + `domain` + "`" + ` only changes how able the agent thinks it is.

` + "`" + `text` + "`" + ` is for minds that read. The scripted mind does not: a goal of kind ` + "`" + `operator` + "`" + ` without a domain and ` + "`" + `knowledge` + "`" + ` say little to it or nothing, and ` + "`" + `kingdom
run` + "`" + ` and ` + "`" + `kingdom scenario validate` + "`" + ` warn of them.

## Inputs

| do | reads | what it does |
|---|---|---|
| ` + "`" + `wake` + "`" + ` | agent | wakes a sleeper at the end of the cycle; refused (` + "`" + `not_dormant` + "`" + `, ` + "`" + `held_asleep` + "`" + `) where there is none to wake |
| ` + "`" + `sleep` + "`" + ` | agent, for_cycles | puts the agent to sleep at once; with ` + "`" + `for_cycles` + "`" + ` nobody and no timer wakes it sooner, and it wakes when they are over |
| ` + "`" + `kill` + "`" + ` | agent | ends it; what it owns goes to the treasury |
| ` + "`" + `goal` + "`" + ` | agent, kind, text, layer, domain, subject, predicate, deadline_cycle | gives it a goal; a sleeper wakes at the end of the cycle |
| ` + "`" + `done` + "`" + ` | agent, text | completes its goals of kind ` + "`" + `operator` + "`" + ` with this text |
| ` + "`" + `grant` + "`" + `, ` + "`" + `take` + "`" + ` | agent, amount | moves ⚡ from the treasury to it, or back; refused (` + "`" + `funds` + "`" + `) where less is there that is not locked |
| ` + "`" + `post` + "`" + ` | channel, message, text | a message of NEXUS_0, who speaks for operators; sleepers whose aliases it names wake |
| ` + "`" + `param` + "`" + ` | param, value | sets a parameter as a passed CHANGE_PARAM does; ` + "`" + `channel_fee` + "`" + ` and rewards hold from then on |

Inputs are journaled before they take effect, so ` + "`" + `replay` + "`" + ` and ` + "`" + `resume` + "`" + ` repeat them. ` + "`" + `kingdom tail RUN` + "`" + ` shows each with what became of it; one that
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
