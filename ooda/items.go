package ooda

import (
	"encoding/hex"
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// items lists, as typed values, what a prompt can show of an agent and of its slot. It is
// made anew where it is needed and valid while the turn's prompt is; life*.go hand
// them to the prompt.
type items struct {
	*self
	goals  *goalTracker
	plans  *planner
	offers *offers
}

func (t *Turn) items() items { return items{&t.self, &t.goals, &t.plans, &t.offers} }

// goalItem is a living goal.
type goalItem struct {
	*goals.Goal
	Progress goals.Progress // how far it is by its own completion rule
	Terms    goals.Terms    // why it is worth its priority, before the agent's weights
	Top      bool           // the goal of this slot
}

// goals lists n living goals, best first: those that the mind or an operator set come before
// those that the agent noticed, however many it noticed.
func (x items) bestGoals(n int) []goalItem {
	ranking := x.offers.ranking
	noticed := n // room for goals that nobody set
	for _, g := range ranking {
		if isSet(g) {
			noticed--
		}
	}
	out := make([]goalItem, 0, min(n, len(ranking)))
	for _, g := range ranking {
		if !isSet(g) {
			if noticed <= 0 {
				continue
			}
			noticed--
		}
		if len(out) == n {
			break
		}
		a := &x.goals.situation.Appraisal
		out = append(out, goalItem{Goal: g, Progress: a.Progress(g), Terms: a.Terms(g), Top: g == x.goals.top})
	}
	return out
}

// isSet says whether the mind or an operator set a goal in its own words.
func isSet(g *goals.Goal) bool { return g.Kind() == goals.KindOwn || g.Kind() == goals.KindOperator }

// stepState is where a step of a plan stands.
type stepState uint8

const (
	stepDone    stepState = iota + 1
	stepNext              // it can be taken now
	stepBlocked           // it is the next one, but its precondition does not hold or a result is awaited
	stepLater
)

// stepItem is a step of a plan.
type stepItem struct {
	Action string // catalogue name
	State  stepState
	Pre    string // what must hold before it, a name of predicate.go; "": nothing
	Post   string // what holds once it is done; "": nothing that can be seen
}

// planItem is a plan with all its steps.
type planItem struct {
	*memory.Plan
	Goal  *goals.Goal
	Steps []stepItem
}

// plan returns the plan of the goal that is listed first, for which the agent works; if that has none, the active
// plan, which is that of the goal with the highest priority. ok is false if there is neither.
func (x items) plan() (p planItem, ok bool) {
	if ranking := x.offers.ranking; len(ranking) > 0 {
		p.Plan = x.agent.Memory.Plans.ByGoal(ranking[0].ID)
	}
	if p.Plan == nil {
		p.Plan = x.agent.Memory.Plans.Active()
	}
	if p.Plan == nil {
		return p, false
	}
	if p.Goal = x.agent.Goals.Get(p.Plan.Goal); p.Goal == nil {
		return p, false
	}
	for i := range p.Plan.Steps {
		s := &p.Plan.Steps[i]
		act := actionOfStep(s.Action)
		it := stepItem{Action: act.Action, State: stepLater, Pre: string(text(s.Precondition)), Post: string(text(s.Postcondition))}
		switch at := int(p.Step); {
		case i < at:
			it.State = stepDone
		case i == at && p.Blocked == nil && x.plans.holds(text(s.Precondition), p.Goal):
			it.State = stepNext
		case i == at:
			it.State = stepBlocked
		}
		p.Steps = append(p.Steps, it)
	}
	return p, true
}

// peerItem is a peer that the options involve.
type peerItem struct {
	*memory.Peer
	Trust      float64 // [0,1]; 0 also when there was no interaction
	Reputation float32 // as last seen; [0,1]
	Known      bool    // its reputation was seen
	Options    int     // affordances that are about something of this peer
}

// peers lists the n peers that the affordances involve most, then the most recently met.
func (x items) peers(n int) []peerItem {
	out := make([]peerItem, 0, n+1)
	for _, p := range x.agent.Memory.Peers.All() {
		it := peerItem{Peer: p, Options: x.optionsOf(p.AgentID())}
		i := len(out) // behind its equals, as they come
		for i > 0 && it.before(&out[i-1]) {
			i--
		}
		if i == n {
			continue
		}
		out = slices.Insert(out, i, it)
		out = out[:min(len(out), n)]
	}
	for i := range out {
		it := &out[i]
		it.Trust = it.Peer.Trust(x.seen.tick)
		if note := x.notes.Peer(it.AgentID()); note != nil {
			it.Reputation, it.Known = note.Reputation, true
		}
	}
	return out
}

// before says whether a peer is shown before another one.
func (p *peerItem) before(o *peerItem) bool {
	if p.Options != o.Options {
		return p.Options > o.Options
	}
	return p.Seen() > o.Seen()
}

// optionsOf is how many affordances are about something of a peer.
func (x items) optionsOf(peer wire.AgentID) (n int) {
	var room [2 * len(peer)]byte
	alias := hex.AppendEncode(room[:0], peer[:4])
	for i := range x.offers.list {
		if x.offers.list[i].Author == string(alias) {
			n++
		}
	}
	return n
}

// Ranked is a goal in the ranking of a slot, with the parts of its priority.
type Ranked struct {
	Goal  *goals.Goal
	Terms goals.Terms // before the agent's weights
	Top   bool        // the goal of this slot
}

// Ranking returns the n best goals of a turn, best first, for an explanation of the slot. It is valid between Ask and
// Record.
func (t *Turn) Ranking(n int) []Ranked {
	list := t.items().bestGoals(n)
	out := make([]Ranked, len(list))
	for i, g := range list {
		out[i] = Ranked{g.Goal, g.Terms, g.Top}
	}
	return out
}

// Served returns, between Act and Record, the subject of the goal that the act serves and the subject of the act
// itself. Each is zero if there is none.
func (t *Turn) Served() (goal, own wire.Hash) {
	if g := t.agent.Goals.Get(t.pending.goal); g != nil {
		goal = g.Subject()
	}
	return goal, t.pending.subject
}

// Ended returns how goals ended since the turn began, for an explanation of the slot.
func (t *Turn) Ended() []goals.Satisfaction { return slices.Clone(t.goals.satisfied) }

// Tick returns the tick of the turn's slot.
func (t *Turn) Tick() wire.Tick { return t.seen.tick }
