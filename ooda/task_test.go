package ooda

import (
	"strings"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

func TestCycleEnd_KeepsOnlyWaitingTasks(t *testing.T) {
	ref := wire.Hash{1}
	for _, c := range []struct {
		name string
		task *agent.Task
		kept bool
	}{
		{"none", nil, false},
		{"running", &agent.Task{TickLimit: 3, TicksUsed: 1}, false},
		{"waiting", &agent.Task{TickLimit: 3, TicksUsed: 1, Awaits: &ref}, true},
	} {
		s := newSolo(t, genomes[6])
		s.a.CurrentTask = c.task
		s.t.CycleEnd(511)
		if kept := s.a.CurrentTask != nil; kept != c.kept {
			t.Errorf("%s: kept %v, want %v", c.name, kept, c.kept)
		}
	}
}

func TestWake_AddsOneExploreGoal(t *testing.T) {
	s := newSolo(t, genomes[6])
	explore := func() (n int) {
		for _, g := range s.a.Goals.Living() {
			if g.Kind() == goals.KindExplore {
				n++
			}
		}
		return n
	}
	for range 2 {
		_ = s.a.SetStatus(wire.StatusDormant)
		s.a.NOPStreak = 5
		s.t.Wake(300)
		if s.a.Status != wire.StatusActive || s.a.NOPStreak != 0 || explore() != 1 || len(s.t.Faults()) != 0 {
			t.Fatalf("%v, streak %d, %d explore goals", s.a.Status, s.a.NOPStreak, explore())
		}
	}
}

// TestTask_EffortCountsEverySlot: of an action of two slots both are the goal's effort.
func TestTask_EffortCountsEverySlot(t *testing.T) {
	s := newSolo(t, genomes[2])
	s.view.SlotsLeft = 2 // just enough
	step := s.slot(publish, wire.Reply{Type: wire.TypeAck, Body: &wire.EntryPublishAck{EntryID: wire.Hash{1}}})
	g := s.a.Goals.Get(s.t.pending.goal)
	if step.Kind != StepSend || g == nil || g.Record.Effort != 1 {
		t.Fatalf("step %v, goal %+v", step.Kind, g)
	}
	s.ask()
	s.t.Act(llm.Thought{})
	s.t.Record(wire.Reply{})
	if g.Record.Effort != 2 {
		t.Errorf("effort %d after two slots", g.Record.Effort)
	}
	s.ask()
	top := s.t.goals.top
	before := top.Record.Effort
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	if top.Record.Effort != before+1 {
		t.Errorf("effort %d for the top goal after a NOP, %d before", top.Record.Effort, before)
	}
}

func TestTask_NamesThePlanStepItServes(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	row := s.t.slotView.action("entry_publish")
	for _, c := range []struct {
		plan uint64
		want bool
	}{{0, false}, {5, true}} {
		p := &pending{row: row, plan: c.plan, step: 3, goalKind: goals.KindEarn, subjectKind: goals.SubjectNone}
		task := s.t.task.open(p)
		if got := task.PlanStep != nil; got != c.want || got && *task.PlanStep != 3 {
			t.Errorf("plan %d: step %v", c.plan, task.PlanStep)
		}
	}
}

// If the result of a step never comes, the step counts as failed and the plan goes on.
func TestTask_GivenUpFailsItsPlanStep(t *testing.T) {
	for _, blocked := range []bool{true, false} {
		s := newSolo(t, genomes[2])
		s.slot(withField(getEntry, `,"memory_update":{"plan":[{"action":"entry_get","params":{"entry_id":"`+someEntry+`"}}]}`), ack)
		p := s.planned()
		ref := wire.Hash{1}
		if blocked {
			p.Blocked = &ref
		}
		s.a.CurrentTask = &agent.Task{GoalID: p.Goal, TickLimit: 1, Awaits: &ref}
		s.slot(idle, wire.Reply{})
		if failed := p.Tries == 1; failed != blocked || s.a.CurrentTask != nil || p.Status == memory.PlanAbandoned {
			t.Errorf("blocked %v: tries %d, task %v", blocked, p.Tries, s.a.CurrentTask)
		}
	}
}

// Only the awaited result ends the task, and moves a plan that waits for it.
func TestReceive_OnlyAwaitedResultEndsTheTask(t *testing.T) {
	ref, other := wire.Hash{1}, wire.Hash{2}
	for _, c := range []struct {
		name    string
		reply   wire.Reply
		blocked *wire.Hash
		over    bool
		step    uint32
		tries   uint32
	}{
		{"the result", wire.Reply{Ref: ref}, &ref, true, 1, 0},
		{"a failure", wire.Reply{Ref: ref, Err: &wire.ErrorBody{}}, &ref, true, 0, 1},
		{"of another request", wire.Reply{Ref: other}, &ref, false, 0, 0},
		{"of a plan that waits for something else", wire.Reply{Ref: ref}, &other, true, 0, 0},
		{"of a plan that does not wait", wire.Reply{Ref: ref}, nil, true, 0, 0},
	} {
		s := newSolo(t, genomes[6])
		g := s.about(goals.KindEarn, wire.Hash{1})
		plan := s.t.plans.add(g, documentSteps.steps, documentSteps.names)
		plan.Blocked = c.blocked
		s.a.CurrentTask = &agent.Task{GoalID: g.ID, Awaits: &ref}
		s.t.task.receive(&c.reply)
		if over := s.a.CurrentTask == nil; over != c.over || plan.Step != c.step || plan.Tries != c.tries {
			t.Errorf("%s: over %v, step %d, tries %d", c.name, over, plan.Step, plan.Tries)
		}
	}
	s := newSolo(t, genomes[6])
	s.t.task.receive(&wire.Reply{Ref: ref}) // nothing runs
	s.a.CurrentTask = &agent.Task{TickLimit: 2}
	if s.t.task.receive(&wire.Reply{Ref: ref}); s.a.CurrentTask == nil {
		t.Error("a result ended a task that waits for none")
	}
}

// A task waits for four times the ticks of its action, and blocks its plan meanwhile.
func TestAwait_KeepsTheTaskOpen(t *testing.T) {
	s := newSolo(t, genomes[6])
	g := s.about(goals.KindEarn, wire.Hash{1})
	plan := s.t.plans.add(g, documentSteps.steps, documentSteps.names)
	row := *s.rules.Actions(0)[0]
	row.Ticks = 3
	p := &pending{row: &row, ticks: 3, goal: g.ID, goalKind: goals.KindEarn, subjectKind: goals.SubjectNone, msgID: wire.Hash{5}, plan: plan.ID}
	s.t.task.await(p, 7)
	task := s.a.CurrentTask
	if task == nil || task.TickLimit != 12 || task.Experience != 7 || *task.Awaits != p.msgID || *task.PlanStep != 0 || plan.Blocked == nil || *plan.Blocked != p.msgID {
		t.Errorf("task %+v, plan %+v", task, plan)
	}
	p.plan = 0
	if s.t.task.await(p, 8); s.a.CurrentTask.PlanStep != nil {
		t.Error("an action of no plan names a step")
	}
}

func TestTask_OccupiesAsManySlotsAsItsCost(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.slot(publish, wire.Reply{Type: wire.TypeAck, Body: &wire.EntryPublishAck{EntryID: wire.Hash{1}}})
	if task := s.a.CurrentTask; task == nil || task.TicksUsed != 1 || task.TickLimit != 2 {
		t.Fatalf("task %+v after the first of two slots", s.a.CurrentTask)
	}
	heard := &wire.Event{Payload: &wire.CycleEndEvent{}}
	if asked := s.ask(heard); asked.Kind != AskSilent {
		t.Error("the second slot asked for a thought")
	}
	step := s.t.Act(llm.Thought{})
	s.t.Record(wire.Reply{})
	if step.Kind != StepNone || step.NOP != nil || s.a.NOPStreak != 0 || s.a.CurrentTask != nil {
		t.Errorf("consuming: %+v, streak %d, task %v", step, s.a.NOPStreak, s.a.CurrentTask)
	}
	asked := s.ask()
	if asked.Kind != AskThink {
		t.Fatal("the third slot asked for no thought")
	}
	if missed := asked.Prompt.Sight.Missed; len(missed) != 1 || missed[0] != heard {
		t.Errorf("the third slot is told %v, want what the second one showed", missed)
	}
	s.t.Act(answered(`{"action":"nop"}`))
	s.t.Record(wire.Reply{})
	if asked := s.ask(); len(asked.Prompt.Sight.Missed) > 0 {
		t.Errorf("the fourth slot is told %v again", asked.Prompt.Sight.Missed)
	}
}

func TestTask_ARefusalCostsOneSlot(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.slot(publish, refused)
	if s.a.CurrentTask != nil {
		t.Error("a refused action keeps its task")
	}
	if asked := s.ask(); asked.Kind != AskThink {
		t.Error("the slot after a refusal asked for no thought")
	}
}

func TestTask_CostingMoreThanSlotsLeftIsRefused(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.a.NOPStreak = 2
	s.view.SlotsLeft = 1
	step := s.slot(publish, wire.Reply{})
	if step.Kind != StepNone || step.NOP != nil || s.a.CurrentTask != nil || s.a.NOPStreak != 0 {
		t.Errorf("%+v, task %v, streak %d", step, s.a.CurrentTask, s.a.NOPStreak)
	}
	if e := s.a.Memory.Experiences.Recent(0); e == nil || e.Outcome != memory.OutcomeFailure || !strings.Contains(string(e.Lesson), "no_ticks") {
		t.Errorf("experience %+v", e)
	}
}

// TestTask_WaitingTakesNoSlotAndEndsAtItsLimit: a task that waits for a result takes no slot; the result
// completes its experience, and without one it is given up at its limit.
func TestTask_WaitingTakesNoSlotAndEndsAtItsLimit(t *testing.T) {
	wait := func() (*solo, wire.Hash) {
		s := newSolo(t, genomes[0])
		ref := s.slot(getEntry, ack).Envelope.MsgID
		id := s.a.Memory.Experiences.Recent(0).ID
		s.a.CurrentTask = &agent.Task{GoalID: s.t.pending.goal, TickLimit: 4, Experience: id, Awaits: &ref}
		s.a.Memory.Experiences.Resolve(id, memory.OutcomeUnknown, nil)
		return s, ref
	}
	s, ref := wait()
	s.view.Deliveries = []wire.Reply{{Ref: ref, Type: wire.TypeAck}}
	s.slot(getEntry, ack)
	if e := s.a.Memory.Experiences.At(0); e.Outcome != memory.OutcomeSuccess || s.a.CurrentTask != nil {
		t.Errorf("after the result: %v, task %v", e.Outcome, s.a.CurrentTask)
	}
	s, _ = wait()
	for slot := 1; slot <= 4; slot++ {
		if over := s.a.CurrentTask == nil; over {
			t.Fatalf("given up before slot %d", slot)
		}
		s.slot(`{"action":"nop"}`, wire.Reply{})
	}
	if e := s.a.Memory.Experiences.At(0); e.Outcome != memory.OutcomeFailure || s.a.CurrentTask != nil {
		t.Errorf("at the limit: %v, task %v", e.Outcome, s.a.CurrentTask)
	}
}
