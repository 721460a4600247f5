package main

import (
	"encoding/json"
	"fmt"

	"kingdom/agent"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/scenarios"
	"kingdom/wire"
	"kingdom/wire/action"
)

// weigher is a mind that can report how it scores the offers of a prompt.
type weigher interface {
	Weigh(p *llm.Prompt) []scripted.Weight
}

// slotTracer keeps what an agent did in one tick; it implements [engine.Tracer].
type slotTracer struct {
	tick       wire.Tick
	index      uint64 // spawn index of the agent
	wantPrompt bool
	scenario   *scenarios.Scenario // of its cycle
	settings   *scenarios.Scenario // likewise, with what resume --set changed of its models; set if wantPrompt
	scripted   weigher             // nil: a model thinks for the agent
	model      *openai.Model
	failed     error            // why the model is not known
	refused    []openai.Refused // by the servers of the run's models
	notes      []string         // about the prompt

	slots     []wire.Tick // of the agent in this cycle
	inSlot    bool        // the slot that runs is the one
	found     bool
	diverged  bool       // in this cycle this build does not do what the run did
	recorded  bool       // the agent has got the result of the slot
	turn      *ooda.Turn // of that slot
	prompt    *shownPrompt
	explained explainedSlot
}

// explainedSlot is one slot of one agent, as --json prints it.
type explainedSlot struct {
	Agent      string             `json:"agent"`
	Alias      string             `json:"alias"`
	Name       string             `json:"name,omitempty"`
	Role       string             `json:"role"`
	Cycle      uint64             `json:"cycle"`
	Tick       uint64             `json:"tick"`
	Saw        []string           `json:"saw"`
	Ended      []explainedEnd     `json:"ended"` // goals that ended
	Goals      []explainedGoal    `json:"goals"`
	Weights    *explainedWeights  `json:"weights"` // of the terms of a priority; null where this build diverges from the run
	Offers     []explainedOffer   `json:"offers"`
	Thoughts   []explainedThought `json:"thoughts"`
	Sent       string             `json:"sent"`   // action; "" if nothing was
	Params     json.RawMessage    `json:"params"` // of what was sent, null if nothing was
	NOP        string             `json:"nop"`    // why nothing was sent
	Rest       *uint64            `json:"rest"`   // how many more slots it rests at most; null if it does not
	StatusFrom string             `json:"status_from"`
	StatusTo   string             `json:"status_to"` // DORMANT if it fell asleep in the slot, else as before
	Reason     string             `json:"reason"`    // why it fell asleep; "" if it did not
	Outcome    string             `json:"outcome"`
	Refused    string             `json:"refused"`
	Lesson     string             `json:"lesson"`
	Balance    int64              `json:"balance"` // after it
	Reputation float64            `json:"reputation"`
}

// explainedEnd is how a goal ended.
type explainedEnd struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Outcome string `json:"outcome"` // SUCCESS, FAILURE
	Reason  string `json:"reason"`  // why it was given up; subject_… tells what became of its subject
	Subject string `json:"subject"` // id of what it was about, "" for nothing
	By      string `json:"by"`      // alias of the agent that has its subject now, or closed it; "" if there is none
	Effort  uint64 `json:"effort"`  // ticks of work for it
}

type explainedGoal struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"`
	Text       string  `json:"text"`
	About      string  `json:"about"` // id of what it is about, "" for nothing
	Priority   float64 `json:"priority"`
	Urgency    float64 `json:"urgency"`
	Reward     float64 `json:"reward"`
	Capability float64 `json:"capability"`
	Novelty    float64 `json:"novelty"`
	Social     float64 `json:"social"`
	Top        bool    `json:"top"`
}

// explainedWeights are the weights of the terms of a priority, which follow from the agent's traits.
type explainedWeights struct {
	Urgency    float64 `json:"urgency"`
	Reward     float64 `json:"reward"`
	Capability float64 `json:"capability"`
	Novelty    float64 `json:"novelty"`
	Social     float64 `json:"social"`
}

type explainedOffer struct {
	Action   string            `json:"action"`
	Goal     string            `json:"goal"`
	About    string            `json:"about"` // id
	Author   string            `json:"author"`
	Text     string            `json:"text"` // text of the thing it is about
	Params   string            `json:"params"`
	Priority float64           `json:"priority"`
	Success  float64           `json:"success"`
	Ticks    uint64            `json:"ticks"`
	Spark    uint64            `json:"spark"`
	Factors  []explainedFactor `json:"factors"` // those that are not neutral
	Score    *float64          `json:"score"`   // null where a model thinks
	Chance   *float64          `json:"chance"`  // of being drawn
	Lesson   string            `json:"lesson"`
}

// explainedFactor is one consideration about an offer, or one that decided.
type explainedFactor struct {
	Factor string   `json:"factor"`
	Value  float64  `json:"value"`
	Others *float64 `json:"others,omitempty"` // mean of the other offers, of what decided
}

type explainedThought struct {
	Outcome   string            `json:"outcome"`
	Model     string            `json:"model"`
	Text      string            `json:"text"`
	Action    string            `json:"action"`
	Reasoning string            `json:"reasoning"`
	Decided   []explainedFactor `json:"decided"` // factors in which the act differed most from the other offers, the largest difference first
	Error     string            `json:"error"`
	fallback  bool              // of the scripted mind, because the model's endpoint was out
}

// Asked implements [engine.Tracer].
func (w *slotTracer) Asked(t *ooda.Turn, p *llm.Prompt) {
	at := t.Tick()
	w.slots = append(w.slots, at)
	if w.inSlot = at == w.tick; !w.inSlot {
		return
	}
	w.found, w.turn = true, t
	x := &w.explained
	x.Tick = uint64(at)
	for _, g := range t.Ranking(8) {
		about := ""
		if s := g.Goal.Subject(); !s.IsZero() {
			about = s.String()
		}
		x.Goals = append(x.Goals, explainedGoal{
			About: about,
			ID:    g.Goal.ID.String(), Kind: g.Goal.Kind().String(), Text: g.Goal.Description.Text, Priority: g.Goal.Priority,
			Urgency: g.Terms.Urgency, Reward: g.Terms.Reward, Capability: g.Terms.Capability, Novelty: g.Terms.Novelty, Social: g.Terms.Social, Top: g.Top,
		})
	}
	if p == nil {
		return
	}
	if w.model, w.failed = firstModel(w.scenario, p.SpawnIndex, p.Mind); w.model == nil {
		w.scripted = weigherOf(w.scenario, p.ID)
	}
	if w.wantPrompt {
		var m *openai.Model
		if m, w.failed = w.asked(p); w.failed != nil {
			return
		}
		w.prompt = newShownPrompt(p, m)
		w.prompt.Agent = w.index
	}
	f := p.Facts()
	for _, n := range f.State.News {
		x.Saw = append(x.Saw, fmt.Sprintf("tick %d: %s", n.Tick, n.Text))
	}
	var weights []scripted.Weight
	if w.scripted != nil {
		weights = w.scripted.Weigh(p)
	}
	for i := range p.Affordances {
		f := &p.Affordances[i]
		o := explainedOffer{Factors: []explainedFactor{}, Action: f.Name(), Goal: f.GoalKind, Priority: f.Priority, Success: f.Success, Ticks: f.Ticks, Spark: f.Spark, Author: f.Author, Text: string(f.Text), Lesson: f.Lesson.Text}
		if f.Subject != (wire.Hash{}) {
			o.About = f.Subject.String()
		}
		if f.Action != nil {
			o.Params = string(f.Action.AppendJSON(nil, f.Params))
		}
		for _, k := range f.Considered.Notable() {
			o.Factors = append(o.Factors, explainedFactor{Factor: k.Name, Value: k.Value})
		}
		if weights != nil {
			o.Score, o.Chance = &weights[i].Score, &weights[i].Chance
		}
		x.Offers = append(x.Offers, o)
	}
}

// asked returns the model as it was asked last: with the settings of resume --set, and without what its server refused. It notes
// what of that may make the prompt another one than was sent: nothing tells from which tick on it was so.
func (w *slotTracer) asked(p *llm.Prompt) (*openai.Model, error) {
	if w.model == nil {
		return nil, w.failed
	}
	m, err := firstModel(w.settings, p.SpawnIndex, p.Mind)
	if err != nil {
		return nil, err
	}
	if was := w.model; m.MaxContext != was.MaxContext || m.MaxOutput != was.MaxOutput {
		w.notes = append(w.notes, fmt.Sprintf("this prompt is shown as the model %q is asked since resume --set: with context %d and max_output %d (%s), in place of %d and %d; a thought before that may have been sent otherwise",
			m.Name, m.MaxContext, m.MaxOutput, modelSettingsFile, was.MaxContext, was.MaxOutput))
	}
	for i := range w.refused {
		r := &w.refused[i]
		if next := m.Without(r); r.Model == m.Name && r.ID == m.ID && (next.MaxContext != m.MaxContext || next.Output != m.Output) {
			w.notes = append(w.notes, fmt.Sprintf("this prompt is shown as the model %q is asked since its server refused what the scenario sets: with %v (%s); a thought before that may have been sent otherwise", m.Name, r, refusalsFile))
			m = next
		}
	}
	return m, nil
}

// Thought implements [engine.Tracer].
func (w *slotTracer) Thought(th llm.Thought, r *ooda.ThinkRecord) {
	if !w.inSlot {
		return
	}
	t := explainedThought{Decided: []explainedFactor{}, Outcome: th.Outcome.String(), Model: th.Model, Text: string(th.Text), fallback: th.Fallback}
	if r != nil {
		t.Action, t.Reasoning, t.Error = r.Action, r.Reasoning, r.Error
		for _, d := range r.Decided[:r.Deciding] {
			t.Decided = append(t.Decided, explainedFactor{d.Factor.String(), d.Value, &d.Others})
		}
	}
	w.explained.Thoughts = append(w.explained.Thoughts, t)
}

// Acted implements [engine.Tracer].
func (w *slotTracer) Acted(s *ooda.Step) {
	if !w.inSlot {
		return
	}
	x := &w.explained
	for _, e := range w.turn.Ended() {
		end := explainedEnd{ID: e.Goal.String(), Kind: e.Kind.String(), Outcome: e.Outcome(), Reason: string(e.Reason), Effort: e.Effort}
		if !e.Subject.IsZero() {
			end.Subject = e.Subject.String()
		}
		if !e.ClosedBy.IsZero() {
			end.By = e.ClosedBy.Alias()
		}
		x.Ended = append(x.Ended, end)
	}
	if s.Resting {
		left := s.RestLeft
		x.Rest = &left
	}
	x.StatusFrom, x.StatusTo = wire.StatusActive.String(), wire.StatusActive.String() // only such an agent has slots
	switch {
	case s.NOP != nil: // if something is sent, it is the runtime's report and no act
		x.NOP, x.StatusTo = s.NOP.Reason.String(), s.NOP.StatusTo.String()
		if report, ok := s.Payload.(*wire.AgentStatusMsg); ok && report.Reason != nil {
			x.Reason = *report.Reason
		}
	case s.Kind == ooda.StepSend:
		x.Sent = s.Envelope.Type.String()
		if row, ok := action.ByType(s.Envelope.Type); ok {
			x.Sent, x.Params = row.Name, row.AppendJSON(nil, s.Payload)
		}
	}
}

// Recorded implements [engine.Tracer].
func (w *slotTracer) Recorded(g *agent.Agent, reply *wire.Reply) {
	if !w.inSlot {
		return
	}
	w.recorded = true
	x := &w.explained
	x.Agent, x.Alias, x.Role = g.ID.String(), g.ID.Alias(), g.Genome.Role.String()
	weights := explainedWeights(g.Weights)
	x.Weights = &weights
	x.Balance, x.Reputation = g.Balance, float64(g.Reputation)
	if x.StatusTo = g.Status.String(); x.StatusTo == x.StatusFrom {
		x.Reason = ""
	}
	if reply.Err != nil {
		x.Refused = string(reply.Err.Message)
	}
	if e := g.Memory.Experiences.Recent(0); g.Memory.Experiences.Len() > 0 && e.Tick == w.tick {
		x.Outcome, x.Lesson = e.Outcome.String(), string(e.Lesson)
	}
}
