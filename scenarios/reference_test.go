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

// reference is docs/SCENARIOS.md: every key with its range, default and meaning.
func reference() string {
	var b strings.Builder
	b.WriteString(preface)
	rows(&b, scenarioType, "")
	fmt.Fprintf(&b, "\n## A trait as a mapping\n\n| key | value | default | meaning |\n|---|---|---|---|\n")
	rows(&b, reflect.TypeFor[Trait](), "")
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
