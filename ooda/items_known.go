package ooda

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// beliefItem is a belief and how useful it is for what is offered.
type beliefItem struct {
	*memory.Belief
	Use float64 // [0,1]: how much it bears on the options, times how far it is from undecided
}

// beliefs lists the n beliefs that are the most useful for what is offered: first whether its actions work and its
// goals pay, then what the mind itself stated, then what else the agent is sure of. Half of the places are for what the mind
// stated, if it stated as much. Equals are ordered by claim. Beliefs that tell little are left out.
func (x items) beliefs(n int) []beliefItem {
	about := x.offered()
	own, others := make([]beliefItem, 0, n+1), make([]beliefItem, 0, n+1)
	for b := range x.agent.Memory.Beliefs.All() {
		it := beliefItem{b, float64(about.bearing(b) * sureness(b.Confidence))}
		switch {
		case tellsLittle(b):
		case b.Predicate() == holdsPredicate && !strings.HasPrefix(b.Subject(), ownJudgement):
			own = insertBelief(own, it, n)
		default:
			others = insertBelief(others, it, n)
		}
	}
	kept := min(len(own), n/2)
	for _, it := range own[kept:] {
		others = insertBelief(others, it, n)
	}
	out := append(own[:kept:kept], others[:min(len(others), n-kept)]...)
	slices.SortStableFunc(out, func(a, b beliefItem) int { return cmp.Compare(b.Use, a.Use) })
	return out
}

// insertBelief adds a belief to the n most useful ones, behind equals.
func insertBelief(list []beliefItem, it beliefItem, n int) []beliefItem {
	i := len(list)
	for i > 0 && list[i-1].Use < it.Use {
		i--
	}
	if i == n {
		return list
	}
	list = slices.Insert(list, i, it)
	return list[:min(len(list), n)]
}

// sureness is how far a confidence is from undecided, in [0,1].
func sureness(c float32) float64 { return math.Abs(float64(2*float64(c)) - 1) }

// How much a belief bears on a choice.
const (
	bearsOnOption = 1.0 // whether an offered action works, or an offered verb or an aspiration of the role pays
	bearsOnOwn    = 0.6 // what the mind itself stated
	bearsOnWorld  = 0.4
)

// offered names each action and each verb of the affordances once, and says to what the agent can aspire.
type offered struct {
	actions, verbs []string
	aspirations    []goals.Kind
}

func (x items) offered() (o offered) {
	o.aspirations = goals.Aspirations(x.agent.Genome.Role)
	for i := range x.offers.list {
		a := &x.offers.list[i]
		if !slices.Contains(o.actions, a.Name()) {
			o.actions = append(o.actions, a.Name())
		}
		if !slices.Contains(o.verbs, a.Verb()) {
			o.verbs = append(o.verbs, a.Verb())
		}
	}
	return o
}

func (o *offered) bearing(b *memory.Belief) float64 {
	switch subject := b.Subject(); b.Predicate() {
	case worksPredicate:
		if slices.Contains(o.actions, subject) {
			return bearsOnOption
		}
	case memory.AmountPredicate:
		for _, k := range o.aspirations {
			if subject == string(workPays(k.Domain()).Subject) {
				return bearsOnOption
			}
		}
		for _, verb := range o.verbs {
			if rest, ok := strings.CutPrefix(subject, verb); ok && strings.HasPrefix(rest, " in ") {
				return bearsOnOption
			}
		}
	case holdsPredicate:
		if strings.HasPrefix(b.Subject(), ownJudgement) {
			return bearsOnWorld
		}
		return bearsOnOwn
	}
	return bearsOnWorld
}

// knowledge lists n pieces of knowledge: the one that the mind wrote last, and the strongest about the top goal.
func (x items) knowledge(n int) (out []memory.KnowledgeNode) {
	own, said := x.agent.Memory.Knowledge.Newest(memory.KnowledgeInference, seedWord)
	if said {
		out = append(out, own)
	}
	top := x.goals.top
	if top == nil {
		return out
	}
	for _, r := range x.agent.Memory.Knowledge.Recall(nil, x.seen.tick, x.recallStarts(top)...) {
		switch offered := r.Hops == 0 && r.Node.Source == memory.KnowledgePeerCommunication; {
		case offered: // its own offer quotes the message; only what follows from it is new
		case len(r.Node.Content) == 0: // a tag alone says nothing
		case said && r.Node.ID == own.ID: // it is there already
		case len(out) < n:
			out = append(out, r.Node)
		}
	}
	return out
}

// recallSubjects is from how many things recall begins.
const recallSubjects = 4

// recallStarts are the labels from which recall begins: for the subjects of the top goal and of the best affordances,
// each label under which they may be known, and their tags; then what the agent knew from the start.
func (x items) recallStarts(g *goals.Goal) (starts [][]byte) {
	var subjects []wire.Hash
	think := func(id wire.Hash) {
		if len(subjects) < recallSubjects && !id.IsZero() && llm.ChannelName(id) == "" && !slices.Contains(subjects, id) {
			subjects = append(subjects, id)
		}
	}
	think(g.Subject())
	for i := range x.offers.list {
		think(x.offers.list[i].Subject)
	}
	for _, id := range subjects {
		starts = append(starts, seedLabel(id), messageLabel(id))
		if n := x.notes.Entry(id); n != nil {
			starts = append(starts, n.Title)
			starts = append(starts, x.agent.Memory.Knowledge.LabelsInto(memory.NodeID(n.Title), relationTag)...)
		}
	}
	return append(starts, []byte(memory.InitialKnowledge))
}
