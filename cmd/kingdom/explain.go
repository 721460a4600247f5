package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/llm/scripted"
	"kingdom/memory"
	"kingdom/ooda"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/wire/action"
)

// lastActs is how many acts explain lists without --tick.
const lastActs = 20

func newExplain(a *app) *cobra.Command {
	var (
		name   string
		tick   uint64
		prompt bool
		store  string
	)
	cmd := &cobra.Command{
		Use:   "explain RUN --agent AGENT [--tick TICK]",
		Short: "Say what an agent did at a tick, and why",
		Long: "Say what an agent saw at a tick, its goals with the terms of their priorities, what was offered to it with scores,\n" +
			"what it chose and why, what came of it and what it remembered. Without --tick: its last acts, a line each. The tick\n" +
			"is executed again from the nearest snapshot, so any tick of any stored cycle can be explained; no model is asked.\n" +
			"--prompt shows the messages that a model would get there, or got, and the tokens of each section.\n" +
			"Fields of --json: agent, alias, role, cycle, tick, saw[], goals[], offers[], thoughts[], sent, params, nop, outcome,\n" +
			"refused, lesson, balance, reputation; without --tick an object per act: tick, cycle, action, goal, outcome, lesson.",
		Example: "  kingdom explain runs/epoch0-42 --agent e4de742b\n  kingdom explain runs/epoch0-42 --agent e4de --tick 288",
		Args:    args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			if name == "" {
				return usagef("--agent is missing: whose act is to be explained? kingdom inspect %s lists the agents", quoted(names[0]))
			}
			run, err := openRun(cmd.Context(), names[0], store)
			if err != nil {
				return err
			}
			defer closing(&err, run.store.Close)
			id, err := agentNamed(cmd.Context(), run, names[0], name)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("tick") {
				if prompt {
					return usagef("--prompt needs --tick: the messages of which thought? kingdom explain %s --agent %s lists ticks", names[0], id.Alias())
				}
				return a.listActs(cmd.Context(), run, names[0], id)
			}
			s, err := a.slotOf(cmd.Context(), run, names[0], id, wire.Tick(tick), prompt)
			if err != nil {
				return err
			}
			switch {
			case prompt && s.prompt == nil:
				return usagef("at tick %d agent %s needed no thought; kingdom explain %s --agent %s --tick %d says why", tick, id.Alias(), names[0], id.Alias(), tick)
			case prompt:
				if err := a.printPrompt(s.prompt, 0, false); err != nil || a.json {
					return err
				}
				return a.printPrompt(s.prompt, 0, true)
			case a.json:
				return printJSON(a.out, &s.explained)
			}
			s.print(a)
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "agent", "", "whose, by alias, id, or the beginning of one")
	cmd.Flags().Uint64Var(&tick, "tick", 0, "the tick to explain")
	cmd.Flags().BoolVar(&prompt, "prompt", false, "show the messages of the thought at --tick, and the tokens of each section")
	cmd.Flags().StringVar(&store, "store", "", "where the run's store is, if not where run.json says")
	return cmd
}

// slotOf executes the cycle of a tick again and keeps what the agent did in that tick.
func (a *app) slotOf(ctx context.Context, run *finished, dir string, id wire.AgentID, tick wire.Tick, prompt bool) (*slotWitness, error) {
	cycle := run.config.Rules.Calendar.Cycle(tick)
	if cycle == 0 || uint64(cycle) > run.standing.Last {
		return nil, usagef("tick %d is in cycle %d, which has no slots in the store; %s has the cycles 1 to %d", tick, cycle, dir, run.standing.Last)
	}
	thinker := replayingMind(run.scenario)
	ids, err := agentIDs(ctx, run.store)
	if err != nil {
		return nil, err
	}
	w := &slotWitness{tick: tick, index: uint64(slices.Index(ids, id) + 1), wantPrompt: prompt}
	if w.model, err = firstModel(run.scenario, w.index); err != nil {
		return nil, err
	}
	if w.model == nil {
		m := scriptedMind(run.scenario)
		if p, ok := m.(paced); ok {
			m = p.Mind
		}
		w.scripted, _ = m.(weigher)
	}
	if err := engine.Explain(ctx, run.config, engine.Options{Dir: dir, Store: run.store, Mind: thinker}, id, cycle, w); err != nil {
		return nil, err
	}
	if !w.found {
		return nil, usagef("agent %s has no slot at tick %d; its slots in cycle %d are %s", id.Alias(), tick, cycle, ticksNear(w.slots, tick))
	}
	w.explained.Cycle = uint64(cycle)
	return w, nil
}

// ticksNear lists the ticks around one.
func ticksNear(ticks []wire.Tick, t wire.Tick) string {
	if len(ticks) == 0 {
		return "none: it slept, was dead or not born"
	}
	at, _ := slices.BinarySearch(ticks, t)
	from := max(at-3, 0)
	near := fmt.Sprint(ticks[from:min(from+6, len(ticks))])
	return strings.Trim(near, "[]") + fmt.Sprintf(" (%d in all)", len(ticks))
}

// weigher is a mind that can say what it makes of the offers.
type weigher interface {
	Weigh(p *llm.Prompt) []scripted.Weight
}

// slotWitness keeps what an agent did in one tick; it implements [engine.Witness].
type slotWitness struct {
	tick       wire.Tick
	index      uint64 // spawn index of the agent
	wantPrompt bool
	scripted   weigher // nil: a model thinks for the agent
	model      *openai.Model

	slots     []wire.Tick // of the agent in this cycle
	now       bool        // the slot that runs is the one
	found     bool
	prompt    *shownPrompt
	explained explainedSlot
}

// explainedSlot is one slot of one agent, as --json prints it.
type explainedSlot struct {
	Agent      string             `json:"agent"`
	Alias      string             `json:"alias"`
	Role       string             `json:"role"`
	Cycle      uint64             `json:"cycle"`
	Tick       uint64             `json:"tick"`
	Saw        []string           `json:"saw"`
	Goals      []explainedGoal    `json:"goals"`
	Offers     []explainedOffer   `json:"offers"`
	Thoughts   []explainedThought `json:"thoughts"`
	Sent       string             `json:"sent"`   // action; "" if nothing was
	Params     json.RawMessage    `json:"params"` // of what was sent, null if nothing was
	NOP        string             `json:"nop"`    // why nothing was sent
	Outcome    string             `json:"outcome"`
	Refused    string             `json:"refused"`
	Lesson     string             `json:"lesson"`
	Balance    int64              `json:"balance"` // after it
	Reputation float64            `json:"reputation"`
}

type explainedGoal struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"`
	Text       string  `json:"text"`
	Priority   float64 `json:"priority"`
	Urgency    float64 `json:"urgency"`
	Reward     float64 `json:"reward"`
	Capability float64 `json:"capability"`
	Novelty    float64 `json:"novelty"`
	Social     float64 `json:"social"`
	Top        bool    `json:"top"`
}

type explainedOffer struct {
	Action   string   `json:"action"`
	Goal     string   `json:"goal"`
	About    string   `json:"about"` // id
	Author   string   `json:"author"`
	Text     string   `json:"text"` // words of the thing it is about
	Params   string   `json:"params"`
	Priority float64  `json:"priority"`
	Success  float64  `json:"success"`
	Ticks    uint64   `json:"ticks"`
	Spark    uint64   `json:"spark"`
	Score    *float64 `json:"score"`  // null where a model thinks
	Chance   *float64 `json:"chance"` // of being drawn
	Lesson   string   `json:"lesson"`
}

type explainedThought struct {
	Outcome   string `json:"outcome"`
	Model     string `json:"model"`
	Text      string `json:"text"`
	Action    string `json:"action"`
	Reasoning string `json:"reasoning"`
	Error     string `json:"error"`
}

// Asked implements [engine.Witness].
func (w *slotWitness) Asked(t *ooda.Turn, p *llm.Prompt) {
	at := ooda.TickOf(t)
	w.slots = append(w.slots, at)
	if w.now = at == w.tick; !w.now {
		return
	}
	w.found = true
	x := &w.explained
	x.Tick = uint64(at)
	for _, g := range ooda.Ranking(t, 8) {
		x.Goals = append(x.Goals, explainedGoal{
			ID: g.Goal.ID.String(), Kind: g.Goal.Kind().String(), Text: g.Goal.Description.Text, Priority: g.Goal.Priority,
			Urgency: g.Terms.Urgency, Reward: g.Terms.Reward, Capability: g.Terms.Capability, Novelty: g.Terms.Novelty, Social: g.Terms.Social, Top: g.Top,
		})
	}
	if p == nil {
		return
	}
	if w.wantPrompt {
		w.prompt = show(p, w.model)
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
		o := explainedOffer{Action: f.Name(), Goal: f.GoalKind, Priority: f.Priority, Success: f.Success, Ticks: f.Ticks, Spark: f.Spark, Author: f.Author, Text: string(f.Text), Lesson: string(f.Lesson.Text)}
		if f.Subject != (wire.Hash{}) {
			o.About = f.Subject.String()
		}
		if f.Action != nil {
			o.Params = string(f.Action.AppendJSON(nil, f.Params))
		}
		if weights != nil {
			o.Score, o.Chance = &weights[i].Score, &weights[i].Chance
		}
		x.Offers = append(x.Offers, o)
	}
}

// Thought implements [engine.Witness].
func (w *slotWitness) Thought(th llm.Thought, r *ooda.ThinkRecord) {
	if !w.now {
		return
	}
	t := explainedThought{Outcome: th.Outcome.String(), Model: th.Model, Text: string(th.Text)}
	if r != nil {
		t.Action, t.Reasoning, t.Error = r.Action, r.Reasoning, r.Error
	}
	w.explained.Thoughts = append(w.explained.Thoughts, t)
}

// Acted implements [engine.Witness].
func (w *slotWitness) Acted(s *ooda.Step) {
	if !w.now {
		return
	}
	x := &w.explained
	if s.NOP != nil {
		x.NOP = s.NOP.Reason.String()
	}
	if s.Kind == ooda.StepSend {
		x.Sent = s.Envelope.Type.String()
		if row, ok := action.ByType(s.Envelope.Type); ok {
			x.Sent, x.Params = row.Name, row.AppendJSON(nil, s.Payload)
		}
	}
}

// Recorded implements [engine.Witness].
func (w *slotWitness) Recorded(g *agent.Agent, reply *wire.Reply) {
	if !w.now {
		return
	}
	x := &w.explained
	x.Agent, x.Alias, x.Role = g.ID.String(), g.ID.Alias(), g.Genome.Role.String()
	x.Balance, x.Reputation = g.Balance, float64(g.Reputation)
	if reply.Err != nil {
		x.Refused = string(reply.Err.Message)
	}
	if e := g.Memory.Experiences.Recent(0); g.Memory.Experiences.Len() > 0 && e.Tick == w.tick {
		x.Outcome, x.Lesson = e.Outcome.String(), string(e.Lesson)
	}
}

// print writes it for people.
func (w *slotWitness) print(a *app) {
	x := &w.explained
	p := func(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }
	p("agent %s (%s), cycle %d, tick %d\n", x.Alias, x.Role, x.Cycle, x.Tick)
	if len(x.Saw) > 0 {
		p("saw\n")
		for _, s := range x.Saw {
			p("  %s\n", s)
		}
	}
	p("wanted                         priority = urgency, reward, capability, novelty, social by its weights\n")
	for _, g := range x.Goals {
		mark := " "
		if g.Top {
			mark = "*"
		}
		p("%s %-20s %6.3f   %.2f %.2f %.2f %.2f %.2f  %q\n", mark, g.Kind, g.Priority, g.Urgency, g.Reward, g.Capability, g.Novelty, g.Social, g.Text)
	}
	if len(x.Offers) > 0 {
		p("could do                       priority success ticks  ⚡%s\n", map[bool]string{true: "  score chance"}[x.Offers[0].Score != nil])
	}
	for _, o := range x.Offers {
		p("  %-16s %-13s %6.3f  %5.2f  %4d %3d", o.Action, o.Goal, o.Priority, o.Success, o.Ticks, o.Spark)
		if o.Score != nil {
			p(" %6.3f %4.0f %%", *o.Score, 100**o.Chance)
		}
		p("\n")
		if o.Params != "" {
			p("      %s\n", o.Params)
		}
		if o.Text != "" {
			p("      about %s: %.100q\n", o.Author, o.Text)
		}
		if o.Lesson != "" {
			p("      learned: %s\n", o.Lesson)
		}
	}
	for i, t := range x.Thoughts {
		p("thought %d (%s, %s): %s\n", i+1, t.Model, t.Outcome, t.Text)
		if t.Error != "" {
			p("  not usable: %s\n", t.Error)
		}
	}
	switch {
	case x.NOP != "":
		p("sent nothing: %s\n", x.NOP)
	case x.Sent == "":
		p("sent nothing: an action of more than one tick was running\n")
	default:
		p("did %s", x.Sent)
		if n := len(x.Thoughts); n > 0 && x.Thoughts[n-1].Reasoning != "" {
			p(", because %q", x.Thoughts[n-1].Reasoning)
		}
		p("\ncame of it: %s", x.Outcome)
		if x.Refused != "" {
			p(" (%s)", x.Refused)
		}
		p("\nremembered: %s\n", x.Lesson)
	}
	p("then had %d ⚡, reputation %.3f\n", x.Balance, x.Reputation)
}

// actLine is an act of an agent, as --json prints it.
type actLine struct {
	Tick    uint64 `json:"tick"`
	Cycle   uint64 `json:"cycle"`
	Action  string `json:"action"`
	Goal    string `json:"goal"`
	Outcome string `json:"outcome"`
	Lesson  string `json:"lesson"`
}

// listActs prints the newest acts of an agent, the oldest of them first.
func (a *app) listActs(ctx context.Context, run *finished, dir string, id wire.AgentID) error {
	var acts []actLine
	stmt := fmt.Sprintf("SELECT tick, action, outcome, lesson FROM agent.experiences WHERE agent_id = $1 ORDER BY id DESC LIMIT %d", lastActs)
	err := run.store.Query(ctx, stmt, []any{id[:]}, func(c table.Cursor) error {
		for c.Next() {
			var tick, outcome int64
			var body, lesson []byte
			if err := c.Scan(&tick, &body, &outcome, &lesson); err != nil {
				return err
			}
			var act memory.Act
			if err := memory.DecodeAct(body, &act); err != nil {
				return fmt.Errorf("read an experience of tick %d: %w", tick, err)
			}
			acts = append(acts, actLine{
				Tick: uint64(tick), Cycle: uint64(run.config.Rules.Calendar.Cycle(wire.Tick(tick))), Action: act.Action, Goal: act.GoalKind,
				Outcome: memory.Outcome(outcome + 1).String(), Lesson: string(lesson),
			})
		}
		return c.Err()
	})
	if err != nil {
		return err
	}
	if len(acts) == 0 {
		fmt.Fprintf(a.err, "kingdom: agent %s has done nothing; kingdom tail %s --nop --dormancy --agent %s says why\n", id.Alias(), quoted(dir), id.Alias())
	}
	slices.Reverse(acts)
	for _, x := range acts {
		if a.json {
			a.jsonLine(x)
			continue
		}
		fmt.Fprintf(a.out, "cycle %d tick %d  %s", x.Cycle, x.Tick, x.Action)
		if x.Goal != "" && x.Goal != "none" {
			fmt.Fprintf(a.out, " for %s", x.Goal)
		}
		fmt.Fprintf(a.out, ": %s  (%s)\n", x.Outcome, x.Lesson)
	}
	return nil
}
