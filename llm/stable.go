package llm

import (
	"hash"
	"slices"
	"strconv"

	"kingdom/wire/action"
)

// examples are params of the commonest actions, as an agent would send them. A test parses them.
var examples = map[string]string{
	"msg_post":      `{"channel":"#help","kind":"ANSWER","content":"Join the parts once, at the end.","references":["m2"],"confidence":0.8}`,
	"entry_publish": `{"entry":{"kind":"FAQ","title":"How long does a claim last?","body":"Four cycles.","tags":["bounties"],"references":["e1"]},"review":"IMMEDIATE"}`,
}

// Stable is the part of a prompt that is equal for all agents with equal rights: the facts about rules and actions,
// the system message made of them, and the intermediate state of the prompt's hash after it. It is created once for
// each set of actions of a run. It is read-only and safe for concurrent use.
type Stable struct {
	rules   Limits
	actions ActionFacts
	system  []byte
	hashed  hash.Cloner
}

// NewStable creates the stable part of prompts with these actions. If limits is nil, DefaultLimits are used; if
// templates is nil, the package's own text.
func NewStable(open []*action.Row, closed []ClosedFact, limits *Limits, templates *Templates) *Stable {
	p := Prompt{Limits: limits, Templates: templates}
	s := &Stable{rules: *p.limits()}
	s.actions = ActionFacts{Open: make([]ActionFact, len(open)), Closed: closed}
	seen := longForms{}
	for i, r := range open {
		s.actions.Open[i] = actionFact(r, &s.rules, seen)
	}
	f := Facts{Rules: s.rules, Actions: s.actions}
	var text []byte
	for k := SectionRules; k <= SectionFormat; k++ {
		text = p.section(text, k, &f, unlimited)
	}
	s.system = slices.Clip(text) // so that append copies it
	s.hashed = hashSystem(s.system)
	return s
}

// stable returns the stable part that the prompt was given. If there is none, it creates one.
func (p *Prompt) stable() *Stable {
	if p.Stable != nil {
		return p.Stable
	}
	return NewStable(p.Actions, p.Closed, p.Limits, p.Templates)
}

func actionFact(r *action.Row, l *Limits, seen longForms) ActionFact {
	var params []byte
	for i := range r.Params {
		if omittedParams[r.Name+"."+r.Params[i].Name] {
			continue
		}
		if len(params) > 0 {
			params = append(params, ", "...)
		}
		params = appendParam(params, &r.Params[i], formWriter{r.Name, seen})
	}
	return ActionFact{
		Name: r.Name, Ticks: r.Ticks, Spark: l.cost(r), Summary: string(l.summary(nil, r)), Params: string(params), Example: examples[r.Name],
	}
}

// appendActions writes the section of the available actions. It is never cut.
func appendActions(dst []byte, f *ActionFacts) []byte {
	if len(f.Open) > 0 {
		dst = append(dst, "Each takes 1 tick and no Spark unless it says otherwise. Its params are in braces; a ? marks what may be left out; a param without a form is text, or a handle if its name ends in _id.\n"...)
	}
	for i := range f.Open {
		a := &f.Open[i]
		dst = append(dst, a.Name...)
		between := " ("
		if a.Ticks != 1 {
			dst, between = AppendCount(append(dst, between...), a.Ticks, "tick"), "; "
		}
		if a.Spark != "0" {
			dst, between = append(append(append(dst, between...), "Spark: "...), a.Spark...), "; "
		}
		if between == "; " {
			dst = append(dst, ')')
		}
		dst = append(append(dst, ": "...), a.Summary...)
		if a.Params != "" {
			dst = append(append(append(dst, " {"...), a.Params...), '}')
		}
		if a.Example != "" {
			dst = append(append(dst, " e.g. "...), a.Example...)
		}
		dst = append(dst, '\n')
	}
	for i, c := range f.Closed {
		if i == 0 {
			dst = append(dst, "Not open yet: "...)
		} else {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendUint(append(append(dst, c.Name...), " (epoch "...), uint64(c.Epoch), 10)
		dst = append(dst, ')')
	}
	if len(f.Closed) > 0 {
		dst = append(dst, '\n')
	}
	return dst
}
