package ooda

import (
	"kingdom/agent"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Record takes the reply to the envelope of the last step, or the zero Reply when
// nothing was sent.
func (t *Turn) Record(r wire.Reply) {
	t.enter(phaseIdle)
	p := &t.last
	switch {
	case p.report != 0:
		if r.Err == nil && p.report >= t.r.DormantStreak {
			t.fault(t.a.SetStatus(wire.StatusDormant))
		}
	case p.denied:
		t.experience(p, &wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{
			Code: wire.CodeNoTicks, Category: wire.CategoryQuotaExceeded.String(), Message: []byte(noTicks),
		}})
	case p.sent:
		t.experience(p, &r)
	}
	if p.memory != nil {
		t.remember(p.memory)
	}
}

// experience makes the experience of an action and draws the consequences.
func (t *Turn) experience(p *pending, r *wire.Reply) {
	outcome := outcomeOf(p, r)
	ok := r.Err == nil
	id := t.a.Memory.Experiences.AddAct(t.seen.tick, t.describe(p), outcome, t.lesson(p, r, outcome))
	if !ok {
		t.a.CurrentTask = nil // a refused request costs its first tick only
	}
	t.believe(worksClaim(p.row), ok, &p.env, t.seen.tick)
	first := t.a.Learning.Act(tripleOf(p.row, p.kind), p.goalOf, ok)

	t.noteEffects(p, r)
	if outcome == memory.OutcomeUnknown {
		t.await(p, id)
	} else {
		t.stepTaken(p, r, ok)
	}
	if ok {
		t.settleAction(p)
	}
	if first {
		t.l.Novel = t.seen.cycle
		t.settle(&goals.Fact{Kind: goals.FactExperience})
	}
}

// worksClaim is the belief that an action works.
func worksClaim(row *action.Row) memory.Claim {
	subject, ok := actionSubjects[row.Name]
	if !ok {
		panic("ooda: an action that is not in the catalogue")
	}
	return memory.Claim{Subject: subject, Predicate: "works"}
}

// actionSubjects are the names of the catalogue as subjects of beliefs; nobody changes them.
var actionSubjects = makeActionSubjects()

func makeActionSubjects() map[string][]byte {
	out := map[string][]byte{}
	for _, row := range action.All() {
		out[row.Name] = []byte(row.Name)
	}
	return out
}

// outcomeOf judges a reply.
func outcomeOf(p *pending, r *wire.Reply) memory.Outcome {
	switch {
	case r.Err != nil:
		return memory.OutcomeFailure
	case asynchronous(p.row.Type):
		return memory.OutcomeUnknown
	}
	switch b := r.Body.(type) {
	case *wire.BountySubmitAck:
		if b.Status == wire.BountyStatusClaimed || b.Status == wire.BountyStatusRejected {
			return memory.OutcomePartial
		}
	}
	return memory.OutcomeSuccess
}

// asynchronous reports whether a request is acknowledged first and answered later.
func asynchronous(m wire.MsgType) bool {
	return m == wire.TypeExecStart || m == wire.TypeProofRequest || m == wire.TypeServiceCall
}

// waitFactor makes the limit of a wait from a step's estimate.
const waitFactor = 4

// await keeps the task of an asynchronous request open until its result comes.
func (t *Turn) await(p *pending, experience uint64) {
	env := p.env
	t.a.CurrentTask = &agent.Task{
		GoalID: p.goal, Action: t.actOf(p), TickLimit: waitFactor * p.row.Ticks, Experience: experience, Awaits: &env,
	}
	if plan := t.planOf(p); plan != nil {
		step := p.step
		t.a.CurrentTask.PlanStep = &step
		plan.Blocked = &env
	}
}

// planOf returns the living plan whose present step an action was.
func (t *Turn) planOf(p *pending) *memory.Plan {
	if p.plan == 0 {
		return nil
	}
	plan := t.a.Memory.Plans.Of(p.goal)
	if plan == nil || plan.ID != p.plan || plan.Step != p.step {
		return nil
	}
	return plan
}

// stepTaken moves the plan: a step is done when the world took it and its
// postcondition, where it can be seen at once, holds.
func (t *Turn) stepTaken(p *pending, r *wire.Reply, ok bool) {
	plan := t.planOf(p)
	if plan == nil {
		return
	}
	if ok {
		if object, found := t.objectOf(r); found {
			t.l.Found(p.goal, object)
		}
		if g := t.a.Goals.Get(p.goal); g != nil {
			if c := t.cached(plan); visible(c) && !t.holds(c.post(), g) {
				ok = false
			}
		}
		if b, submitted := r.Body.(*wire.BountySubmitAck); submitted && b.Status == wire.BountyStatusClaimed {
			ok = false
		}
	}
	t.stepEnded(plan, ok)
}

// visible reports whether a step's postcondition speaks of what the step itself
// makes the agent note; the others show in a later view or by a later step.
func visible(c *plannedStep) bool {
	switch c.act.Action {
	case "msg_query":
		return string(c.post()) == "message_read"
	case "msg_post":
		return string(c.post()) == "message_answered"
	default:
		return false
	}
}

// settleAction tells the goals what was acknowledged. Who was served matters to mentors
// only.
func (t *Turn) settleAction(p *pending) {
	lower := t.a.Goals.Wants(goals.KindMentor) && t.lower(t.served(p))
	if post, ok := p.payload.(*wire.MsgPost); ok && post.Kind == wire.MessageKindAnswer && len(post.References) > 0 {
		t.settle(&goals.Fact{Kind: goals.FactAnswered, Subject: post.References[0], Lower: lower})
	}
	t.settle(&goals.Fact{Kind: goals.FactActed, Action: p.row.Type, Subject: p.subject, Lower: lower})
}

// served returns the peer whose thing an action was done to; zero if nobody's.
func (t *Turn) served(p *pending) wire.AgentID {
	if n := t.l.Entry(p.subject); n != nil {
		return n.Author
	}
	if n := t.l.Message(p.subject); n != nil {
		return n.Author
	}
	if r := t.review(p.subject); r != nil {
		return r.Author
	}
	return wire.AgentID{}
}

// lesson is the mind's own, else a plain account of what happened.
func (t *Turn) lesson(p *pending, r *wire.Reply, o memory.Outcome) []byte {
	if p.memory != nil && p.memory.Lesson != "" {
		return []byte(p.memory.Lesson)
	}
	if l := plainLessons[lessonKey{p.row.Name, p.kind, o}]; l != nil && r.Err == nil {
		return l
	}
	s := codec.Borrow()
	s.B = appendLesson(s.B, p.row.Name, p.kind, o)
	if r.Err != nil {
		s.B = append(s.B, " ("...)
		s.B = append(s.B, r.Err.Message...)
		s.B = append(s.B, ')')
	}
	return s.Take()
}

func appendLesson(dst []byte, name string, k goals.Subject, o memory.Outcome) []byte {
	dst = append(append(dst, name...), " on "...)
	dst = append(append(dst, k.String()...), ": "...)
	return append(dst, o.String()...)
}

type lessonKey struct {
	action  string
	kind    goals.Subject
	outcome memory.Outcome
}

// plainLessons are the lessons of what went well, shared by all agents; nobody changes
// them. An agent keeps some hundreds.
var plainLessons = makePlainLessons()

func makePlainLessons() map[lessonKey][]byte {
	out := map[lessonKey][]byte{}
	for _, row := range action.All() {
		if !row.LLM {
			continue
		}
		for i := range goals.Subject(0).EnumNames() {
			k := goals.Subject(i + 1)
			out[lessonKey{row.Name, k, memory.OutcomeSuccess}] = appendLesson(nil, row.Name, k, memory.OutcomeSuccess)
		}
	}
	return out
}

// fault keeps an error of the agent's own house for whoever asks for it.
func (t *Turn) fault(err error) {
	if err != nil {
		t.faults = append(t.faults, agent.Wrap(t.a.ID, err))
	}
}
