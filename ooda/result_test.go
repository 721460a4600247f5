package ooda

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"kingdom/llm"
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
			plan := s.planned()
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

// What a run printed and a service answered is in the next prompt, below the act, bounded and with its author if it is another; what is
// empty takes no line.
func TestResult_IsInTheNextPrompt(t *testing.T) {
	shop := []wire.ServiceView{{ID: someShop, Owner: peerA, Endpoint: []byte("serve")}}
	module := wire.Hash{0x40}
	for _, c := range []struct {
		name, answer string
		kind         wire.MsgType
		body         any
		services     []wire.ServiceView
		want         []string // lines below the act
	}{
		{"nothing", runBox, wire.TypeExecResult, &wire.ExecResult{SandboxID: box}, nil, []string{"no output"}},
		{"output", runBox, wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Output: []byte("42\n")}, nil, []string{`output, 3 bytes; "42"`}},
		{"output and log", runBox, wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Output: []byte("4"), Log: []byte("at 1\nat 2\n")}, nil, []string{`output, 1 byte; "4"`, `log, 10 bytes; "at 1\nat 2"`}},
		{"long", runBox, wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Output: []byte(strings.Repeat("é", 300)), Log: []byte(strings.Repeat("x", 301))}, nil, []string{
			`output, 600 bytes, the last 200 left out; "` + strings.Repeat("é", 200) + `"`, `log, 301 bytes, the last 1 left out; "` + strings.Repeat("x", 300) + `"`,
		}},
		{"no text", runBox, wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Output: []byte(strings.Repeat("\x80", 1000)), Log: make([]byte, 60)}, nil, []string{
			`output, 1000 bytes, the last 869 left out; "` + strings.Repeat("\ufffd", 131) + `"`, `log, 60 bytes, the last 10 left out; "` + strings.Repeat(`\u0000`, 50) + `"`,
		}},
		{"a fault", runBox, wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Fault: &divByZero, Message: []byte("floored division by zero"), Line: 3, Output: []byte("1"), Log: []byte("a\n")}, nil, []string{
			`fault in line 3; "floored division by zero"`, `output, 1 byte; "1"`, `log, 2 bytes; "a"`,
		}},
		{"a fault in a module", runBox, wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Fault: &userFault, Message: []byte("fail: no"), Line: 2, Module: &module}, nil, []string{`fault in line 2 of module x2; "fail: no"`}},
		{"all at its bound", runBox, wire.TypeExecResult, &wire.ExecResult{
			SandboxID: box, Fault: &userFault, Message: []byte(strings.Repeat("m", 512)), Line: 70_000, Module: &module, Output: []byte(strings.Repeat("o", 65_536)), Log: []byte(strings.Repeat("l", 16_384)),
		}, nil, []string{
			`fault in line 70000 of module x2; "` + strings.Repeat("m", 200) + `"`, `output, 65536 bytes, the last 65136 left out; "` + strings.Repeat("o", 400) + `"`,
			`log, 16384 bytes, the last 16084 left out; "` + strings.Repeat("l", 300) + `"`,
		}},
		{"a reply", callShop, wire.TypeServiceResult, &wire.ServiceResult{ServiceID: someShop, Data: []byte("yes")}, shop, []string{`reply of the service, 3 bytes; ` + peerA.Alias() + ` wrote "yes"`}},
		{"a reply of a service that is out of view", callShop, wire.TypeServiceResult, &wire.ServiceResult{ServiceID: someShop, Data: []byte("yes")}, nil, []string{`reply of the service, 3 bytes; "yes"`}},
		{"a call that faults", callShop, wire.TypeServiceResult, &wire.ServiceResult{ServiceID: someShop, Fault: &userFault, Message: []byte("fail: no")}, shop, []string{`fault of the service; ` + peerA.Alias() + ` wrote "fail: no"`}},
		{"a call that faults without a word", callShop, wire.TypeServiceResult, &wire.ServiceResult{ServiceID: someShop, Fault: &divByZero}, shop, nil},
	} {
		s := newSolo(t, genomes[6])
		s.view.Services = c.services
		s.result(s.slot(c.answer, ranTicks(1)), c.kind, c.body)
		var got []string
		text := string(s.t.prompt.Render(nil))
		for line := range strings.Lines(text) {
			if line, ok := strings.CutPrefix(line, "  it showed: "); ok {
				got = append(got, strings.TrimSuffix(line, "\n"))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: it showed\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// The output of a program that is reviewed has the author of the program.
func TestResult_OfAReviewedProgramHasItsAuthor(t *testing.T) {
	s := newSolo(t, genomes[6])
	review := wire.Hash{7}
	s.view.Reviews = []wire.ReviewView{{ID: review, Author: peerB}}
	s.view.Sandboxes = []wire.SandboxView{{ID: box, TickBudget: 100, State: wire.SandboxStateHalted}}
	s.a.Notebook.BeginWork(memory.WorkReview, review, 1).Sandbox = box
	s.result(s.slot(runBox, ranTicks(1)), wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Output: []byte("hi")})
	if x := s.a.Memory.Readings[len(s.a.Memory.Readings)-1].Things[0]; x.Author != peerB {
		t.Errorf("%+v", x)
	}
}

// A result that comes while the run still takes slots of the agent is shown when it decides again, and until its next act; then it is
// kept like what other acts showed.
func TestResult_IsShownWhenTheAgentDecidesAgain(t *testing.T) {
	const line = `  it showed: output, 2 bytes; "42"`
	s := newSolo(t, genomes[6])
	s.view.Sandboxes = []wire.SandboxView{{ID: box, TickBudget: 300}}
	s.result(s.slot(runBox, ranTicks(3)), wire.TypeExecResult, &wire.ExecResult{SandboxID: box, Output: []byte("42")})
	for s.t.thinking == taskRuns {
		s.t.Act(llm.Thought{})
		s.t.Record(wire.Reply{})
		s.ask()
	}
	for range 2 {
		if text := string(s.t.prompt.Render(nil)); !strings.Contains(text, line) {
			t.Fatalf("the prompt has no output:\n%s", text)
		}
		s.t.Act(answered(`{"action":"nop"}`))
		s.t.Record(wire.Reply{})
		s.ask()
	}
	s.t.Act(answered(getEntry))
	s.t.Record(refused)
	s.ask()
	if text := string(s.t.prompt.Render(nil)); strings.Contains(text, line) || len(s.a.Memory.Readings[0].Things) == 0 {
		t.Errorf("after the next act: %+v", s.a.Memory.Readings)
	}
}

// Whatever a program or a service says, the prompt around the quotations stays the same.
func TestResult_InjectedTextChangesNoStructure(t *testing.T) {
	after := func(words string) []byte {
		s := newSolo(t, genomes[6])
		s.result(s.slot(callShop, ack), wire.TypeServiceResult, &wire.ServiceResult{ServiceID: someShop, Data: []byte(words)})
		return s.t.prompt.Render(nil)
	}
	number := regexp.MustCompile(`service, .*?;`) // how many bytes it has
	want, _ := skeleton(t, number.ReplaceAll(after("harmless words"), []byte("service;")))
	for i, words := range injections {
		if got, _ := skeleton(t, number.ReplaceAll(after(words), []byte("service;"))); !slices.Equal(got, want) {
			t.Errorf("injection %d changes the prompt", i)
		}
	}
}
