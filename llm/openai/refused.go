package openai

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Refused is what the server of a model has refused. A run keeps it, so that a later process begins without what was
// refused.
type Refused struct {
	Model    string   `json:"model"` // its name in the scenario
	Endpoint string   `json:"endpoint"`
	ID       string   `json:"id"`                // the name that the server knows it by
	Output   string   `json:"output,omitempty"`  // how the form of an answer is enforced instead
	Cap      string   `json:"cap,omitempty"`     // the field that limits an answer instead
	Fields   []string `json:"fields,omitempty"`  // left out
	Context  uint64   `json:"context,omitempty"` // tokens that the server takes
}

// SameModel reports whether two are of one model at one endpoint.
func (r Refused) SameModel(o Refused) bool {
	return r.Model == o.Model && r.Endpoint == o.Endpoint && r.ID == o.ID
}

// String says how the model is asked instead.
func (r Refused) String() string {
	var parts []string
	if r.Output != "" {
		parts = append(parts, "output "+r.Output)
	}
	if r.Cap != "" {
		parts = append(parts, "the limit of answers in "+r.Cap)
	}
	if len(r.Fields) > 0 {
		parts = append(parts, "no "+strings.Join(r.Fields, ", "))
	}
	if r.Context > 0 {
		parts = append(parts, fmt.Sprintf("at most %d tokens of prompt and answer", r.Context))
	}
	return strings.Join(parts, "; ")
}

// Without returns the model as it is asked after its server refused r, as far as messages depend on it.
func (m *Model) Without(r *Refused) *Model {
	next := *m
	for o := cmp.Or(m.Output, OutputStrict); o <= OutputPrompt; o++ {
		if o.String() == r.Output {
			next.Output = o
		}
	}
	if r.Context > 0 && (m.MaxContext == 0 || r.Context < m.MaxContext) {
		next.MaxContext = r.Context
	}
	return &next
}

// refused returns what the server has refused; ok is false if that is nothing.
func (c *client) refused() (r Refused, ok bool) {
	now, declared := c.newest(), newProfile(c.Model)
	r = Refused{Model: c.Name, Endpoint: c.Endpoint, ID: c.ID, Fields: slices.Sorted(maps.Keys(now.drop)), Context: now.statedContext}
	if now.output != declared.output {
		r.Output = now.output.String()
	}
	if now.capName != declared.capName {
		r.Cap = now.capName
	}
	return r, r.String() != ""
}

// recall leaves out what was refused before, and reports whether that changes anything.
func (c *client) recall(r *Refused) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	next, changed := c.profile.copied(), false
	for o := next.output; o <= OutputPrompt; o++ {
		if o.String() == r.Output && o > next.output {
			next.output, changed = o, true
		}
	}
	if r.Cap == otherCap(next.capName) && !next.capRenamed {
		next.capName, next.capRenamed, changed = r.Cap, true, true
	}
	for _, name := range r.Fields {
		if !next.drop[name] {
			next.dropName(name)
			changed = true
		}
	}
	if r.Context > 0 && (next.statedContext == 0 || r.Context < next.statedContext) {
		next.statedContext, changed = r.Context, true
	}
	if changed {
		c.profile = next
	}
	return changed
}

// Refused returns what servers have refused so far, by model.
func (e *Endpoints) Refused() (all []Refused) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range e.clients {
		if r, ok := c.refused(); ok {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b Refused) int { return strings.Compare(a.Model, b.Model) })
	return all
}

// Recall asks models without what their servers refused in an earlier process. It returns those of the list that count:
// a model that is now asked elsewhere, or by another name, may be refused other things.
func (e *Endpoints) Recall(list []Refused) (used []Refused) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range list {
		r := &list[i]
		changed := false
		for _, c := range e.clients {
			if r.SameModel(Refused{Model: c.Name, Endpoint: c.Endpoint, ID: c.ID}) && c.recall(r) {
				changed = true
			}
		}
		if changed {
			used = append(used, *r)
		}
	}
	return used
}

// OnRefusal calls f with what servers have refused so far: now, and after each refusal before the next call is made.
// The calls come one after the other. stop ends them.
func (e *Endpoints) OnRefusal(f func([]Refused)) (stop func()) {
	e.refusing.Lock()
	defer e.refusing.Unlock()
	if e.onRefusal == nil {
		e.onRefusal = map[*func([]Refused)]bool{}
	}
	e.onRefusal[&f] = true
	f(e.Refused())
	return func() {
		e.refusing.Lock()
		defer e.refusing.Unlock()
		delete(e.onRefusal, &f)
	}
}

// wasRefused tells all that want to know it of a refusal.
func (e *Endpoints) wasRefused() {
	e.refusing.Lock()
	defer e.refusing.Unlock()
	all := e.Refused()
	for f := range e.onRefusal {
		(*f)(all)
	}
}
