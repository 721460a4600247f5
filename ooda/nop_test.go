package ooda

import (
	"testing"

	"kingdom/llm"
	"kingdom/wire"
)

// TestNOP_StreakIsReportedAndPutsToSleep runs sequences of slots: n chosen, p unusable, t timed out,
// b budget refused, e provider error, i interrupted, a an action that the world
// took, r one that it refused.
func TestNOP_StreakIsReportedAndPutsToSleep(t *testing.T) {
	for _, c := range []struct {
		slots   string
		streak  uint32
		reports string // streaks reported, as digits; A for 10
		status  wire.AgentStatus
	}{
		{"nn", 2, "", wire.StatusActive},
		{"nnn", 3, "3", wire.StatusActive},
		{"ppp", 3, "3", wire.StatusActive},
		{"npnp", 4, "3", wire.StatusActive},
		{"nntn", 3, "3", wire.StatusActive},
		{"nntbei", 2, "", wire.StatusActive},
		{"tttttttttttt", 0, "", wire.StatusActive},
		{"nnann", 2, "", wire.StatusActive},
		{"nnrnn", 2, "", wire.StatusActive},
		{"nnnannn", 3, "33", wire.StatusActive},
		{"nnnnnnnnn", 9, "3", wire.StatusActive},
		{"nnnnnnnnnn", 10, "3A", wire.StatusDormant},
		{"nnnnnppptnn", 10, "3A", wire.StatusDormant},
	} {
		s := newSolo(t, genomes[0])
		reports := ""
		for _, kind := range c.slots {
			step := s.playNOP(kind)
			if step.NOP != nil && step.Kind == StepSend {
				q := step.Payload.(*wire.AgentStatusMsg)
				if step.Envelope.Type != wire.TypeAgentStatus || *q.NopStreak != step.NOP.Streak {
					t.Errorf("%s: report %+v of streak %d", c.slots, q, step.NOP.Streak)
				}
				if dormant := *q.NopStreak == 10; dormant != (q.Status != nil) || dormant != (q.Reason != nil) ||
					dormant && (*q.Status != wire.StatusDormant || *q.Reason != "nop_limit" || step.NOP.StatusTo != wire.StatusDormant) {
					t.Errorf("%s: report %+v", c.slots, q)
				}
				reports += string("0123456789A"[*q.NopStreak])
			}
		}
		if s.a.NOPStreak != c.streak || reports != c.reports || s.a.Status != c.status {
			t.Errorf("%s: streak %d, reports %q, %v; want %d, %q, %v", c.slots, s.a.NOPStreak, reports, s.a.Status, c.streak, c.reports, c.status)
		}
	}
}

func (s *solo) playNOP(kind rune) Step {
	s.Helper()
	idle := map[rune]llm.Outcome{'t': llm.TimedOut, 'b': llm.RefusedBudget, 'e': llm.ProviderError, 'i': llm.Interrupted}
	refused := wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Message: []byte("not_found")}}
	switch kind {
	case 'n':
		return s.slot(`{"action":"nop"}`, wire.Reply{})
	case 'a':
		return s.slot(getEntry, ack)
	case 'r':
		return s.slot(getEntry, refused)
	}
	s.ask()
	var step Step
	if kind == 'p' {
		for range 3 {
			step = s.t.Act(answered("hm"))
		}
	} else {
		step = s.t.Act(llm.Thought{Outcome: idle[kind], Error: "no answer"})
		if step.NOP == nil || !step.NOP.Reason.Idle() || step.NOP.Reason.String() != idle[kind].String() || step.Kind != StepNone {
			s.Errorf("%v: %+v", idle[kind], step.NOP)
		}
	}
	s.t.Record(wire.Reply{Type: wire.TypeAgentStatus})
	return step
}

func TestNOP_AfterThreeUnusableAnswersToOnePrompt(t *testing.T) {
	s := newSolo(t, genomes[0])
	asked := s.ask()
	for try := range uint32(2) {
		if asked.Prompt.Try != try {
			t.Errorf("try %d is numbered %d", try, asked.Prompt.Try)
		}
		step := s.t.Act(answered(`{"action":"conquer"}`))
		if step.Kind != StepAgain || step.Think == nil || step.Think.Error == "" || step.NOP != nil {
			t.Fatalf("try %d: %+v", try, step)
		}
	}
	step := s.t.Act(answered(`{"action":"conquer"}`))
	if step.Kind != StepNone || step.NOP.Reason != NOPParseFailed || step.NOP.Attempts != 3 || step.NOP.Error == "" || step.NOP.Reason.Class() != "NOP" {
		t.Errorf("after three tries: %+v", step.NOP)
	}
	s.t.Record(wire.Reply{})
	if s.a.Memory.Experiences.Len() != 0 {
		t.Error("a NOP made an experience")
	}
}

func TestNOP_WithoutAffordancesAsksNoThought(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.rules.Allowed = []string{"entry_verify"} // nothing to verify yet
	if asked := s.ask(); asked.Kind != AskSilent {
		t.Fatal("a thought was asked with nothing feasible")
	}
	if step := s.t.Act(llm.Thought{}); step.NOP == nil || step.NOP.Reason != NOPNoAffordance || step.NOP.Streak != 1 || step.Think != nil {
		t.Errorf("%+v", step.NOP)
	}
}

func TestNOPReason_Names(t *testing.T) {
	for r, want := range map[NOPReason]string{
		NOPChosen: "chosen", NOPNoAffordance: "no_affordance", NOPTimedOut: "timed_out", NOPInterrupted: "interrupted", NOPRest: "rest", 0: "INVALID(0)", 9: "INVALID(9)",
	} {
		if r.String() != want {
			t.Errorf("reason %d is %q, want %q", uint8(r), r, want)
		}
	}
}

func TestNOP_CountsAttemptsInItsSlot(t *testing.T) {
	for _, c := range []struct {
		name     string
		answers  []llm.Thought
		reason   NOPReason
		attempts uint32
		tries    uint32
	}{
		{"chosen at once", []llm.Thought{answered(idle)}, NOPChosen, 1, 3},
		{"chosen after one unusable answer", []llm.Thought{answered("hm"), answered(idle)}, NOPChosen, 2, 3},
		{"timed out after two", []llm.Thought{answered("hm"), answered("hm"), {Outcome: llm.TimedOut}}, NOPTimedOut, 3, 3},
		{"all unusable", []llm.Thought{answered("hm"), answered("hm"), answered("hm")}, NOPParseFailed, 3, 3},
		{"one try", []llm.Thought{answered("hm")}, NOPParseFailed, 1, 1},
		{"no try is one", []llm.Thought{answered("hm")}, NOPParseFailed, 1, 0},
	} {
		s := newSolo(t, genomes[0])
		s.rules.Tries = c.tries
		s.ask()
		var step Step
		for i, th := range c.answers {
			if i > 0 && step.Kind != StepAgain {
				t.Errorf("%s: no try %d", c.name, i)
			}
			step = s.t.Act(th)
		}
		if step.NOP == nil || step.NOP.Reason != c.reason || step.NOP.Attempts != c.attempts || step.NOP.Goal == nil || step.NOP.Model != c.answers[len(c.answers)-1].Model {
			t.Errorf("%s: %+v", c.name, step.NOP)
		}
	}
}

func TestReport_RefusedStatusReportKeepsAgentActive(t *testing.T) {
	for _, c := range []struct {
		streak uint32
		reply  wire.Reply
		want   wire.AgentStatus
	}{
		{3, ack, wire.StatusActive},
		{9, ack, wire.StatusActive},
		{10, ack, wire.StatusDormant},
		{10, refused, wire.StatusActive},
	} {
		s := newSolo(t, genomes[0])
		s.ask()
		s.t.Act(answered(idle))
		s.t.pending.reported = c.streak
		s.t.Record(c.reply)
		if s.a.Status != c.want {
			t.Errorf("streak %d: %v, want %v", c.streak, s.a.Status, c.want)
		}
	}
}

// TestNOP_KeepsTheProvidersError: what the provider said of its answer is told before what is wrong with the answer, in the line of the
// thought and in that of the lost slot.
func TestNOP_KeepsTheProvidersError(t *testing.T) {
	const noJSON = "parse answer at byte 0: answer holds no JSON object"
	for _, c := range []struct {
		name    string
		thought llm.Thought
		want    string
	}{
		{"an answer cut off", llm.Thought{Outcome: llm.Answered, Text: []byte("hm"), Error: "cut at 100 tokens"}, "cut at 100 tokens; " + noJSON},
		{"an unusable answer", llm.Thought{Outcome: llm.Answered, Text: []byte("hm")}, noJSON},
		{"no answer", llm.Thought{Outcome: llm.ProviderError, Error: "no such model"}, "no such model"},
	} {
		s := newSolo(t, genomes[0])
		s.rules.Tries = 1
		s.ask()
		step := s.t.Act(c.thought)
		if step.NOP == nil || step.NOP.Error != c.want || step.Think.Error != c.want {
			t.Errorf("%s: line %+v, thought %+v", c.name, step.NOP, step.Think)
		}
	}
}
