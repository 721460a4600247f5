package ooda

import (
	"errors"
	"slices"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// updater applies what the mind wants to remember.
type updater struct{ turn *Turn }

// remember applies the memory_update of an answer, whatever the world replied.
func (u updater) remember(m *llm.MemoryUpdate) {
	t := u.turn
	at := t.seen.tick
	mem := t.agent.Memory
	if len(m.Note.Set)+len(m.Note.Drop) > 0 {
		var set codec.BinMap
		for _, n := range m.Note.Set {
			set.Set(n.Key, []byte(n.Value))
		}
		t.fault(mem.Working.Update(set, m.Note.Drop))
	}
	for _, b := range m.Beliefs {
		mem.Beliefs.Set(memory.Claim{Subject: []byte(b.Claim), Predicate: holdsPredicate}, b.Confidence, nil, at)
	}
	for _, k := range m.Knowledge {
		mem.Knowledge.Learn([]byte(k.Label), []byte(k.Content), memory.KnowledgeInference, inferred, at)
	}
	for _, k := range m.Knowledge {
		for _, to := range k.RelatesTo {
			mem.Knowledge.Relate(memory.NodeID([]byte(k.Label)), memory.NodeID([]byte(to.To)), []byte(to.Relation), to.Weight, at)
		}
	}
	for _, text := range m.DropGoals {
		u.dropGoal(text)
	}
	var set wire.Hash
	for _, g := range m.Goals {
		set = u.ownGoal(g)
	}
	if len(m.Plan) > 0 {
		switch {
		case len(m.Goals) == 1 && !set.IsZero(): // a goal and how to reach it, in one answer
		case t.pending.sent:
			set = t.pending.goal
		case t.goals.top != nil: // the mind only plans
			set = t.goals.top.ID
		}
		u.planFor(set, m.Plan)
	}
}

// planFor gives a goal the plan that the mind wrote. If there is no such goal, or the act has just reached it, the plan gets a
// goal of its own, which ends with it. What the act made is the last object for the plan's first step.
func (u updater) planFor(goal wire.Hash, steps []llm.PlanStep) {
	t := u.turn
	g := t.agent.Goals.Get(goal)
	if g == nil {
		if g = t.agent.Goals.Get(u.ownGoal(llm.OwnGoal{Text: purposeOf(steps)})); g == nil {
			return // there is no room for it, which is told as a fault
		}
	}
	t.plans.replace(g, steps)
	if t.pending.sent && t.pending.denied == nil {
		if object, made := t.plans.objectOf(&t.reply); made {
			t.notes.SetObject(g.ID, object)
		}
	}
}

// purposeOf is the text of a plan's own goal: what its steps are.
func purposeOf(steps []llm.PlanStep) string {
	names := make([]string, len(steps))
	for i := range steps {
		names[i] = steps[i].Name
	}
	return "do what you planned: " + strings.Join(names, ", ")
}

// dropGoal gives up the goals that the mind set itself and whose text is this or begins with it; a prompt may have cut it.
func (u updater) dropGoal(text string) {
	t := u.turn
	for _, g := range slices.Clone(t.agent.Goals.Living()) {
		if g.Kind() == goals.KindOwn && strings.HasPrefix(g.Description.Text, strings.TrimSuffix(text, "…")) {
			t.goals.abandon(g.ID, goals.ReasonDropped)
		}
	}
}

// holdsPredicate is the predicate of a belief that the mind states as a sentence.
const holdsPredicate = "holds"

// inferred is how sure an agent is of what its mind says.
const inferred = 0.7

// ownGoal adds a goal that the mind set itself. Its source is the role: it comes from what the agent is, not from
// outside. It returns the id of the goal, that of the living goal if the mind repeats it, or zero if there was no
// room. A goal without a deadline and a valid predicate is given up after ownCycles, in case the mind forgets it.
func (u updater) ownGoal(o llm.OwnGoal) wire.Hash {
	t := u.turn
	layer := goals.LayerTask
	if o.Layer == llm.GoalObjective {
		layer = goals.LayerObjective
	}
	d := goals.Description{Kind: goals.KindOwn, Text: o.Text}
	if p, err := goals.ParsePredicate(o.Until); err == nil {
		d.Predicate = p.String()
	}
	g := goals.New(t.agent.ID, layer, goals.SourceRole, d, t.seen.tick)
	g.Deadline = o.Deadline
	if g.Deadline == nil && d.Predicate == "" {
		last := t.seen.tick + wire.Tick(ownCycles*t.rules.Calendar.TicksPerCycle)
		g.Deadline = &last
	}
	err := t.goals.put(g, &t.goals.situation.Appraisal)
	if twin := (*goals.DuplicateError)(nil); errors.As(err, &twin) {
		return twin.ID // said again
	}
	if t.fault(err); err != nil {
		return wire.Hash{}
	}
	return g.ID
}

// ownCycles is how long a goal lives that the mind set without saying until when.
const ownCycles = 8
