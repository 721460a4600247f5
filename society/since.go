package society

import "kingdom/wire"

// CycleCount is what the metrics need of a cycle.
type CycleCount struct {
	Alive    uint64  // agents ACTIVE or DORMANT at its end
	Idle     uint64  // slots without an act from the beginning of the run to its end
	Velocity float64 // of money
}

// addUp sets the sums over the cycles that count.
func (r *Run) addUp() {
	r.AgentCycles, r.Idle, r.Velocity = 0, 0, 0
	if r.Last >= uint64(len(r.Cycles)) {
		return
	}
	first := r.firstWhole()
	for _, c := range r.Cycles[first : r.Last+1] {
		r.AgentCycles += c.Alive
		r.Velocity += c.Velocity
	}
	r.Velocity = share(r.Velocity, float64(r.Last+1-first))
	if r.Idle = r.Cycles[r.Last].Idle; r.First > 0 {
		r.Idle -= r.Cycles[r.First-1].Idle
	}
}

// firstWhole is the first cycle of those that count in which agents live from its beginning: they are made in cycle 0.
func (r *Run) firstWhole() uint64 { return max(1, r.First) }

// Since returns the run as if it had begun with a cycle, from 1 to Last: of all that happened, it has what happened from
// then on, and of bounties, proposals, goals, messages and entries those that were made from then on. Balances and
// reputations go on from what they were.
func (r *Run) Since(cycle uint64) *Run {
	w := *r
	w.First, w.whole = cycle, r.all()
	w.addUp()
	start := cycle * r.TicksPerCycle
	w.Acts = keep(r.Acts, func(a *Act) bool { return a.Tick >= start })
	w.Messages = keep(r.Messages, func(m *Message) bool { return m.Tick >= start })
	w.Entries = keep(r.Entries, func(e *Entry) bool { return e.Tick >= start })
	w.Transactions = keep(r.Transactions, func(t *Transaction) bool { return t.Tick >= start })
	w.Proposals = keep(r.Proposals, func(p *Proposal) bool { return p.Tick >= start })
	w.Goals = keep(r.Goals, func(g *Goal) bool { return g.Tick >= start })
	w.Events = keep(r.Events, func(e *Event) bool { return e.Tick >= start })
	created := map[wire.Hash]bool{}
	for i := range w.Events {
		if e, ok := w.Events[i].Payload.(*wire.BountyCreatedEvent); ok {
			created[e.BountyID] = true
		}
	}
	w.Bounties = keep(r.Bounties, func(b *Bounty) bool { return created[b.ID] })
	return &w
}

// all is the run from its beginning.
func (r *Run) all() *Run {
	if r.whole != nil {
		return r.whole
	}
	return r
}

func keep[T any](list []T, is func(*T) bool) []T {
	var out []T
	for i := range list {
		if is(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}
