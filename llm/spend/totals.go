package spend

import (
	"cmp"
	"slices"

	"kingdom/llm"
	"kingdom/wire"
)

// Lost is the failure of a call whose process ended before the call did.
const Lost = "lost"

// Total is what a number of calls took.
type Total struct {
	Calls  uint64
	Failed uint64 // of the calls, those that brought no answer
	llm.Spent
}

func (t *Total) add(c *llm.Call) {
	t.Calls++
	if c.Failure != "" {
		t.Failed++
	}
	t.Spent.Add(&c.Spent)
}

// ModelTotal is what the calls to one model took.
type ModelTotal struct {
	Model string
	Total
}

// AgentTotal is what the calls for one agent took.
type AgentTotal struct {
	Agent wire.AgentID
	Total
}

// Totals are what a run has spent since it began.
type Totals struct {
	Run    Total
	Models []ModelTotal // by name
	Agents []AgentTotal // the dearest first
	Lost   Total        // of Run, the calls whose process was killed: counted as the dearest they can have become
}

// Totals returns what was settled so far.
func (l *Ledger) Totals() Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := Totals{Lost: l.lost}
	for name, t := range l.models {
		out.Models = append(out.Models, ModelTotal{name, *t})
		out.Run.Calls += t.Calls
		out.Run.Failed += t.Failed
		out.Run.Spent.Add(&t.Spent)
	}
	for id, t := range l.agents {
		out.Agents = append(out.Agents, AgentTotal{id, *t})
	}
	slices.SortFunc(out.Models, func(a, b ModelTotal) int { return cmp.Compare(a.Model, b.Model) })
	slices.SortFunc(out.Agents, func(a, b AgentTotal) int {
		return cmp.Or(cmp.Compare(b.CostMicroUSD, a.CostMicroUSD), cmp.Compare(b.Calls, a.Calls), a.Agent.Compare(b.Agent))
	})
	return out
}

func total[K comparable](m map[K]*Total, k K) *Total {
	t := m[k]
	if t == nil {
		t = &Total{}
		m[k] = t
	}
	return t
}
