package ooda

import (
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// solo is one turn under the hands of a test.
type solo struct {
	*testing.T
	rules Rules
	a     *agent.Agent
	t     *Turn
	view  wire.View
	next  wire.Tick
}

func newSolo(t *testing.T, g wire.Genome) *solo {
	t.Helper()
	s := &solo{T: t, rules: DefaultRules(wire.WorldSeed("solo")), next: 256}
	s.a = agent.New(agent.NewIdentity(s.rules.WorldSeed, 1, 41, g), agent.DefaultLimits)
	if err := s.a.SetStatus(wire.StatusActive); err != nil {
		t.Fatal(err)
	}
	s.t = NewTurn(s.a, &s.rules)
	s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 1}, 256)
	s.view = wire.View{Status: wire.StatusActive, Balance: 100, SlotsLeft: 64}
	return s
}

// ask starts the next slot; events are seen once.
func (s *solo) ask(events ...*wire.Event) Asked {
	s.Helper()
	s.view.Tick, s.view.Cycle, s.view.Events = s.next, s.rules.Calendar.Cycle(s.next), events
	s.next += 4
	return s.t.Ask(&s.view)
}

func answered(text string) llm.Thought {
	return llm.Thought{Outcome: llm.Answered, Text: []byte(text), Model: "test"}
}

// slot runs a whole slot: ask, one answer, the reply.
func (s *solo) slot(text string, r wire.Reply, events ...*wire.Event) Step {
	s.Helper()
	if asked := s.ask(events...); asked.Kind != AskThink {
		s.Fatalf("tick %d: no thought asked", s.view.Tick)
	}
	step := s.t.Act(answered(text))
	if step.Kind == StepAgain {
		s.Fatalf("answer %s: %s", text, step.Think.Error)
	}
	if step.Kind == StepSend {
		r.Ref = step.Envelope.MsgID
	}
	s.t.Record(r)
	return step
}

var ack = wire.Reply{Type: wire.TypeAck}

func (s *solo) goal(k goals.Kind) *goals.Goal {
	for _, g := range s.a.Goals.Living() {
		if g.Kind() == k {
			return g
		}
	}
	return nil
}

func event(k wire.EventKind, at wire.Tick, origin wire.AgentID, payload any) *wire.Event {
	return &wire.Event{Timestamp: at, Origin: origin, Kind: k, Payload: payload}
}

const someEntry = "abababababababababababababababababababababababababababababababab"

// planned is the plan of the goal that the mind set itself, nil if there is none.
func (s *solo) planned() *memory.Plan {
	if g := s.goal(goals.KindOwn); g != nil {
		return s.a.Memory.Plans.ByGoal(g.ID)
	}
	return nil
}

const getEntry = `{"action":"entry_get","params":{"entry_id":"` + someEntry + `"}}`

// withField adds a field to an answer.
func withField(answer, field string) string { return answer[:len(answer)-1] + field + "}" }
