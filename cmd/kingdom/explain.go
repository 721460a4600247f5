package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/observe"
	"kingdom/wire"
)

// lastActs is how many acts explain lists without --tick.
const lastActs = 20

func newExplain(a *app) *cobra.Command {
	f := explaining{app: a}
	var tick uint64
	cmd := &cobra.Command{
		Use:   "explain RUN --agent AGENT [--tick TICK]",
		Short: "Show what an agent did at a tick, and why",
		Long: "Show what an agent saw at a tick, the goals that ended and why, its goals with the terms of their priorities, the\n" +
			"actions on offer with their scores, what it chose and why, the result, and what it remembered. Without --tick: its last\n" +
			"acts, one per line. The tick is executed again from the nearest snapshot, so any tick of any stored cycle can be\n" +
			"explained, and no model is asked. --prompt shows the messages that a model would get there, or got, and the tokens of\n" +
			"each section.\n" +
			"Below an offer are the factors that weigh in its score, from 0.05 to 1, such as know or cost (docs/AGENT.md, A slot), and\n" +
			"below a thought those in which the act differed most from the other offers. chance is how probable it was that the\n" +
			"scripted mind chooses the offer.\n" +
			"Fields of --json: agent, alias, name (if it has one), role, cycle, tick, saw[], ended[], goals[] {id, kind, text, about,\n" +
			"priority, urgency, reward, capability, novelty, social (the terms of the priority), top}, weights (of these terms),\n" +
			"offers[] {action, goal, about, author, text, params, priority, success, ticks, spark, factors[] {factor, value}, score,\n" +
			"chance, lesson}, thoughts[] {outcome, model, text, action, reasoning, decided[] {factor, value, others}, error}, sent,\n" +
			"params, nop, rest (how many more slots it rests at most, null if it does not), status_from, status_to (DORMANT if it\n" +
			"fell asleep in the slot), reason (why it did, as in docs/LOGS.md), outcome, refused, lesson, balance, reputation;\n" +
			"without --tick an object per act: tick, cycle, action, goal, outcome, lesson, subject (the id of what\n" +
			"it was about, of a system channel its name; none: it was about nothing that is there); with --prompt the fields of kingdom\n" +
			"prompt --json.",
		Example: "  kingdom explain runs/epoch0-42 --agent e4de742b\n  kingdom explain runs/epoch0-42 --agent e4de --tick 288",
		Args:    args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if f.agent == "" {
				return usagef("--agent is missing; want the agent whose acts to explain; kingdom inspect %s lists the agents", shellQuote(names[0]))
			}
			if f.dir = names[0]; cmd.Flags().Changed("tick") {
				f.tick = &tick
			}
			return f.explain(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&f.agent, "agent", "", "the agent; its number in spawn order, its name, alias or id, or the beginning of these")
	cmd.Flags().Uint64Var(&tick, "tick", 0, "the tick to explain")
	cmd.Flags().BoolVar(&f.prompt, "prompt", false, "show the messages of the thought at --tick, and the tokens of each section")
	cmd.Flags().StringVar(&f.store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

// explaining is what is to be explained.
type explaining struct {
	app    *app
	dir    string
	store  string  // as given
	agent  string  // as given
	tick   *uint64 // nil: the last acts
	prompt bool
}

// explain prints what an agent did, and why.
func (f *explaining) explain(ctx context.Context) (err error) {
	run, err := openRun(ctx, f.dir, f.store)
	if err != nil {
		return err
	}
	defer captureClose(&err, run.store.Close)
	id, err := findAgent(ctx, run, f.dir, f.agent)
	if err != nil {
		return err
	}
	if f.tick == nil {
		if f.prompt {
			return usagef("--prompt needs --tick, the tick of the thought; kingdom explain %s --agent %s lists ticks", f.dir, id.Alias())
		}
		return f.app.listActs(ctx, run, f.dir, id)
	}
	s, found := f.app.slotOf(ctx, run, f.dir, id, wire.Tick(*f.tick), f.prompt)
	if s == nil {
		return found
	}
	if err := f.app.printSlot(s, f.prompt, f.dir, id, *f.tick); err != nil {
		return err
	}
	return found // nil, or where this build diverges from the run
}

// slotOf executes the cycle of a tick again and keeps what the agent did in that tick. If this build diverges from the run
// there, the slot is returned with the error.
func (a *app) slotOf(ctx context.Context, run *openedRun, dir string, id wire.AgentID, tick wire.Tick, prompt bool) (*slotTracer, error) {
	cycle := run.config.Rules.Calendar.Cycle(tick)
	if run.state.Last == 0 {
		return nil, usagef("%s has no whole cycle yet, so no tick can be explained; kingdom inspect %s says how far it is", dir, shellQuote(dir))
	}
	if cycle == 0 || uint64(cycle) > run.state.Last {
		return nil, usagef("tick %d is in cycle %d; %s has the cycles 1 to %d; choose a tick of one of them", tick, cycle, dir, run.state.Last)
	}
	thinker := replayMind(run.scenario)
	ids, err := agentIDs(ctx, run.store)
	if err != nil {
		return nil, err
	}
	w := &slotTracer{tick: tick, index: uint64(slices.Index(ids, id) + 1), wantPrompt: prompt}
	w.explained = explainedSlot{Saw: []string{}, Ended: []explainedEnd{}, Goals: []explainedGoal{}, Offers: []explainedOffer{}, Thoughts: []explainedThought{}}
	w.scenario = run.scenario.In(uint64(cycle))
	if prompt {
		now, err := withModelSettings(dir, run.scenario)
		if err != nil {
			return nil, err
		}
		kept, err := readRefusals(dir)
		if err != nil {
			return nil, err
		}
		w.settings, w.refused = now.In(uint64(cycle)), kept.Models
	}
	only := func(of wire.AgentID) engine.Tracer {
		if of != id {
			return nil
		}
		return w
	}
	err = engine.Explain(ctx, run.config, engine.Options{Dir: dir, Store: run.store, Mind: thinker}, cycle, cycle, only)
	switch {
	case w.failed != nil:
		return nil, w.failed
	case asType[*engine.DivergenceError](err) && w.found: // the user wants to see what led to the divergence
		w.diverged = !isStoreDamage(err)
		w.explained.Agent, w.explained.Alias = id.String(), id.Alias()
	case err != nil:
		return nil, err
	case !w.found:
		why := ""
		if len(w.slots) == 0 || tick > w.slots[len(w.slots)-1] { // else it was awake
			if why, err = whyNoSlot(ctx, run, id, tick); err != nil {
				return nil, err
			}
		}
		if len(w.slots) == 0 {
			return nil, usagef("agent %s has no slot at tick %d, and none in all of cycle %d%s", id.Alias(), tick, cycle, why)
		}
		return nil, usagef("agent %s has no slot at tick %d; its slots in cycle %d are %s%s", id.Alias(), tick, cycle, ticksNear(w.slots, tick), why)
	}
	names, nameErr := namesIn(ctx, run)
	if nameErr != nil {
		return nil, nameErr
	}
	w.explained.Cycle, w.explained.Name = uint64(cycle), names[id]
	if !w.diverged && w.explained.Outcome == memory.OutcomeUnknown.String() {
		return w, w.addLateResult(ctx, run.store, id)
	}
	return w, err
}

// addLateResult reads the outcome of an act from the store if the result came after the tick, as for runs of programs
// and calls of services.
func (w *slotTracer) addLateResult(ctx context.Context, store engine.Store, id wire.AgentID) error {
	mind, err := store.LoadAgent(ctx, id)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(mind.Experiences) {
		if e.Tick == w.tick {
			w.explained.Outcome, w.explained.Lesson = memory.Outcome(e.Outcome+1).String(), string(e.Lesson)
			break
		}
	}
	return nil
}

// printSlot prints a slot, or the prompt of its thought.
func (a *app) printSlot(s *slotTracer, prompt bool, dir string, id wire.AgentID, tick uint64) error {
	switch {
	case prompt && s.prompt == nil:
		return usagef("at tick %d agent %s needed no thought; kingdom explain %s --agent %s --tick %d says why", tick, id.Alias(), dir, id.Alias(), tick)
	case prompt:
		for _, note := range s.notes {
			a.say("%s", note)
		}
		if err := a.printPrompt(s.prompt, 0, false); err != nil || a.json {
			return err
		}
		return a.printPrompt(s.prompt, 0, true)
	case a.json:
		return printJSON(a.out, &s.explained)
	}
	s.print(a)
	return nil
}

// ticksNear lists up to six ticks around t.
func ticksNear(ticks []wire.Tick, t wire.Tick) string {
	at, _ := slices.BinarySearch(ticks, t)
	from := max(at-3, 0)
	near := fmt.Sprint(ticks[from:min(from+6, len(ticks))])
	return strings.Trim(near, "[]") + fmt.Sprintf(" (%d in all)", len(ticks))
}

// mostSearched is how many cycles back whyNoSlot looks for what put an agent to sleep.
const mostSearched = 256

// whyNoSlot says since when an agent sleeps or is dead at a tick, or that it was not born; "" if nothing of that explains why
// it has no slot.
func whyNoSlot(ctx context.Context, run *openedRun, id wire.AgentID, tick wire.Tick) (string, error) {
	last := run.config.Rules.Calendar.Cycle(tick)
	for c := int64(last); c >= 0; c-- {
		if uint64(last)-uint64(c) == mostSearched {
			return "", nil
		}
		changes, err := statusChanges(ctx, run.store, wire.Cycle(c))
		if err != nil {
			return "", err
		}
		for _, e := range slices.Backward(changes) {
			if e.AgentID != id || e.Tick > tick {
				continue
			}
			switch e.NewStatus {
			case wire.StatusDormant:
				return fmt.Sprintf("; it has slept since tick %d: %s", e.Tick, observe.ReasonText(e.NewStatus.String(), e.Reason)), nil
			case wire.StatusDead:
				return fmt.Sprintf("; it died at tick %d: %s", e.Tick, observe.ReasonText(e.NewStatus.String(), e.Reason)), nil
			default:
				return "", nil
			}
		}
	}
	return "; it was not born, or had not warmed up", nil
}

// actLine is an act of an agent, as --json prints it.
type actLine struct {
	Tick    uint64 `json:"tick"`
	Cycle   uint64 `json:"cycle"`
	Action  string `json:"action"`
	Goal    string `json:"goal"`
	Outcome string `json:"outcome"`
	Lesson  string `json:"lesson"`
	Subject string `json:"subject,omitempty"` // what the act was about: an id, of a system channel its name

	Agent string `json:"-"` // alias or name of the agent that it was about
}

// listActs prints the newest acts of an agent, the oldest of them first.
func (a *app) listActs(ctx context.Context, run *openedRun, dir string, id wire.AgentID) error {
	var acts []actLine
	mind, err := run.store.LoadAgent(ctx, id)
	if err != nil {
		return err
	}
	names, err := namesIn(ctx, run)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(mind.Experiences) {
		if len(acts) == lastActs {
			break
		}
		var act memory.Act
		if err := memory.DecodeAct(e.Action, &act); err != nil {
			return fmt.Errorf("read an experience of tick %d: %w", e.Tick, err)
		}
		line := actLine{
			Tick: uint64(e.Tick), Cycle: uint64(run.config.Rules.Calendar.Cycle(e.Tick)), Action: act.Action, Goal: act.GoalKind,
			Outcome: memory.Outcome(e.Outcome + 1).String(), Lesson: string(e.Lesson),
		}
		if act.Subject != nil {
			line.about(*act.Subject, act.SubjectKind, names)
		}
		acts = append(acts, line)
	}
	if len(acts) == 0 {
		fmt.Fprintf(a.err, "kingdom: agent %s has done nothing; kingdom tail %s --nop --dormancy --agent %s says why\n", id.Alias(), shellQuote(dir), id.Alias())
	}
	slices.Reverse(acts)
	for _, x := range acts {
		if a.json {
			a.jsonLine(x)
			continue
		}
		x.print(a.out)
	}
	return nil
}

// about sets what an act was about.
func (x *actLine) about(subject wire.Hash, kind string, names map[wire.AgentID]string) {
	x.Subject = subject.String()
	if name := llm.ChannelName(subject); name != "" {
		x.Subject = "#" + name
	}
	if kind == goals.SubjectAgent.String() || kind == goals.SubjectAccount.String() {
		x.Agent = cmp.Or(names[wire.AgentID(subject)], wire.AgentID(subject).Alias())
	}
}

// subject names what the act was about, to follow its kind.
func (x *actLine) subject() string {
	switch {
	case x.Agent != "":
		return " " + x.Agent
	case strings.HasPrefix(x.Subject, "#"):
		return " " + x.Subject
	case x.Subject != "":
		return " " + x.Subject[:8]
	}
	return ""
}

// print writes the act as one line. The default lesson already says action and outcome and is printed in their place; a
// lesson in the agent's own words is added behind them.
func (x *actLine) print(w io.Writer) {
	goal := ""
	if x.Goal != "" && x.Goal != "none" {
		goal = " for " + x.Goal
	}
	switch what, came, usual := strings.Cut(x.Lesson, ": "); {
	case usual && strings.HasPrefix(what, x.Action+" on "):
		fmt.Fprintf(w, "cycle %d tick %d  %s%s%s: %s\n", x.Cycle, x.Tick, what, x.subject(), goal, came)
	case x.Lesson == "":
		fmt.Fprintf(w, "cycle %d tick %d  %s%s: %s\n", x.Cycle, x.Tick, x.Action, goal, x.Outcome)
	default:
		fmt.Fprintf(w, "cycle %d tick %d  %s%s: %s  (%s)\n", x.Cycle, x.Tick, x.Action, goal, x.Outcome, x.Lesson)
	}
}
