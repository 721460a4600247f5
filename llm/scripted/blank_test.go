package scripted

import (
	"reflect"
	"strings"
	"testing"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

// The scripted mind knows nothing that a model does not: if blanking a field of the identity or of an affordance
// changes what the scripted mind does, it also changes the text that a model gets.
func TestMind_UsesOnlyFieldsInThePromptText(t *testing.T) {
	m := New(seed, Knobs{})
	id := wire.Hash{7}
	fresh := func() *llm.Prompt {
		p := situation(t, 40, 0.7, 0.8)
		p.Alias, p.Role, p.Breadth, p.Speed, p.SlotsLeft, p.Persona = "a1b2c3d4", wire.RoleExplorer, 0.3, 0.2, 9, "You like primes."
		p.Life = told{p}
		p.Affordances = []llm.Affordance{{
			Action: row(t, "msg_post"), Params: &wire.MsgPost{Channel: id, Kind: wire.MessageKindAnswer, Content: []byte("\x81\xA4text\xA1x"), References: []wire.Hash{{8}}},
			GoalKind: "answer", Priority: 1.25, Success: 0.5, Ticks: 2, Spark: 3, Reward: 12, Compose: llm.ComposeAnswer, Subject: id,
			Author: "0a0b0000", Text: []byte("about " + library[2].topic), Plan: true, Lesson: llm.Lesson{Text: "be brief"},
			Work: &llm.Work{Task: llm.TaskModule, Why: []byte("it faulted")}, Considered: llm.Considerations{llm.FactorNeed: 0.8},
			Know: 0.4, Finding: &llm.Finding{Says: "It pays 12.0 Spark (n 5, cycle 3)", Tag: "pay", Subject: "HARD", N: 5, Cycle: 3, Shows: []byte("A parser"), Above: 1, Among: 3}, Before: "entry_get",
			Besides: &llm.Finding{Says: "It takes 9.0 ticks (n 4, cycle 2)"}, Said: &llm.Finding{Says: "It pays 20.0 Spark (n 9, cycle 2)", Distance: 0.4, Chance: 0.2},
		}, {Action: row(t, "entry_query"), Params: &wire.EntryQuery{Sort: wire.OracleSortRecent}, Priority: 0.5, Success: 1, Ticks: 1}, {Action: row(t, "rest"), Params: &action.Rest{Slots: 8}, Priority: 0.4, Success: 1, Ticks: 1}, {Priority: 0.4}}
		return p
	}
	answers := func(p *llm.Prompt) string {
		var out strings.Builder
		for tick := range wire.Tick(200) {
			q := *p
			q.Tick = tick
			out.Write(think(t, m, &q).Text)
		}
		return out.String()
	}
	text, said := string(fresh().Render(nil)), answers(fresh())
	read := 0
	// What only says how the item came to be is not shown: the goal's id stands behind its kind,
	// the subject is in the params, the tries and dates of a lesson behind its words. The spawn index only divides requests, and the mind is who reads the prompt.
	silent := map[string]bool{"Goal": true, "ID": true, "SpawnIndex": true, "Mind": true, "Affordances.Subject": true}
	check := func(name string, blank func(p *llm.Prompt)) {
		p := fresh()
		blank(p)
		shown, heard := string(p.Render(nil)) != text, answers(p) != said
		if heard {
			read++
		}
		if !shown && heard && name != "ID" { // the id is the key of its random draws
			t.Errorf("%s changes what the scripted mind does, and no model is told of it", name)
		}
		if !shown && !silent[name] {
			t.Errorf("%s is in the prompt's items and not in its text", name)
		}
	}
	blank := func(v reflect.Value, name string) { v.FieldByName(name).SetZero() }
	identity := reflect.TypeFor[llm.Identity]()
	for i := range identity.NumField() {
		name := identity.Field(i).Name
		check(name, func(p *llm.Prompt) { blank(reflect.ValueOf(&p.Identity).Elem(), name) })
	}
	affordance := reflect.TypeFor[llm.Affordance]()
	for i := range affordance.NumField() {
		name := affordance.Field(i).Name
		if name == "Action" || name == "Params" { // without these it is another offer
			continue
		}
		shown := name
		if name == "Subject" {
			shown = "Affordances.Subject"
		}
		check(shown, func(p *llm.Prompt) { blank(reflect.ValueOf(&p.Affordances[0]).Elem(), name) })
	}
	check("worth of a slot", func(p *llm.Prompt) { p.Affordances[2].Priority = 2 })
	if read < 10 {
		t.Errorf("only %d of the fields change what the scripted mind does: the test does not see it", read)
	}
}

// told is the life of an agent that knows only what its identity says.
type told struct{ p *llm.Prompt }

func (l told) FillFacts(f *llm.Facts, _ *llm.Handles) {
	f.State.Balance, f.State.Slots, f.State.Reputation = 50, l.p.SlotsLeft, 0.4
}

func (l told) About(id wire.Hash, h *llm.Handles) (ref llm.Ref, title llm.Words, author string) {
	return h.Ref(llm.RefMessage, id), "", ""
}
