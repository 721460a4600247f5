package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/spend"
	"kingdom/observe"
	"kingdom/wire"
)

func newInspect(a *app) *cobra.Command {
	f := inspecting{app: a}
	cmd := &cobra.Command{
		Use:   "inspect RUN",
		Short: "Show the world and the agents of a run at the end of a cycle",
		Long: "Show the world and the agents of a run at the end of its last cycle, or of --cycle N, which is reconstructed from the\n" +
			"nearest snapshot. The first line gives the status of the run: running, finished, interrupted, paused, failed, or\n" +
			"stopped, if its process ended without recording a status. Fields of --json: scenario, seed, physics, status, cause\n" +
			"(why it stopped, if it has not finished), wait {cycle, tick, since, waiting, agents[] {number, alias, id, since}}\n" +
			"(while a tick waits for answers of models for more than some seconds: how many, and whose), minds and on_miss (of a\n" +
			"run that reuses recorded answers, as the flags of run), portal (of a run with --portal: what it says), last_cycle,\n" +
			"cycle, epoch, world_hash, envelope_chain, agents[]\n" +
			"{number (in spawn order), id, alias, name (if the scenario gives one), role, status, dormant_since and dormant_reason\n" +
			"(of a sleeper: the tick at which it fell asleep, and why, as in docs/LOGS.md), held_until (of a sleeper that an input\n" +
			"keeps asleep: the cycle in which it is awake again), dead_since and dead_reason (of a dead agent: likewise), balance,\n" +
			"reputation, nop_streak, goals[] {id, layer, source, kind, text, priority, status, created_at, deadline}, goals_refused\n" +
			"(goals for which there was no room, since the agent was born)}; if models were asked also spend, fallbacks,\n" +
			"unanswered and unanswered_by (the last three if they are not 0), as in the summary of run, but since the run began up\n" +
			"to this cycle, and in spend agents[], the five most expensive ones, with their names; without --cycle and --agent they\n" +
			"include a cycle that is not finished. For a fork also forked_from {run, cycle, world_hash, scenario_digest}. For a run with inputs of kingdom input\n" +
			"also inputs_from_outside[] {cycle, tick, input, refused}, and inputs_waiting[] with those that have not taken effect\n" +
			"yet. For a run whose scenario plans inputs also inputs_planned and inputs_refused[], as in the summary of run.\n\n" +
			"What an agent saw, thought, did and got at one tick: kingdom explain RUN --agent AGENT --tick TICK.\n\n" +
			"--repos instead reads all branches of all repos and checks that every object is intact and every signature valid; the\n" +
			"exit code is 1 if one is not. Fields of its --json: branches[] {repo, name, owner, branch, snaps, head, error}.",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			if err := refuseEmptyAgent(cmd); err != nil {
				return err
			}
			f.dir = names[0]
			if f.run, err = openRun(cmd.Context(), f.dir, f.store); err != nil {
				return err
			}
			defer captureClose(&err, f.run.store.Close)
			if err := checkStored(cmd.Context(), f.run, f.dir); err != nil {
				return err
			}
			return f.inspect(cmd)
		},
	}
	cmd.Flags().StringVar(&f.agent, "agent", "", "only this agent, with its goals; its number in spawn order, its name, alias or id, or the beginning of these; the name of a group: all of its agents")
	cmd.Flags().BoolVar(&f.repos, "repos", false, "check contents and signatures of all repos")
	cmd.Flags().Int64Var(&f.cycle, "cycle", -1, "the end of this cycle instead of the last")
	cmd.Flags().StringVar(&f.store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

// inspecting is a run that is looked at.
type inspecting struct {
	app          *app
	dir          string
	agent, store string // as given
	cycle        int64  // as given; negative: the last
	repos        bool
	run          *openedRun
	only         []wire.AgentID // nil: all
	named        map[wire.AgentID]string
}

// at returns the cycle at whose end the run is looked at.
func (f *inspecting) at(cmd *cobra.Command) (wire.Cycle, error) {
	switch last := f.run.state.Last; {
	case f.cycle < 0 && cmd.Flags().Changed("cycle"):
		return 0, usagef("--cycle is %d; want a cycle from 0 to %d, or leave it out for the last", f.cycle, last)
	case f.cycle < 0:
		return engine.LastCycle, nil
	case uint64(f.cycle) > last:
		return 0, usagef("%[1]s has reached cycle %[2]d, so there is no cycle %[3]d; want a cycle from 0 to %[2]d", f.dir, last, f.cycle)
	}
	return wire.Cycle(f.cycle), nil
}

// inspect reconstructs the world and prints it, or checks its repos.
func (f *inspecting) inspect(cmd *cobra.Command) (err error) {
	ctx := cmd.Context()
	at, err := f.at(cmd)
	if err != nil {
		return err
	}
	if f.repos && f.agent != "" {
		return usagef("--repos checks the repos of all agents; leave out --agent or --repos")
	}
	eng, err := f.reconstruct(ctx, at)
	if err != nil {
		return err
	}
	defer captureClose(&err, eng.Close)
	if f.repos {
		return f.app.printRepos(engine.CheckRepos(ctx, eng), f.dir)
	}
	in, planned, costs, err := f.look(ctx, eng)
	if err != nil {
		return err
	}
	if f.app.json {
		return printJSON(f.app.out, in)
	}
	f.print(&in, planned, costs)
	return nil
}

// reconstruct finds the agents that are looked at, and reconstructs the world at the end of a cycle.
func (f *inspecting) reconstruct(ctx context.Context, at wire.Cycle) (_ *engine.Engine, err error) {
	if f.agent != "" {
		if f.only, err = findAgents(ctx, f.run, f.dir, f.agent); err != nil {
			return nil, err
		}
	}
	return engine.OpenAt(ctx, f.run.config, engine.Options{
		Dir: f.dir, Store: f.run.store, Mind: replayMind(f.run.scenario), Warn: func(msg string) { f.app.say("%s", msg) },
	}, at)
}

// look returns what there is to see in a reconstructed world: agents, inputs, and what their minds cost.
func (f *inspecting) look(ctx context.Context, eng *engine.Engine) (in inspectionJSON, planned plannedResult, costs inspectedCosts, err error) {
	if f.named, err = namesIn(ctx, f.run); err != nil {
		return in, planned, costs, err
	}
	if in, err = f.state(ctx, eng); err != nil {
		return in, planned, costs, err
	}
	if planned, err = f.addInputs(ctx, &in); err != nil {
		return in, planned, costs, err
	}
	costs, err = f.addCosts(ctx, &in)
	return in, planned, costs, err
}

// state returns the world and the agents, and the state of the run.
func (f *inspecting) state(ctx context.Context, eng *engine.Engine) (in inspectionJSON, err error) {
	run := f.run
	in = toInspection(eng.Inspect(), f.only, f.named)
	in.Status, in.Cause, in.LastCycle = run.state.Status, run.state.Cause, run.state.Last
	in.Minds, in.OnMiss, in.Portal = run.file.Minds, run.file.OnMiss, run.file.Portal
	if f.cycle < 0 && run.state.Status == engine.StatusRunning {
		in.Wait = observe.ReadWait(f.dir)
	}
	if err := in.addReasons(ctx, run.store, run.config.Rules.Calendar); err != nil {
		f.app.say("why agents sleep cannot be told: %v", err)
	}
	if err := in.addDeaths(ctx, run.store); err != nil {
		f.app.say("why agents are dead cannot be told: %v", err)
	}
	if in.Fork, err = readOrigin(f.dir); err != nil {
		return in, err
	}
	if f.agent != "" && len(in.Agents) == 0 {
		return in, usagef("agent %s of %s did not exist yet at the end of cycle %d; choose a later --cycle", f.only[0].Alias(), f.dir, in.Cycle)
	}
	return in, nil
}

// addInputs adds the inputs that came from outside, and what became of those that were planned.
func (f *inspecting) addInputs(ctx context.Context, in *inspectionJSON) (planned plannedResult, err error) {
	run, to := f.run, wire.Cycle(in.Cycle)
	if in.Outside, err = outsideInputs(ctx, run.store, f.dir, &run.config, to); err != nil {
		return planned, err
	}
	if planned, err = plannedInputResult(ctx, run.store, f.dir, run.scenario, &run.config, to); err != nil {
		return planned, err
	}
	in.Planned, in.Refused = planned.due, planned.refused
	if f.cycle < 0 {
		in.Waiting, err = waitingInputs(f.dir, in.Outside)
	}
	return planned, err
}

// inspectedCosts is what the answers of models cost and what came of them.
type inspectedCosts struct {
	spent    *spend.Totals
	more     uint64
	thoughts *modelAnswers
}

// addCosts adds what the answers of models cost, and how often there was none.
func (f *inspecting) addCosts(ctx context.Context, in *inspectionJSON) (c inspectedCosts, err error) {
	run, to := f.run, wire.Cycle(in.Cycle)
	if c.spent, err = spentBy(ctx, run, wire.Cycle(in.Fork.firstOwn()), to, f.only); err != nil {
		return c, err
	}
	if f.cycle < 0 && f.agent == "" {
		to = engine.LastCycle
		if c.spent, c.more, err = spentInAll(f.dir, c.spent, run.state.Status == engine.StatusRunning); err != nil {
			return c, err
		}
	}
	if c.thoughts, err = modelThoughts(run.scenario, &run.config, f.dir, to, f.only); err != nil {
		return c, err
	}
	if c.spent == nil && c.thoughts.anyReused() {
		c.spent = &spend.Totals{} // others paid
	}
	if t := c.thoughts; t != nil {
		in.Fallbacks, in.Unanswered, in.Idle = t.Replaced, t.IdleSlots(), whyIdle(t.Idle)
	}
	in.Spend = toSpend(c.spent, c.thoughts, f.named)
	return c, nil
}

// print writes what was found as text.
func (f *inspecting) print(in *inspectionJSON, planned plannedResult, c inspectedCosts) {
	a := f.app
	fmt.Fprintf(a.out, "%s: %s\n", f.dir, f.run.state.text(f.dir))
	if in.Cause != "" {
		fmt.Fprintf(a.out, "cause         %s\n", in.Cause)
	}
	if in.Wait != nil {
		fmt.Fprintf(a.out, "in progress   %s\n", in.Wait.Text(f.named, time.Now()))
	}
	if in.Minds != "" {
		fmt.Fprintf(a.out, "thoughts      %s\n", recordingOf(&f.run.file).text(f.dir))
	}
	if in.Portal != "" {
		fmt.Fprintf(a.out, "web requests  answered as --%s %s says\n", portalFlag, in.Portal)
	}
	if in.Fork != nil {
		fmt.Fprintf(a.out, "forked from %s at cycle %d\n", in.Fork.Run, in.Fork.Cycle)
	}
	writeOutside(a.out, "from outside  ", in.Outside, math.MaxInt, f.dir)
	planned.write(a.out, "refused       ", math.MaxInt, f.dir)
	for _, text := range in.Waiting {
		fmt.Fprintf(a.out, "waits         %s\n", text)
	}
	a.printInspection(*in, f.dir, f.agent != "")
	if len(in.Agents) == 1 && f.only != nil {
		fmt.Fprintf(a.out, "what it did, and why: kingdom explain %s --agent %s (--tick TICK shows all about one tick)\n", shellQuote(f.dir), in.Agents[0].Alias)
	}
	if in.Unanswered > 0 {
		fmt.Fprintf(a.out, "idle          %s\n", idleText(in.Idle, f.dir))
	}
	if in.Fallbacks > 0 {
		fmt.Fprintf(a.out, "outage        the scripted mind replaced the models for %s\n", llm.Count(uint64(in.Fallbacks), "thought"))
	}
	a.printSpent(c.spent, c.thoughts, c.more, f.named, f.dir)
}
