package ooda

import (
	"strings"
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

var (
	box       = wire.Hash{0xb0}
	someShop  = wire.Hash{0x5e}
	runBox    = `{"action":"exec_start","params":{"sandbox_id":"` + box.String() + `"}}`
	callShop  = `{"action":"service_call","params":{"service_id":"` + someShop.String() + `","endpoint":"serve"}}`
	ranTicks  = func(n uint64) wire.Reply { return wire.Reply{Type: wire.TypeAck, Body: &wire.ExecStartAck{Ticks: n}} }
	divByZero = wire.FaultDivideByZero
	userFault = wire.FaultUserFault
)

// result lets the next slot begin, in whose view the result of a step is.
func (s *solo) result(step Step, t wire.MsgType, body any) Asked {
	s.Helper()
	s.view.Deliveries = []wire.Reply{{Ref: step.Envelope.MsgID, Type: t, Body: body}}
	asked := s.ask()
	s.view.Deliveries = nil
	return asked
}

// A run that faults is a failure, with the fault as its reason: in the experience, for the plan, for the mind's own lesson, among what
// is avoided, and in what the agent makes of its cycle.
func TestResult_FaultIsFailure(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		ack          wire.Reply
		kind         wire.MsgType
		body         any
		why          string // "": it succeeds
	}{
		{"a run", runBox, ranTicks(1), wire.TypeExecResult, &wire.ExecResult{SandboxID: box, State: wire.SandboxStateHalted}, ""},
		{"a run that faults", runBox, ranTicks(1), wire.TypeExecResult, &wire.ExecResult{SandboxID: box, State: wire.SandboxStateFaulted, Fault: &divByZero}, "it faulted: DIVIDE_BY_ZERO"},
		{"a call", callShop, ack, wire.TypeServiceResult, &wire.ServiceResult{ServiceID: someShop}, ""},
		{"a call that faults", callShop, ack, wire.TypeServiceResult, &wire.ServiceResult{ServiceID: someShop, Fault: &userFault}, "it faulted: USER_FAULT"},
	} {
		for _, own := range []string{"", "run it early"} {
			s := newSolo(t, genomes[6])
			update := `"plan":[` + c.answer + `,` + c.answer + `]`
			s.slot(withField(getEntry, `,"memory_update":{`+update+`}`), ack)
			plan := s.a.Memory.Plans.ByGoal(s.t.pending.goal)
			answer := c.answer
			if own != "" {
				answer = withField(answer, `,"memory_update":{"lesson":"`+own+`"}`)
			}
			step := s.slot(answer, c.ack)
			if e := s.a.Memory.Experiences.Recent(0); e.Outcome != memory.OutcomeUnknown {
				t.Fatalf("%s: %v before the result", c.name, e.Outcome)
			}
			s.result(step, c.kind, c.body)
			name := s.t.seen.action(strings.Split(answer, `"`)[3]).Name
			e := s.a.Memory.Experiences.Recent(0)
			_, subject := subjectOf(step.Payload)
			failed, avoided := plan.Tries == 1 && plan.Step == 0, s.t.regs.avoids(name, "", &subject)
			node := s.lesson(name)
			switch {
			case c.why == "":
				if e.Outcome != memory.OutcomeSuccess || plan.Step != 1 || avoided {
					t.Errorf("%s: %v, step %d, avoided %v", c.name, e.Outcome, plan.Step, avoided)
				}
				if want := own != ""; want && string(e.Lesson) != own || !want && !isPlain(e.Lesson, name) {
					t.Errorf("%s: lesson %q", c.name, e.Lesson)
				}
			case e.Outcome != memory.OutcomeFailure || string(e.Lesson) != c.why || !failed || !avoided:
				t.Errorf("%s: %v, lesson %q, plan at step %d with %d tries, avoided %v", c.name, e.Outcome, e.Lesson, plan.Step, plan.Tries, avoided)
			}
			if (node != nil) != (own != "") || node != nil && (node.Confidence > 0.5) != (c.why == "") {
				t.Errorf("%s: the own lesson is %+v", c.name, node)
			}
			text := string(s.t.prompt.Render(nil))
			if strings.Contains(text, "result: ") || c.why != "" && !strings.Contains(text, `: FAILURE; learned: "`+c.why+`"`) {
				t.Errorf("%s: the prompt says\n%s", c.name, text)
			}
			act, row, _ := s.a.Memory.Experiences.RecentAct(0)
			if x := reviewAct(act, row, s.a.Memory.Effects.Last()); x.good != (c.why == "") || c.why != "" && x.text != c.why {
				t.Errorf("%s: the agent finds it good: %v, %q", c.name, x.good, x.text)
			}
		}
	}
}
