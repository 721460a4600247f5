package society

import (
	"slices"

	"kingdom/wire"
)

func (r *Run) countActions() *counter {
	c := newCounter()
	for i := range r.Acts {
		c.add(r.Acts[i].Action)
	}
	return c
}

const noAct = "nobody did anything"

func actEntropy(r *Run) figure {
	if len(r.Acts) == 0 {
		return none(noAct)
	}
	return value(r.countActions().entropy(), len(r.Acts))
}

func actTop(r *Run) figure {
	if len(r.Acts) == 0 {
		return none(noAct)
	}
	c := r.countActions()
	return value(slices.Max(c.n)/c.total, len(r.Acts))
}

func actNames(r *Run) figure { return value(float64(len(r.countActions().words)), len(r.Acts)) }

// productiveActs returns the productive acts.
func (r *Run) productiveActs() (out []*Act) {
	for i := range r.Acts {
		if a := &r.Acts[i]; a.productive() {
			out = append(out, a)
		}
	}
	return out
}

const noProductive = "nobody did anything productive"

func specialisedAgents(r *Run) figure {
	if len(r.Agents) == 1 {
		return none("there is only one agent")
	}
	return r.specialised(func(a *Act) string { return r.Agents[a.Agent].ID.String() })
}

func specialisedRoles(r *Run) figure {
	if !slices.ContainsFunc(r.Agents, func(a Agent) bool { return a.Role != r.Agents[0].Role }) {
		return none("all agents have the same role")
	}
	return r.specialised(func(a *Act) string { return r.Agents[a.Agent].Role.String() })
}

func (r *Run) specialised(who func(*Act) string) figure {
	var joint [][2]string
	for _, a := range r.productiveActs() {
		joint = append(joint, [2]string{who(a), a.Domain + " " + a.Topic})
	}
	i, h := information(joint)
	if h == 0 {
		return none("all productive acts have the same domain and topic")
	}
	return value(i/h, len(joint))
}

// perAgent counts acts of each agent.
func (r *Run) perAgent(counts func(*Act) bool) (xs []float64, n int) {
	xs = make([]float64, len(r.Agents))
	for i := range r.Acts {
		if a := &r.Acts[i]; counts(a) {
			xs[a.Agent]++
			n++
		}
	}
	return xs, n
}

func giniProductive(r *Run) figure {
	xs, n := r.perAgent((*Act).productive)
	if n == 0 {
		return none(noProductive)
	}
	return value(gini(xs), n)
}

func giniAnswers(r *Run) figure {
	xs, n := r.perAgent(func(a *Act) bool { return a.Answer })
	if n == 0 {
		return none("nobody answered")
	}
	return value(gini(xs), n)
}

func topTenth(r *Run) figure {
	xs, n := r.perAgent((*Act).productive)
	if n == 0 {
		return none(noProductive)
	}
	return value(topTenthShare(xs), n)
}

func failed(r *Run) figure {
	acts, bad := r.productiveActs(), 0
	for _, a := range acts {
		if a.Failed {
			bad++
		}
	}
	for i := range r.Events {
		switch r.Events[i].Payload.(type) {
		case *wire.BountyRejectedEvent, *wire.EntryUpdateRejectedEvent:
			bad++
		}
	}
	if len(acts) == 0 {
		return none(noProductive)
	}
	return value(float64(bad)/float64(len(acts)), len(acts))
}

func recovered(r *Run) figure {
	fell, rose := 0, 0
	for i := range r.Acts {
		a := &r.Acts[i]
		if !a.Failed || !a.productive() {
			continue
		}
		fell++
		for j := i + 1; j < len(r.Acts); j++ {
			b := &r.Acts[j]
			if b.Agent != a.Agent || r.cycle(b.Tick) > r.cycle(a.Tick)+2 {
				break
			}
			if b.Action == a.Action && !b.Failed {
				rose++
				break
			}
		}
	}
	if fell == 0 {
		return none("no productive act failed")
	}
	return value(float64(rose)/float64(fell), fell)
}

func goalChanges(r *Run) figure {
	pairs, changes := 0, 0
	var before *Act
	for i := range r.Acts {
		a := &r.Acts[i]
		if a.Goal.IsZero() {
			continue
		}
		if before != nil && before.Agent == a.Agent {
			if pairs++; before.Goal != a.Goal {
				changes++
			}
		}
		before = a
	}
	if pairs == 0 {
		return none("no two acts of an agent serve goals")
	}
	return value(float64(changes)/float64(pairs), pairs)
}

func goalsCompleted(r *Run) figure {
	ended, completed := 0, 0
	for i := range r.Goals {
		if r.Goals[i].Kind == "answer" {
			continue
		}
		if ended++; r.Goals[i].Completed {
			completed++
		}
	}
	if ended == 0 {
		return none("no goal ended")
	}
	return value(float64(completed)/float64(ended), ended)
}

// midpoint returns the tick at which the second half of the cycles that count begins.
func (r *Run) midpoint() uint64 { return (r.First + r.Last + 1) * r.TicksPerCycle / 2 }

func drift(r *Run) figure {
	early, late := newCounter(), newCounter()
	for i := range r.Acts {
		a := &r.Acts[i]
		c := early
		if a.Tick >= r.midpoint() {
			c = late
		}
		c.add(a.Action + " " + a.Topic)
	}
	if early.total == 0 || late.total == 0 {
		return none("acts are all in one half of the run")
	}
	return value(variation(early, late), len(r.Acts))
}

func thoughtsPerAct(r *Run) figure {
	n := len(r.productiveActs())
	if n == 0 {
		return none(noProductive)
	}
	return value((float64(len(r.Acts))+float64(r.Idle))/float64(n), n)
}
