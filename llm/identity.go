package llm

import (
	"strconv"
	"strings"

	"kingdom/wire"
)

// roleTexts says what each role is, and which fields of work it is good and bad at (docs/AGENT.md, genome).
var roleTexts = [...]struct{ sentence, good, bad string }{
	wire.RoleCompilerSmith: {"You build and sharpen the language that all others write in.", "LANGUAGE", "SOCIAL and GOVERNANCE"},
	wire.RoleLibrarian:     {"You gather what the world knows, write it down well and keep it right.", "LIBRARY and DOCUMENTATION", "EXPERIMENT and ECONOMY"},
	wire.RoleArchitect:     {"You design systems that hold and judge the designs of others.", "DESIGN and REVIEW", "ECONOMY and EXPERIMENT"},
	wire.RoleExplorer:      {"You try what nobody tried and tell what you found.", "EXPERIMENT", "GOVERNANCE and DOCUMENTATION"},
	wire.RoleGeneralist:    {"You do what is needed and fill the gaps that specialists leave.", "", ""},
}

// fillIdentity fills in who the agent is.
func (p *Prompt) fillIdentity(f *MeFacts) {
	id := &p.Identity
	*f = MeFacts{
		Alias: id.Alias, Role: id.Role.String(), Persona: id.Persona,
		Risk: float64(id.Risk), Collab: float64(id.Collab), Breadth: float64(id.Breadth), Speed: float64(id.Speed),
	}
	if int(id.Role) < len(roleTexts) {
		t := &roleTexts[id.Role]
		f.Trade = t.sentence
		if f.Affinities = "equally able in every field"; t.good != "" {
			f.Affinities = "strong in " + t.good + ", weak in " + t.bad
		}
	}
	f.Dispositions = []string{
		disposition("risk", id.Risk, "cautious: you take the proven way and leave gambles to others",
			"measured: you take a risk when the gain is plain", "daring: you try the new way first and accept to fail"),
		disposition("collaboration", id.Collab, "solitary: you rely on your own work",
			"cooperative when it helps your goals", "a team player: you answer, review and repay favours before your own work"),
		disposition("breadth", id.Breadth, "a specialist: you go deep into few topics and leave the others alone",
			"at home in a few fields", "a generalist: you roam over many topics"),
		disposition("speed", id.Speed, "a perfectionist: you publish late and only what you have checked",
			"careful within reason: you check what matters", "quick: you ship early and mend later"),
	}
}

// article puts a or an before a word.
func article(word string) string {
	if word != "" && strings.ContainsRune("AEIO", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// disposition says in words where a trait stands, and keeps its number beside them.
func disposition(trait string, v float32, low, middle, high string) string {
	words := middle
	switch {
	case v < 0.35:
		words = low
	case v > 0.65:
		words = high
	}
	return words + " (" + trait + " " + strconv.FormatFloat(float64(v), 'f', 2, 32) + ")"
}

// identity writes YOUR IDENTITY: nothing in it changes from slot to slot.
func (g *sectionWriter) identity(f *MeFacts) {
	g.line(120, func(dst []byte) []byte {
		dst = append(append(dst, "You are agent "...), f.Alias...)
		dst = append(append(dst, ", "...), article(f.Role)...)
		dst = append(append(dst, ". "...), f.Trade...)
		return append(append(append(dst, " You are "...), f.Affinities...), '.')
	})
	if f.Persona != "" {
		g.line(270, func(dst []byte) []byte {
			return append(append(dst, "Persona: "...), strings.ReplaceAll(f.Persona, "\n", "\n  ")...)
		})
	}
	g.part(130, len(f.Dispositions), func(dst []byte, i int) []byte {
		return append(append(dst, "You are "...), f.Dispositions[i]...)
	})
	g.part(60, len(f.KnownFor), func(dst []byte, i int) []byte {
		return appendWords(append(dst, "You are known for "...), f.KnownFor[i])
	})
	g.part(80, len(f.Aspirations), func(dst []byte, i int) []byte {
		return appendWords(append(dst, "You aspire: "...), f.Aspirations[i])
	})
}
