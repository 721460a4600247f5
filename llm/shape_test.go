package llm

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kingdom/internal/golden"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// mindRows are all the actions that a mind may ever send.
func mindRows() (rows []*action.Row) {
	all := action.All()
	for i := range all {
		if all[i].LLM && all[i].Type != 0 {
			rows = append(rows, &all[i])
		}
	}
	return rows
}

// What all agents are told: rules, all actions with the forms of their parameters, and the form of an answer. Run with
// -update to rewrite.
func TestSystem_Golden(t *testing.T) {
	golden.File(t, filepath.Join("testdata", "system.txt"), string(NewStable(mindRows(), nil, nil, nil).system))
}

// Each part of a line of AVAILABLE ACTIONS, with what it leaves out because it is usual.
func TestActions_Lines(t *testing.T) {
	const head = "Each takes 1 tick and no Spark unless it says otherwise. Its params are in braces; a ? marks what may be left out; a param without a form is text, or a handle if its name ends in _id.\n"
	open := func(a ActionFact) Facts { return Facts{Actions: ActionFacts{Open: []ActionFact{a}}} }
	testLines(t, SectionActions, []lineTest{
		{"nothing", Facts{}, ""},
		{"usual", open(ActionFact{Name: "a", Ticks: 1, Spark: "0", Summary: "Do."}), head + "a: Do.\n"},
		{"ticks", open(ActionFact{Name: "a", Ticks: 12, Spark: "0", Summary: "Do."}), head + "a (12 ticks): Do.\n"},
		{"Spark", open(ActionFact{Name: "a", Ticks: 1, Spark: "2 or more", Summary: "Do."}), head + "a (Spark: 2 or more): Do.\n"},
		{"all", open(ActionFact{Name: "a", Ticks: 2, Spark: "3", Summary: "Do.", Params: "p, q?", Example: `{"p":"x"}`}), head + "a (2 ticks; Spark: 3): Do. {p, q?} e.g. {\"p\":\"x\"}\n"},
		{"closed", Facts{Actions: ActionFacts{Closed: []ClosedFact{{"b", 2}, {"c", 12}}}}, "Not open yet: b (epoch 2), c (epoch 12)\n"},
	})
}

// A line of the catalogue in a prompt is short: a new action has to say what it is in few words,
// since every thought of every agent pays for them. The whole list fits beside the budgets of the
// other sections into a small model.
func TestActions_AreShort(t *testing.T) {
	const line, mean = 1200, 330 // bytes
	rows := mindRows()
	s := NewStable(rows, nil, nil, nil)
	text := string(appendActions(nil, &s.actions))
	lines := strings.Split(strings.TrimSpace(text), "\n")[1:]
	if len(lines) != len(rows) {
		t.Fatalf("%d lines for %d actions", len(lines), len(rows))
	}
	for _, l := range lines {
		if len(l) > line {
			t.Errorf("%d bytes, want at most %d; shorten the row's summary, its help, or list what its names say in plain: %s", len(l), line, l)
		}
	}
	if n := len(text) / len(rows); n > mean {
		t.Errorf("%d bytes for an action on average, want at most %d", n, mean)
	}
}

// A long form is written once and referred to afterwards; each reference names an action that shows the form.
func TestActions_LongFormsAreWrittenOnce(t *testing.T) {
	s := NewStable(mindRows(), nil, nil, nil)
	shown := map[string]string{}
	refs := 0
	for i := range s.actions.Open {
		a := &s.actions.Open[i]
		shown[a.Name] = a.Params
		for rest := a.Params; ; refs++ {
			var found bool
			if _, rest, found = strings.Cut(rest, "as in "); !found {
				break
			}
			name := rest[:strings.IndexFunc(rest+" ", func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })]
			if !strings.Contains(shown[name], "|") && !strings.Contains(shown[name], "PARAGRAPH") {
				t.Errorf("%s refers to %q, which shows no long form", a.Name, name)
			}
		}
	}
	if refs < 3 {
		t.Errorf("%d references", refs)
	}
	// An agent that has only the second of two actions reads the form there.
	i := slices.IndexFunc(mindRows(), func(r *action.Row) bool { return r.Name == "entry_query" })
	alone := NewStable(mindRows()[i:i+1], nil, nil, nil)
	if strings.Contains(alone.actions.Open[0].Params, "as in") || !strings.Contains(alone.actions.Open[0].Params, "TUTORIAL|") {
		t.Error(alone.actions.Open[0].Params)
	}
}

// Every name that prompts leave out as self-explaining is a parameter of some action.
func TestPlainNames_AreParameters(t *testing.T) {
	known := map[string]bool{}
	for _, r := range mindRows() {
		for _, p := range r.Params {
			known[p.Name] = true
		}
	}
	for name := range obviousParams {
		if !known[name] {
			t.Errorf("no action has a parameter %s", name)
		}
	}
}

// A form in its own words must keep up with the catalogue: each of its kinds is in the help, with its parameters, and
// agents may send the kinds of a transfer that are named.
func TestForms_AgreeWithCatalogue(t *testing.T) {
	params := map[string]*action.Param{}
	for _, r := range action.All() {
		for i := range r.Params {
			params[r.Name+"."+r.Params[i].Name] = &r.Params[i]
		}
	}
	for key := range obviousActionParams {
		if params[key] == nil {
			t.Errorf("plainOf: no action has the parameter %s", key)
		}
	}
	for key, form := range formOverrides {
		p := params[key]
		if p == nil {
			t.Errorf("forms: no action has the parameter %s", key)
			continue
		}
		if p.Shape.Kind == codec.ShapeEnum {
			for kind := range strings.SplitSeq(form, "|") {
				if !slices.Contains(p.Shape.Names, kind) {
					t.Errorf("%s: %s is none of %v", key, kind, p.Shape.Names)
				}
			}
			continue
		}
		for _, f := range p.Shape.Elem.Fields {
			if !strings.Contains(form, f.Name) {
				t.Errorf("%s: %s lacks the field %s", key, form, f.Name)
			}
			if f.Shape.Kind != codec.ShapeEnum {
				continue
			}
			for _, kind := range f.Shape.Names {
				if !strings.Contains(p.Help, kind+" ") {
					t.Errorf("%s: the help does not say the parameters of %s", key, kind)
				}
			}
		}
	}
}
