package society

import (
	"slices"

	"kingdom/wire"
)

func proposals(r *Run) figure {
	n := 0
	for i := range r.Proposals {
		if r.Proposals[i].Author >= 0 {
			n++
		}
	}
	return value(100*share(float64(n), float64(r.AgentCycles)), n)
}

func turnout(r *Run) figure {
	sum, n := 0.0, 0
	for i := range r.Proposals {
		if p := &r.Proposals[i]; p.Status != wire.ProposalStatusOpen && p.Active > 0 {
			sum += min(float64(p.Voters)/float64(p.Active), 1) // who voted may have fallen asleep since
			n++
		}
	}
	if n == 0 {
		return none("no proposal ended")
	}
	return value(sum/float64(n), n)
}

func passed(r *Run) figure {
	n, yes := 0, 0
	for i := range r.Proposals {
		p := &r.Proposals[i]
		if p.Author < 0 || p.Status == wire.ProposalStatusOpen {
			continue
		}
		if n++; p.Status == wire.ProposalStatusPassed {
			yes++
		}
	}
	if n == 0 {
		return none("no proposal of an agent ended")
	}
	return value(float64(yes)/float64(n), n)
}

// changes are the changes of status into and out of sleep.
func (r *Run) changes() (fell, woke []*wire.AgentStatusChangeEvent) {
	for i := range r.Notes {
		e, ok := r.Notes[i].Payload.(*wire.AgentStatusChangeEvent)
		switch {
		case !ok:
		case e.NewStatus == wire.StatusDormant:
			fell = append(fell, e)
		case e.OldStatus == wire.StatusDormant && e.NewStatus == wire.StatusActive:
			woke = append(woke, e)
		}
	}
	return fell, woke
}

func dormantSpells(r *Run) figure {
	fell, _ := r.changes()
	return value(100*share(float64(len(fell)), float64(r.AgentCycles)), len(fell))
}

// ownReasons are reasons for sleep that lie in the world, not in a count of idle slots.
var ownReasons = []string{"no_demand", "poverty", "blocked", "bankruptcy"}

func dormantReason(r *Run) figure {
	fell, _ := r.changes()
	return causedBy(fell, ownReasons, "nobody fell asleep")
}

func wokenByOthers(r *Run) figure {
	_, woke := r.changes()
	return causedBy(woke, []string{"mention", "message"}, "nobody was woken")
}

func causedBy(list []*wire.AgentStatusChangeEvent, reasons []string, nobody string) figure {
	n := 0
	for _, e := range list {
		if slices.Contains(reasons, e.Reason) {
			n++
		}
	}
	if len(list) == 0 {
		return none(nobody)
	}
	return value(float64(n)/float64(len(list)), len(list))
}

// ahead is how many cycles after a cycle its reputation is compared with.
const ahead = 5

// reputationPays pairs each agent's reputation at the end of a cycle with what it won in the
// cycles ahead, cycles apart so that no winning counts twice for an agent.
func reputationPays(r *Run) figure {
	won, changes := r.won(), r.reputations()
	var reputations, wins []float64
	for a := range r.Agents {
		for c := uint64(ahead); c+ahead <= r.Last && len(changes[a]) > 0; c += ahead {
			sum := 0.0
			for later := c + 1; later <= c+ahead; later++ {
				sum += won[place{a, later}]
			}
			reputations, wins = append(reputations, at(changes[a], c)), append(wins, sum)
		}
	}
	if len(reputations) < 3 {
		return none("the run is shorter than ten cycles, or no reputation changed")
	}
	rho, ok := spearman(reputations, wins)
	if !ok {
		return none("all reputations are equal, or nobody won anything")
	}
	return value(rho, len(reputations))
}

// reputed is a change of a reputation.
type reputed struct {
	cycle    uint64
	from, to float64
}

// reputations are the changes of each agent's, in their order.
func (r *Run) reputations() [][]reputed {
	out := make([][]reputed, len(r.Agents))
	for i := range r.Notes {
		if e, ok := r.Notes[i].Payload.(*wire.ReputationUpdatedEvent); ok {
			if a := r.place(e.AgentID); a >= 0 {
				out[a] = append(out[a], reputed{r.cycle(r.Notes[i].Tick), float64(e.OldReputation), float64(e.NewReputation)})
			}
		}
	}
	return out
}

// at is a reputation at the end of a cycle.
func at(changes []reputed, cycle uint64) float64 {
	x := changes[0].from
	for i := range changes {
		if changes[i].cycle <= cycle {
			x = changes[i].to
		}
	}
	return x
}
