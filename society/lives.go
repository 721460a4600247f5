package society

import (
	"cmp"
	"math"
	"slices"

	"kingdom/wire"
)

// Life sums up what an agent did.
type Life struct {
	Cycles     int // that count and at whose end it was ACTIVE or DORMANT, without cycle 0, in which the world is created
	Acts       int
	Productive int     // of the acts: those that leave something behind for others
	Failed     int     // of the acts: those that were refused, or whose result was a failure or partial
	Answers    int     // posted
	Entries    int     // published in the library
	Accuracy   float64 // of these entries at the end, their sum
	Bounties   int     // that it was paid for
	Slept      int     // times that it fell dormant
	Rewarded   uint64  // ⚡ that the world's systems paid to it, from cycle 1 on, without what an operator granted
	Earned     uint64  // ⚡ that other agents paid to it
	Spent      uint64  // ⚡ that it paid, with taxes, without what an operator took
	Commonest  string
}

// add adds what another agent did; there is no commonest act of both.
func (l *Life) add(o *Life) {
	l.Cycles, l.Acts, l.Productive, l.Failed = l.Cycles+o.Cycles, l.Acts+o.Acts, l.Productive+o.Productive, l.Failed+o.Failed
	l.Answers, l.Entries, l.Accuracy = l.Answers+o.Answers, l.Entries+o.Entries, l.Accuracy+o.Accuracy
	l.Bounties, l.Slept = l.Bounties+o.Bounties, l.Slept+o.Slept
	l.Rewarded, l.Earned, l.Spent = l.Rewarded+o.Rewarded, l.Earned+o.Earned, l.Spent+o.Spent
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
		if a.Failed {
			l.Failed++
		}
		if a.Answer {
			l.Answers++
		}
	}
	for i := range r.Entries {
		if a := r.Entries[i].Author; a >= 0 {
			out[a].Entries++
			out[a].Accuracy += r.Entries[i].Accuracy
		}
	}
	for i, cycles := range cyclesLived(r) {
		out[i].Cycles = cycles
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
	r.addPayments(out)
	for i, c := range acts {
		if len(c.words) > 0 {
			out[i].Commonest = c.words[slices.Index(c.n, slices.Max(c.n))]
		}
	}
	return out
}

// cyclesLived returns how many of the cycles that count each agent was ACTIVE or DORMANT at the end of. An EMBRYO warms up
// and does nothing, so an agent lives from the change to ACTIVE on; one that dies before never lived.
func cyclesLived(r *Run) []int {
	from := func(tick uint64) int { // cycles that end after a tick, up to the last, without cycle 0
		return int(r.Last + 1 - min(r.Last+1, max(r.firstWhole(), r.cycle(tick))))
	}
	out, lived := make([]int, len(r.Agents)), make([]bool, len(r.Agents))
	for i := range r.all().Events {
		event := &r.all().Events[i]
		e, ok := event.Payload.(*wire.AgentStatusChangeEvent)
		if !ok {
			continue
		}
		a := r.agentIndex(e.AgentID)
		switch {
		case a < 0:
		case e.OldStatus == wire.StatusEmbryo && e.NewStatus == wire.StatusActive:
			out[a], lived[a] = from(event.Tick), true
		case e.NewStatus == wire.StatusDead && lived[a]:
			out[a] -= from(event.Tick)
		}
	}
	return out
}

// addPayments adds what agents paid and were paid from cycle 1 on. What they begin with is not paid to them for anything, but
// a sponsor has spent it. What an operator moves is neither: it is done to the agent.
func (r *Run) addPayments(lives []Life) {
	for i := range r.Transactions {
		t := &r.Transactions[i]
		if t.From == t.To || t.Operator || r.cycle(t.Tick) == 0 {
			continue
		}
		if t.From >= 0 {
			lives[t.From].Spent += t.Amount + t.Tax
		}
		switch {
		case t.To < 0:
		case t.Tick == r.Agents[t.To].Spawned: // what it begins with
		case t.From < 0:
			lives[t.To].Rewarded += t.Amount
		default:
			lives[t.To].Earned += t.Amount
		}
	}
}

// ActCount says how often an act was done.
type ActCount struct {
	Action string // name in the catalogue
	Total  int
	Cycles []int // by cycle, from 0 to the last
}

// ReasonCount is how many times agents fell asleep for a reason.
type ReasonCount struct {
	Reason string
	Times  int
}

// SleepReasons returns why agents fell asleep, the commonest reason first.
func (r *Run) SleepReasons() []ReasonCount {
	times := map[string]int{}
	fell, _ := r.sleepChanges()
	for _, e := range fell {
		if r.cycle(uint64(e.Tick)) <= r.Last { // as in [Run.ActCounts]
			times[e.Reason]++
		}
	}
	out := make([]ReasonCount, 0, len(times))
	for reason, n := range times {
		out = append(out, ReasonCount{reason, n})
	}
	slices.SortFunc(out, func(a, b ReasonCount) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Reason, b.Reason))
	})
	return out
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
	return r.balances(func(int) bool { return true }, median)
}

// balances sums up the balances of the agents that are in, at the end of each cycle from 0 to the last.
func (r *Run) balances(in func(agent int) bool, sumUp func([]float64) float64) []float64 {
	out := make([]float64, 0, r.Last+1)
	var balances []float64 // at the end of tick
	var tick uint64
	fill := func(until uint64) { // cycles in which nothing changed are as the one before
		for uint64(len(out)) < until {
			if len(balances) == 0 {
				out = append(out, math.NaN())
				continue
			}
			out = append(out, sumUp(balances))
		}
	}
	if !r.followBalances(func(at uint64, agent int, balance int64) {
		if at != tick {
			fill(min(r.cycle(at), r.Last+1))
			balances, tick = balances[:0], at
		}
		if in(agent) {
			balances = append(balances, float64(balance))
		}
	}) {
		return nil
	}
	fill(r.Last + 1)
	return out
}
