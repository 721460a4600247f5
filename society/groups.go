package society

import (
	"math"

	"kingdom/wire"
)

// GroupMeasure is a figure by which groups of agents of one run are compared, such as agents with different minds.
type GroupMeasure struct {
	Key        string // short name
	Definition string

	compute func(s *sums) (part, whole float64) // the figure is part / whole; without a whole there is none
}

// sums adds up what a group of agents did.
type sums struct {
	Life
	alive, balance, reputation float64 // of those that are not DEAD at the end
}

var groupMeasures = []GroupMeasure{
	{"balance", "⚡ at the end, mean of those that are not DEAD", func(s *sums) (float64, float64) { return s.balance, s.alive }},
	{"reputation", "reputation at the end, mean of those that are not DEAD", func(s *sums) (float64, float64) { return s.reputation, s.alive }},
	{"rewarded", "⚡ that the world's systems paid, without an operator's grants, per agent and cycle", perCycle(func(l *Life) float64 { return float64(l.Rewarded) })},
	{"earned", "⚡ that other agents paid, per agent and cycle", perCycle(func(l *Life) float64 { return float64(l.Earned) })},
	{"spent", "⚡ paid to agents and systems, with taxes, without what an operator took, per agent and cycle", perCycle(func(l *Life) float64 { return float64(l.Spent) })},
	{"acts", "acts per agent and cycle", perCycle(func(l *Life) float64 { return float64(l.Acts) })},
	{"productive", "productive acts per agent and cycle", perCycle(func(l *Life) float64 { return float64(l.Productive) })},
	{"failed", "share of the acts that were refused or failed", func(s *sums) (float64, float64) { return float64(s.Failed), float64(s.Acts) }},
	{"answers", "answers per agent and cycle", perCycle(func(l *Life) float64 { return float64(l.Answers) })},
	{"entries", "entries published, per agent and cycle", perCycle(func(l *Life) float64 { return float64(l.Entries) })},
	{"accuracy", "accuracy of these entries at the end, mean", func(s *sums) (float64, float64) { return s.Accuracy, float64(s.Entries) }},
	{"bounties", "bounties paid to an agent, per 100 agent-cycles", perCycle(func(l *Life) float64 { return 100 * float64(l.Bounties) })},
	{"dormant_spells", "times that an agent fell asleep, per 100 agent-cycles", perCycle(func(l *Life) float64 { return 100 * float64(l.Slept) })},
}

func perCycle(of func(*Life) float64) func(*sums) (float64, float64) {
	return func(s *sums) (float64, float64) { return of(&s.Life), float64(s.Cycles) }
}

// GroupCatalogue returns the figures of groups, in their order.
func GroupCatalogue() []GroupMeasure { return groupMeasures }

// MeasureGroups computes the figures of each group, in the order of [GroupCatalogue]; NaN where there is none. A group is
// given by the indexes of its members in Agents.
func (r *Run) MeasureGroups(groups [][]int) [][]float64 {
	lives := r.Lives()
	out := make([][]float64, len(groups))
	for g, members := range groups {
		var s sums
		for _, m := range members {
			s.add(&lives[m])
			if a := &r.Agents[m]; a.Status != wire.StatusDead {
				s.alive, s.balance, s.reputation = s.alive+1, s.balance+float64(a.Balance), s.reputation+a.Reputation
			}
		}
		for i := range groupMeasures {
			x := math.NaN()
			if part, whole := groupMeasures[i].compute(&s); whole > 0 {
				x = part / whole
			}
			out[g] = append(out[g], x)
		}
	}
	return out
}

// BalancesOf returns the mean balance in ⚡ of some agents at the end of each cycle, from 0 to the last; NaN while none of them
// lives. It returns nil if the payments do not add up to the accounts.
func (r *Run) BalancesOf(members []int) []float64 {
	in := r.membership(members)
	return r.balances(func(a int) bool { return in[a] }, func(xs []float64) float64 {
		mean, _ := MeanSD(xs)
		return mean
	})
}

// ProductiveOf returns how many productive acts some agents did in each cycle, from 0 to the last, per member.
func (r *Run) ProductiveOf(members []int) []float64 {
	in, out := r.membership(members), make([]float64, r.Last+1)
	for i := range r.Acts {
		a := &r.Acts[i]
		if c := r.cycle(a.Tick); a.Agent >= 0 && in[a.Agent] && a.productive() && c <= r.Last {
			out[c] += 1 / float64(len(members))
		}
	}
	return out
}

func (r *Run) membership(members []int) []bool {
	in := make([]bool, len(r.Agents))
	for _, m := range members {
		in[m] = true
	}
	return in
}
