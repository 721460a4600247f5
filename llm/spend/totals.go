package spend

import (
	"cmp"
	"slices"

	"kingdom/llm"
	"kingdom/wire"
)

// Lost is the failure of a call that had not ended when its process ended.
const Lost = "lost"

// Total is the sum over a number of calls.
type Total struct {
	Calls  uint64
	Failed uint64 // of the calls, those that brought no answer
	llm.Spent
}

func (t *Total) add(o *Total) {
	t.Calls += o.Calls
	t.Failed += o.Failed
	t.Spent.Add(&o.Spent)
}

// ModelTotal is the sum over the calls to one model.
type ModelTotal struct {
	Model string
	Total
}

// AgentTotal is the sum over the calls for one agent.
type AgentTotal struct {
	Agent wire.AgentID
	Total
}

// Totals are sums over calls.
type Totals struct {
	Run    Total
	Models []ModelTotal // by name
	Agents []AgentTotal // the dearest first
	Lost   Total        // part of Run, in a ledger: calls whose process was killed, at the most that they can have cost
}

// Tally adds up calls.
type Tally struct {
	models map[string]*Total
	agents map[wire.AgentID]*Total
	lost   Total
}

// Add adds calls for an agent to a model.
func (t *Tally) Add(agent wire.AgentID, model string, more Total) {
	if t.models == nil {
		t.models, t.agents = map[string]*Total{}, map[wire.AgentID]*Total{}
	}
	totalOf(t.models, model).add(&more)
	totalOf(t.agents, agent).add(&more)
}

// Totals returns the sums.
func (t *Tally) Totals() Totals {
	out := Totals{Lost: t.lost}
	for name, m := range t.models {
		out.Models = append(out.Models, ModelTotal{name, *m})
		out.Run.add(m)
	}
	for id, a := range t.agents {
		out.Agents = append(out.Agents, AgentTotal{id, *a})
	}
	slices.SortFunc(out.Models, func(a, b ModelTotal) int { return cmp.Compare(a.Model, b.Model) })
	slices.SortFunc(out.Agents, func(a, b AgentTotal) int {
		return cmp.Or(cmp.Compare(b.CostMicroUSD, a.CostMicroUSD), cmp.Compare(b.Calls, a.Calls), a.Agent.Compare(b.Agent))
	})
	return out
}

func totalOf[K comparable](m map[K]*Total, k K) *Total {
	t := m[k]
	if t == nil {
		t = &Total{}
		m[k] = t
	}
	return t
}
