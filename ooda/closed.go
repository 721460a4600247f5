package ooda

import (
	"fmt"
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// lookedUp is how many things of each sort an agent asks about in a slot, beyond the subjects of its goals: more than
// it is offered to act on.
const lookedUp = 5

// Subjects appends the ids, at most 64, of the things about which the agent wants to know at its next slot whether
// they are closed: the subjects of its living goals by priority, those of the current steps of its plans, then of
// what it has read or could read and act on. It depends on the agent alone.
func (t *Turn) Subjects(dst []wire.Subject) []wire.Subject {
	a := subjects{list: dst, first: len(dst)}
	ranked := append(t.goals.byRank[:0], t.agent.Goals.Living()...)
	slices.SortFunc(ranked, goals.CompareRank)
	t.goals.byRank = ranked
	for _, g := range ranked {
		a.add(g.Subject(), systemOf(g.Kind()))
	}
	for _, g := range ranked {
		a.add(t.plans.namedSubject(g), 0)
		if object, ok := t.notes.Object(g.ID); ok {
			a.add(object, 0)
		}
	}
	toJudge, toRead := lookedUp, lookedUp // those that would be offered are the first of each
	for i := range t.notes.Entries {
		n := &t.notes.Entries[i]
		switch {
		case n.Judged:
		case n.Read && toJudge > 0:
			a.add(n.ID, wire.SystemOracle)
			toJudge--
		case !n.Read && toRead > 0:
			a.add(n.ID, wire.SystemOracle)
			toRead--
		}
	}
	toAnswer := lookedUp // the oldest first
	for i := 0; i < len(t.notes.Messages) && toAnswer > 0; i++ {
		if n := &t.notes.Messages[i]; n.Kind == wire.MessageKindQuestion && n.Read && !n.Answered {
			a.add(n.ID, wire.SystemAgora)
			toAnswer--
		}
	}
	return a.list
}

// systemOf is the daemon that has the subjects of the goals of a kind; 0 if they may be of several.
func systemOf(k goals.Kind) wire.System {
	switch k {
	case goals.KindClaimBounty, goals.KindDoReview, goals.KindAnswer:
		return wire.SystemAgora
	case goals.KindVote:
		return wire.SystemNexus
	case goals.KindLearn:
		return wire.SystemOracle
	default:
		return 0
	}
}

// subjects gathers things, each once.
type subjects struct {
	list  []wire.Subject
	first int
}

func (x *subjects) add(id wire.Hash, s wire.System) {
	if id.IsZero() || len(x.list)-x.first == wire.MaxSubjects {
		return
	}
	for i := range x.list[x.first:] {
		if x.list[x.first+i].ID == id {
			return
		}
	}
	x.list = append(x.list, wire.Subject{ID: id, System: s})
}

// namedSubject is the subject of the present step of a goal's plan if the step names it by id, as the steps of a mind
// do; zero otherwise.
func (pl *planner) namedSubject(g *goals.Goal) (id wire.Hash) {
	p := pl.agent.Memory.Plans.ByGoal(g.ID)
	if p == nil || p.Done() {
		return id
	}
	if c := pl.present(p); c.act.payload != nil {
		_, id = subjectOf(c.act.payload)
	}
	return id
}

// closeSubjects ends what is about things that are closed to this agent: goals, plans whose present step names such a
// thing, and whatever could be offered for a note of it.
func (gt *goalTracker) closeSubjects(closed []wire.SubjectView) {
	for i := range closed {
		s := &closed[i]
		gt.tell(&goals.Fact{Kind: goals.FactClosed, Subject: s.ID, Reason: goals.Closed(s.Status), Agent: s.By})
		if n := gt.notes.Entry(s.ID); n != nil {
			n.Judged, n.Text = true, nil
		}
		if n := gt.notes.Message(s.ID); n != nil {
			n.Answered = true
			n.Signed = n.Signed || !n.Read // a signal can still say whether it was worth asking
			n.ForgetText()
		}
	}
}

// dropClosed fails the plans whose present step names a thing that is closed to this agent.
func (pl *planner) dropClosed(closed []wire.SubjectView) {
	if len(closed) == 0 {
		return
	}
	for _, g := range slices.Clone(pl.agent.Goals.Living()) {
		id := pl.namedSubject(g)
		if id.IsZero() || !pl.seen.over(id) {
			continue
		}
		p := pl.agent.Memory.Plans.ByGoal(g.ID)
		pl.agent.Memory.Plans.Finish(p, memory.PlanAbandoned)
		pl.failed(p)
	}
}

// learnLate keeps as a lesson that a bounty was closed to this agent after the agent had worked on it.
func (gt *goalTracker) learnLate(s *goals.Satisfaction) {
	if s.Completed || s.Effort == 0 || s.Kind != goals.KindClaimBounty || !s.Reason.SubjectClosed() {
		return
	}
	row, _ := action.ByName("bounty_claim")
	text := fmt.Sprintf("after %d ticks of work the bounty was closed: %s", s.Effort, s.Reason)
	if !s.ClosedBy.IsZero() {
		text += " by " + s.ClosedBy.Alias()
	}
	key := lessonKeyOf(row, s.Kind, goals.SubjectBounty, s.Subject)
	gt.agent.Memory.Knowledge.LearnLesson(key, []byte(text), false, gt.seen.tick)
}
