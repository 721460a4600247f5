package ooda

import (
	"kingdom/agent"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// taskRunner runs the agent's task: an action that takes more than one slot, or whose result comes later. An agent has
// one task at a time, [agent.Agent.CurrentTask].
type taskRunner struct {
	self
	plans   *planner
	regs    *registers
	replies *replyReader
}

// task is the open task of an action that takes more than one slot.
func (t *taskRunner) open(p *pending) *agent.Task {
	task := &agent.Task{GoalID: p.goal, Action: p.encode(), TicksUsed: 1, TickLimit: p.ticks}
	if p.plan != 0 {
		step := p.step
		task.PlanStep = &step
	}
	return task
}

// consume lets the running task take the slot.
func (t *taskRunner) consume() {
	task := t.agent.CurrentTask
	task.TicksUsed++
	if g := t.agent.Goals.Get(task.GoalID); g != nil {
		g.Record.Effort++
	}
	if task.Over() {
		t.agent.CurrentTask = nil
	}
}

// busy reports whether a running task takes this slot. A task that waits for a
// result takes none, but gives up at its limit.
func (t *taskRunner) busy() bool {
	task := t.agent.CurrentTask
	if task == nil {
		return false
	}
	if task.Awaits == nil || task.Consuming() {
		return task.Consuming()
	}
	if task.TicksUsed++; task.Over() {
		t.giveUp(task)
	}
	return false
}

// giveUp ends a task whose result never came.
func (t *taskRunner) giveUp(task *agent.Task) {
	t.complete(task, "no result within its limit")
	t.agent.CurrentTask = nil
	if p := t.agent.Memory.Plans.ByGoal(task.GoalID); p != nil && p.Blocked != nil {
		t.plans.stepEnded(p, false)
	}
}

// settleCost sets the length of the task to what the request cost according to its reply. A refused one costs only its
// first tick.
func (t *taskRunner) settleCost(p *pending, r *wire.Reply) {
	p.ticks = p.row.Settled(p.ticks, r)
	task := t.agent.CurrentTask
	switch {
	case task == nil || task.Awaits != nil: // it belongs to an earlier request
	case p.ticks > 1:
		task.TickLimit = p.ticks
	default:
		t.agent.CurrentTask = nil
	}
}

// replace opens a task. There is one at a time: a result that is still awaited is given up.
func (t *taskRunner) replace(next *agent.Task) {
	if old := t.agent.CurrentTask; old != nil && old.Awaits != nil {
		t.giveUp(old)
	}
	t.agent.CurrentTask = next
}

// asynchronous reports whether a request is acknowledged first and answered later.
func asynchronous(m wire.MsgType) bool {
	return m == wire.TypeExecStart || m == wire.TypeProofRequest || m == wire.TypeServiceCall
}

// resultWait times the ticks of an action is for how many slots its result is awaited.
const resultWait = 4

// await keeps the task of an asynchronous request open until its result comes.
func (t *taskRunner) await(p *pending, experience uint64) {
	env := p.msgID
	t.replace(&agent.Task{
		GoalID: p.goal, Action: p.encode(), TickLimit: resultWait * p.ticks, Experience: experience, Awaits: &env,
		Owed: p.ticks - 1,
	})
	if plan := t.plans.current(p); plan != nil {
		step := p.step
		t.agent.CurrentTask.PlanStep = &step
		plan.Blocked = &env
	}
}

// receive takes the result of an asynchronous request. It comes with the next view after the acknowledgement, so the
// request is still the agent's last act.
func (t *taskRunner) receive(r *wire.Reply) {
	task := t.agent.CurrentTask
	if task == nil || task.Awaits == nil || *task.Awaits != r.Ref {
		return
	}
	why := failureOf(r)
	act := t.complete(task, why)
	t.replies.showResult(task.Experience, &act, r.Body)
	if task.Awaits = nil; task.Owed > task.TicksUsed {
		task.TickLimit = task.Owed // the result is there, but its cost is not consumed yet
	} else {
		t.agent.CurrentTask = nil
	}
	if p := t.agent.Memory.Plans.ByGoal(task.GoalID); p != nil && p.Blocked != nil && *p.Blocked == r.Ref {
		t.plans.stepEnded(p, why == "")
	}
}

// complete completes the experience of a request that was acknowledged: why says what went wrong, "": nothing did. Only
// now is it known how the mind's own lesson of the act turned out. It returns the act.
func (t *taskRunner) complete(task *agent.Task, why string) (act memory.Act) {
	_ = memory.DecodeAct(task.Action, &act) // the runtime wrote it
	m := t.agent.Memory
	row, known := action.ByName(act.Action)
	if known {
		t.believer().believe(worksClaim(row), why == "", act.Envelope, t.seen.tick)
	}
	lesson := m.Experiences.Lesson(task.Experience)
	if len(lesson) == 0 || isPlain(lesson, act.Action) {
		lesson = plainLessons[plainKey{act.Action, subjectNamed(act.SubjectKind), memory.OutcomeSuccess}]
	} else if known {
		m.Knowledge.LearnLesson(lessonKeyOfAct(row, &act), lesson, why == "", t.seen.tick)
	}
	if why == "" {
		m.Experiences.Resolve(task.Experience, memory.OutcomeSuccess, lesson)
		return act
	}
	m.Experiences.Resolve(task.Experience, memory.OutcomeFailure, []byte(why))
	if act.Subject != nil && !t.rules.Blind.Has(llm.LayerExperiences) {
		t.regs.avoid(act.Action, act.Subject.String()[:8], why)
	}
	return act
}
