package ooda

import (
	"math"
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// beliefItem is a belief and how useful it is for what is offered.
type beliefItem struct {
	*memory.Belief
	Use float64 // [0,1]: how much it bears on the options, times how far it is from undecided
}

// beliefs lists the n beliefs that are the most useful for the offered actions: whether they
// work, whether their goals pay, and then what else the agent is most sure of.
func (x items) beliefs(n int) []beliefItem {
	var out []beliefItem
	for b := range x.agent.Memory.Beliefs.All() {
		out = append(out, beliefItem{b, 0})
	}
	for i := range out {
		out[i].Use = float64(x.bearing(out[i].Belief) * sureness(out[i].Confidence))
	}
	return best(out, n, func(a, b *beliefItem) bool { return a.Use > b.Use })
}

// sureness is how far a confidence is from undecided, in [0,1].
func sureness(c float32) float64 { return math.Abs(float64(c)-0.5) / 0.5 }

// How much a belief bears on a choice.
const (
	bearsOnOption = 1.0 // its subject is an action that is offered, or a goal that something is offered for
	bearsOnWorld  = 0.4
)

func (x items) bearing(b *memory.Belief) float64 {
	for i := range x.offers.list {
		a := &x.offers.list[i]
		if string(b.Claim.Subject) == a.Name() || a.GoalKind != "" && hasWord(b.Claim.Subject, a.GoalKind) {
			return bearsOnOption
		}
	}
	return bearsOnWorld
}

// hasWord reports whether a text begins with a word and a space.
func hasWord(text []byte, word string) bool {
	return len(text) > len(word) && string(text[:len(word)]) == word && text[len(word)] == ' '
}

// knownItem is a piece of knowledge that came to mind.
type knownItem struct {
	*memory.KnowledgeNode
	Strength float64   // weight of the way to it · confidence · recency
	At       wire.Tick // last confirmed
}

// knowledge lists the n strongest pieces of knowledge about the top goal.
func (x items) knowledge(n int) []knownItem {
	top := x.Turn.goals.top
	if top == nil {
		return nil
	}
	var out []knownItem
	for _, r := range x.agent.Memory.Knowledge.Recall(nil, x.seen.tick, x.recallStarts(top)...) {
		if len(out) < n && len(r.Node.Content) > 0 { // a tag alone says nothing
			out = append(out, knownItem{KnowledgeNode: r.Node, Strength: r.Strength, At: r.At})
		}
	}
	return out
}

// recallSubjects is how many things are thought of when remembering begins.
const recallSubjects = 4

// recallStarts are the labels where remembering begins: what the top goal is about, then what
// the best affordances are about, by each name it may be known under, and its tags.
func (x items) recallStarts(g *goals.Goal) (starts [][]byte) {
	subjects := []wire.Hash{g.Subject()}
	for i := range x.offers.list {
		if id := x.offers.list[i].Subject; len(subjects) < recallSubjects && !slices.Contains(subjects, id) {
			subjects = append(subjects, id)
		}
	}
	for _, id := range subjects {
		if id.IsZero() {
			continue
		}
		starts = append(starts, seedLabel(id), messageLabel(id))
		if n := x.notes.Entry(id); n != nil {
			starts = append(starts, n.Title)
			starts = append(starts, x.agent.Memory.Knowledge.Into(memory.NodeID(n.Title), relationTag)...)
		}
	}
	return starts
}
