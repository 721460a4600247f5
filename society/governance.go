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

// sleepChanges returns the status changes to and from DORMANT.
func (r *Run) sleepChanges() (fell, woke []*wire.AgentStatusChangeEvent) {
	for i := range r.Events {
		e, ok := r.Events[i].Payload.(*wire.AgentStatusChangeEvent)
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
	fell, _ := r.sleepChanges()
	return value(100*share(float64(len(fell)), float64(r.AgentCycles)), len(fell))
}

// ownReasons are the reasons for dormancy that are not a count of idle slots.
var ownReasons = []string{"no_demand", "poverty", "blocked", "bankruptcy"}

func dormantReason(r *Run) figure {
	fell, _ := r.sleepChanges()
	return causedBy(fell, ownReasons, "nobody fell asleep")
}

func wokenByOthers(r *Run) figure {
	_, woke := r.sleepChanges()
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

// rewardCycles is the number of cycles whose wins are compared with the reputation before them.
const rewardCycles = 5

// reputationPays pairs each agent's reputation at the end of a cycle with what it won in the
// next rewardCycles. The cycles compared are as far apart, so that no win counts twice for an agent.
func reputationPays(r *Run) figure {
	won, changes := r.wins(), r.all().reputationChanges()
	var reputations, wins []float64
	for a := range r.Agents {
		for c := max(rewardCycles, r.firstWhole()-1); c+rewardCycles <= r.Last && len(changes[a]) > 0; c += rewardCycles {
			sum := 0.0
			for later := c + 1; later <= c+rewardCycles; later++ {
				sum += won[agentTick{a, later}]
			}
			reputations, wins = append(reputations, reputationAt(changes[a], c)), append(wins, sum)
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

// reputationChange is a change of a reputation.
type reputationChange struct {
	cycle    uint64
	from, to float64
}

// reputationChanges returns the changes of each agent's reputation, in order.
func (r *Run) reputationChanges() [][]reputationChange {
	out := make([][]reputationChange, len(r.Agents))
	for i := range r.Events {
		if e, ok := r.Events[i].Payload.(*wire.ReputationUpdatedEvent); ok {
			if a := r.agentIndex(e.AgentID); a >= 0 {
				out[a] = append(out[a], reputationChange{r.cycle(r.Events[i].Tick), float64(e.OldReputation), float64(e.NewReputation)})
			}
		}
	}
	return out
}

// reputationAt returns the reputation at the end of a cycle.
func reputationAt(changes []reputationChange, cycle uint64) float64 {
	x := changes[0].from
	for i := range changes {
		if changes[i].cycle <= cycle {
			x = changes[i].to
		}
	}
	return x
}
