package society

import (
	"cmp"
	"math"
	"slices"

	"kingdom/wire"
)

// Life sums up what an agent did.
type Life struct {
	Acts       int
	Productive int // of the acts: those that leave something behind for others
	Answers    int // posted
	Entries    int // published in the library
	Bounties   int // that it was paid for
	Slept      int // times that it fell dormant
	Commonest  string
}

// Lives returns the life of each agent, in the order of Agents.
func (r *Run) Lives() []Life {
	out := make([]Life, len(r.Agents))
	acts := make([]*counter, len(r.Agents))
	for i := range acts {
		acts[i] = newCounter()
	}
	for i := range r.Acts {
		a := &r.Acts[i]
		if a.Agent < 0 {
			continue
		}
		acts[a.Agent].add(a.Action)
		l := &out[a.Agent]
		l.Acts++
		if a.productive() {
			l.Productive++
		}
		if a.Answer {
			l.Answers++
		}
	}
	for i := range r.Entries {
		if a := r.Entries[i].Author; a >= 0 {
			out[a].Entries++
		}
	}
	for i := range r.Events {
		switch e := r.Events[i].Payload.(type) {
		case *wire.BountyCompletedEvent:
			if a := r.agentIndex(e.Claimer); a >= 0 {
				out[a].Bounties++
			}
		case *wire.AgentStatusChangeEvent:
			if a := r.agentIndex(e.AgentID); a >= 0 && e.NewStatus == wire.StatusDormant {
				out[a].Slept++
			}
		}
	}
	for i, c := range acts {
		if len(c.words) > 0 {
			out[i].Commonest = c.words[slices.Index(c.n, slices.Max(c.n))]
		}
	}
	return out
}

// ActCount says how often an act was done.
type ActCount struct {
	Action string // name in the catalogue
	Total  int
	Cycles []int // by cycle, from 0 to the last
}

// ActCounts returns all acts that were done, the commonest first.
func (r *Run) ActCounts() []ActCount {
	var out []ActCount
	at := map[string]int{}
	for i := range r.Acts {
		a := &r.Acts[i]
		k, ok := at[a.Action]
		if !ok {
			k = len(out)
			at[a.Action] = k
			out = append(out, ActCount{Action: a.Action, Cycles: make([]int, r.Last+1)})
		}
		if c := r.cycle(a.Tick); c <= r.Last { // a store that is written meanwhile may hold more
			out[k].Total++
			out[k].Cycles[c]++
		}
	}
	slices.SortFunc(out, func(a, b ActCount) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Action, b.Action))
	})
	return out
}

// Answers returns how many answers each agent gave to questions of each other: [who answered][who asked], in the order of
// Agents.
func (r *Run) Answers() [][]int {
	out := make([][]int, len(r.Agents))
	for i := range out {
		out[i] = make([]int, len(r.Agents))
	}
	for _, e := range r.answerEdges() {
		out[e.to][e.from]++
	}
	return out
}

// QuestionCount returns how many questions agents asked.
func (r *Run) QuestionCount() int { return len(r.threads()) }

// MedianBalances returns the median balance in ⚡ at the end of each cycle, from 0 to the last, of the agents that are not
// DEAD; NaN while there is none. It returns nil if the payments do not add up to the accounts.
func (r *Run) MedianBalances() []float64 {
	out := make([]float64, 0, r.Last+1)
	var balances []float64 // at the end of tick
	var tick uint64
	fill := func(until uint64) { // cycles in which nothing changed are as the one before
		for uint64(len(out)) < until {
			if len(balances) == 0 {
				out = append(out, math.NaN())
				continue
			}
			out = append(out, median(balances))
		}
	}
	if !r.followBalances(func(at uint64, _ int, balance int64) {
		if at != tick {
			fill(min(r.cycle(at), r.Last+1))
			balances, tick = balances[:0], at
		}
		balances = append(balances, float64(balance))
	}) {
		return nil
	}
	fill(r.Last + 1)
	return out
}
