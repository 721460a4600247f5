package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/wire"
)

// scene is a small world that is written down tick by tick.
type scene struct {
	budget  uint64
	cycles  wire.Cycle
	knobs   scripted.Knobs
	says    map[thoughtKey]string // answers given in place of the mind's, by agent and tick
	planned func(agents []wire.AgentID) []Input
}

// at names the slot of an agent, counted in spawn order from 1.
func at(agent uint64, tick wire.Tick) thoughtKey {
	return thoughtKey{agent: wire.AgentIDAt(wire.WorldSeed("42"), agent), tick: tick}
}

var scenes = map[string]scene{
	// Each of three agents acts six times in one cycle; one declines once, one
	// answers nonsense three times over, and one is put to sleep by the operator.
	"tiny": {
		budget: 6, cycles: 1,
		says: map[thoughtKey]string{
			at(2, 92+15): `{"action":"nop","params":{},"reasoning":"nothing worth doing"}`,
			at(1, 92+30): "Let me think about it.",
		},
		planned: func(agents []wire.AgentID) []Input {
			return []Input{{Kind: InputStatus, Earliest: 92 + 50, Agent: agents[2], Status: wire.StatusDormant, Reason: "operator"}}
		},
	},
	// All that an operator may do: money that is there and that is not, a message that calls a
	// sleeper, parameters within their bounds and beyond, and a sleep that nobody ends sooner.
	"operator": {
		budget: 2, cycles: 4,
		planned: func(agents []wire.AgentID) []Input {
			sleep := func(at wire.Tick, who int, cycles uint64) Input {
				return Input{Kind: InputStatus, Earliest: at, Agent: agents[who], Status: wire.StatusDormant, Reason: "operator", Cycles: cycles}
			}
			grant := func(at wire.Tick, who int, amount int64) Input {
				return Input{Kind: InputGrant, Earliest: at, Agent: agents[who], Amount: amount}
			}
			goal := goals.New(agents[0], goals.LayerTask, goals.SourceSocial, goals.Description{Kind: goals.KindOperator, Text: "greet the others"}, 92)
			return []Input{
				grant(92, 0, 40), grant(92, 1, -30), grant(92, 1, -500), grant(92, 1, 1_000_000),
				{Kind: InputParam, Earliest: 92, Param: "agora.channel_fee", Value: 9},
				{Kind: InputParam, Earliest: 92, Param: "agora.channel_fee", Value: 99},
				sleep(92, 2, 2), sleep(92, 1, 0),
				{Kind: InputWake, Earliest: 92 + 46, Agent: agents[2]},
				{Kind: InputPost, Earliest: 92 + 46, Channel: "general", Message: wire.MessageKindQuestion, Text: "Who is " + agents[1].Alias() + "? And " + agents[2].Alias() + "?"},
				{Kind: InputPost, Earliest: 92 + 46, Channel: "nowhere", Message: wire.MessageKindStatement, Text: "hello"},
				{Kind: InputGoal, Earliest: 2 * 92, Agent: agents[2], Goal: &goal},
			}
		},
	},
	// Minds that never make sense: a warning at three NOPs, sleep at ten, and the
	// timer that wakes them after two cycles.
	"stuck": {budget: 11, cycles: 3, knobs: scripted.Knobs{FailureBursts: scripted.FailureBursts{EveryCycles: 1, LengthSlots: 11}}},
}

// puppet is a mind whose answers in some slots are given.
type puppet struct {
	Mind
	says map[thoughtKey]string
}

func (m *puppet) Recomputable(wire.Cycle) bool { return true }

func (m *puppet) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if text, ok := m.says[thoughtKey{agent: p.ID, tick: p.Tick}]; ok {
		return llm.Thought{Outcome: llm.Answered, Text: []byte(text)}, nil
	}
	return m.Mind.Think(ctx, p)
}

// Who sits where in every tick, what is sent, what the world answers, and who
// changes status by it; -update rewrites the files.
func TestTranscripts(t *testing.T) {
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) {
			golden.File(t, filepath.Join("testdata", name+".txt"), s.play(t))
		})
	}
}

// play steps the world by hand and writes down every tick.
func (s *scene) play(t *testing.T) string {
	t.Helper()
	cfg := testConfig("42", 3)
	cfg.Rules.Calendar.TicksPerCycle, cfg.Rules.BaseBudget, cfg.Rules.MaxExtra = 92, s.budget, 0
	cfg.Turn.Calendar = cfg.Rules.Calendar
	reports := make(ends, 1)
	e, err := Start(t.Context(), cfg, Options{Mind: &puppet{scripted.New(cfg.Rules.Seed, s.knobs), s.says}, Observers: []Observer{reports}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	w := &writer{e: e, ends: reports}
	w.end()
	if s.planned != nil {
		var ids []wire.AgentID
		for _, seat := range e.agents.seats {
			ids = append(ids, seat.id)
		}
		for _, in := range s.planned(ids) {
			w.given = append(w.given, given{in, e.Input(in)})
		}
	}
	for e.cycle < s.cycles {
		if err := w.cycle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return w.String()
}

// writer writes down a world that it steps.
type writer struct {
	strings.Builder
	e     *Engine
	ends  ends
	given []given // inputs that have not taken effect yet
}

// given is an input and where its result arrives.
type given struct {
	in     Input
	result <-chan Applied
}

// applied writes down the inputs that took effect.
func (w *writer) applied() {
	for len(w.given) > 0 {
		select {
		case a := <-w.given[0].result:
			in := &w.given[0].in
			r := newInputRecord(in, a.Tick, a.Seq)
			who := ""
			if !in.Agent.IsZero() {
				who = " " + w.name(in.Agent)
			}
			result := "done"
			if a.Err != nil {
				result = a.Err.Error()
			}
			w.line("  > input %d: %s: %s", a.Seq, strings.TrimSpace(r.do()+who+" "+r.description()), result)
			w.given = w.given[1:]
		default:
			return
		}
	}
}

func (w *writer) line(format string, a ...any) { fmt.Fprintf(w, format+"\n", a...) }

// name is an agent by role and spawn order.
func (w *writer) name(id wire.AgentID) string {
	for i, s := range w.e.agents.seats {
		if s.id == id {
			return fmt.Sprintf("%d %s", i+1, s.a.Genome.Role)
		}
	}
	return id.Alias()
}

func (w *writer) cycle(ctx context.Context) error {
	e := w.e
	seen := len(e.events)
	if err := e.startCycle(ctx, e.cycle+1); err != nil {
		return err
	}
	w.line("\ncycle %d", e.open)
	w.changes(e.events[seen:])
	for {
		seen = len(e.events)
		tick, ok, err := e.inputs.nextTick(e.open)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := e.tick(ctx, tick); err != nil {
			return err
		}
		e.agents.bySpawn() // waits for the record phase
		w.line("tick %d", tick)
		w.applied()
		for _, s := range e.seats.live {
			w.line("  %-17s %s", w.name(s.id), deed(s))
		}
		w.changes(e.events[seen:])
	}
	if err := e.endCycle(ctx); err != nil {
		return err
	}
	w.end()
	return nil
}

// end writes down the end of a cycle.
func (w *writer) end() {
	r := <-w.ends
	w.line("cycle %d ends at tick %d with world %s", r.Row.Cycle, r.Row.Tick, r.Row.WorldHash)
	w.changes(r.Events)
	w.line("  %d slots and %d NOPs so far; %d active, %d dormant", r.Row.AgentTicks, r.Row.NOPs, r.Row.Active, r.Row.Dormant)
}

// ends is an observer that sends each cycle report on a channel.
type ends chan *CycleReport

func (ends) Commit(*Commit)         {}
func (o ends) Cycle(r *CycleReport) { o <- r }

// deed says what a seat did in its slot, and what the world made of it.
func deed(s *seat) string {
	var parts []string
	if n := s.step.NOP; n != nil {
		parts = append(parts, fmt.Sprintf("NOP %s after %d tries, streak %d", n.Reason, n.Attempts, n.Streak))
	}
	if s.step.Kind == ooda.StepSend {
		answer := s.reply.Type.String()
		if s.reply.Err != nil {
			answer = fmt.Sprintf("%s %s", answer, s.reply.Err.Message)
		}
		parts = append(parts, fmt.Sprintf("%s -> %s", s.step.Envelope.Type, answer))
	}
	if len(parts) == 0 {
		return "idle"
	}
	return strings.Join(parts, "; ")
}

// changes writes down warnings and changes of status.
func (w *writer) changes(events []*wire.Event) {
	for _, ev := range events {
		switch p := ev.Payload.(type) {
		case *wire.AgentStatusChangeEvent:
			w.line("  * %s: %s -> %s (%s)", w.name(p.AgentID), p.OldStatus, p.NewStatus, p.Reason)
		case *wire.AgentNopWarningEvent:
			w.line("  * %s: %s", w.name(p.AgentID), ev.Kind)
		case *wire.OperatorGrantEvent:
			w.line("  * %s: %s of %+d ⚡ by input %d", w.name(p.Agent), ev.Kind, p.Amount, p.InputID&0xFFFFFFFF)
		}
	}
}
