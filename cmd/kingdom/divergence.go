package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/wire"
)

// divergedError is a divergence with what its hashes do not show, one line for each thing.
type divergedError struct {
	cause    *engine.DivergenceError
	recorded recordedAct // what the agent did in the run
	lines    []string
}

func (e *divergedError) Error() string {
	return e.cause.Error() + ":\n  " + strings.Join(e.lines, "\n  ")
}
func (e *divergedError) Unwrap() error { return e.cause }

// divergenceOf is what --json has of the divergence that err is: what divergence has of d, and what the agent did in the run,
// if that was looked up.
func divergenceOf(err error, d *engine.DivergenceError) map[string]any {
	m := divergence(d)
	if e, ok := asError[*divergedError](err); ok && e.recorded != (recordedAct{}) {
		act := m
		if after, ok := m["after"].(map[string]any); ok && d.Tick == 0 {
			act = after["act"].(map[string]any)
		}
		act["recorded"] = e.recorded
	}
	return m
}

// explainDivergence adds to a divergence of a replay what its hashes do not show: which agent acted differently and how, as
// far as that is known, and the commands that lead on.
func explainDivergence(ctx context.Context, run *openedRun, dir string, d *engine.DivergenceError) error {
	if d.Stored {
		return d
	}
	r := divergenceReport{run: run, dir: dir, d: d, act: d}
	if d.Tick == 0 {
		if r.act = nil; d.After != nil {
			r.act = d.After.Act
		}
	}
	if r.act != nil && !r.act.Agent.IsZero() {
		r.recorded = recordedActOf(ctx, run, dir, r.act.Agent, r.act.Tick)
	}
	lines := slices.Concat(r.afterwards(), r.acted(), r.advice(ctx))
	if len(lines) == 0 {
		return d
	}
	return &divergedError{d, r.recorded, lines}
}

// divergenceReport describes where a build diverges from a run.
type divergenceReport struct {
	run *openedRun
	dir string
	d   *engine.DivergenceError
	act *engine.DivergenceError // the tick at which something else was done: d or after it; nil: none is known

	recorded recordedAct // what the agent of act did in the run
}

// afterwards tells what came after a difference at the end of a cycle.
func (r *divergenceReport) afterwards() (lines []string) {
	after := r.d.After
	if after == nil {
		return nil
	}
	switch act := after.Act; {
	case act != nil && act.Agent.IsZero():
		lines = append(lines, fmt.Sprintf("first seen in what agents did: cycle %d tick %d, %s", act.Cycle, act.Tick, act.Component))
	case act != nil:
		lines = append(lines, fmt.Sprintf("first seen in what an agent did: cycle %d tick %d agent %s, %s", act.Cycle, act.Tick, act.Agent.Alias(), act.Component))
	default:
		lines = append(lines, fmt.Sprintf("up to the end of cycle %d no agent thought or sent anything else", after.Until))
	}
	if after.Stopped != nil {
		lines = append(lines, fmt.Sprintf("what came after cycle %d could not be compared: %v", after.Until, after.Stopped))
	}
	if s := after.States; s != nil {
		lines = append(lines, fmt.Sprintf("at the end of cycle %d %s in another state: %s", s.Cycle, pluralVerb(s.Count, "agent is", "agents are"), agentStates(s)))
	}
	return lines
}

// agentStates lists agents with what differs of them.
func agentStates(s *engine.StateDifference) string {
	var list []string
	for _, a := range s.Agents {
		what := "only one of the two has it"
		if a.Parts != nil {
			what = strings.Join(a.Parts, ", ")
		}
		list = append(list, fmt.Sprintf("%s (%s)", a.Agent.Alias(), what))
	}
	if more := s.Count - len(s.Agents); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

// pluralVerb counts things with the verb that follows.
func pluralVerb(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// acted says what the agent did in the run and what it does now, and why.
func (r *divergenceReport) acted() (lines []string) {
	d, rec := r.act, &r.recorded
	if d == nil || d.Agent.IsZero() {
		return nil
	}
	had, now := rec.Action, d.Chose
	if thoughtless(d, d.Want) {
		had = cmp.Or(rec.text(), "no thought")
	}
	if now == "" && thoughtless(d, d.Got) {
		now = "no thought"
	}
	switch {
	case had == "" && now == "", now == "" && d.Component != "prompt":
		return nil
	case d.Component == "envelope" && had == now:
		lines = append(lines, fmt.Sprintf("the agent thought the same in both; its request %s differs", had))
	case had == now:
		lines = append(lines, fmt.Sprintf("both have %s there: the same action with other parameters, reasoning or memory update", had))
	case had == "":
		lines = append(lines, fmt.Sprintf("this build has %s there", now))
	case now == "":
		return append(lines, fmt.Sprintf("the recorded run had %s there", had))
	case rec.Action == "" && rec.Rests > 0:
		lines = append(lines, fmt.Sprintf("in the recorded run the agent %s; this build has %s there", had, now))
	default:
		lines = append(lines, fmt.Sprintf("the recorded run had %s there, this build has %s", had, now))
	}
	if d.Component == "thought" && rec.Reasoning != "" {
		lines = append(lines, fmt.Sprintf("its reasoning as recorded: %q", rec.Reasoning))
	}
	if d.Component == "thought" && d.Reasoning != "" {
		lines = append(lines, fmt.Sprintf("its reasoning in this build: %q", d.Reasoning))
	}
	return lines
}

// advice names the commands that lead on. With this build they fail for a cycle from the divergence on, so then they need
// the build that wrote the run, or a new run of this build.
func (r *divergenceReport) advice(ctx context.Context) (lines []string) {
	run, d, act := shellQuote(r.dir), r.d, r.act
	writer := "the build that wrote the run"
	if d.WrittenBy != "" {
		writer = "kingdom " + d.WrittenBy
	}
	var who string
	var at wire.Cycle
	switch s := statesOf(d); {
	case act != nil && !act.Agent.IsZero():
		who, at = act.Agent.Alias(), act.Cycle
	case act == nil && s != nil:
		who, at = s.Agents[0].Agent.Alias(), s.Cycle
	default:
		return nil
	}
	again := filepath.Clean(r.dir) + "-now"
	look := fmt.Sprintf("--agent %s --cycle %d", who, at)
	command := "inspect"
	if act != nil {
		look, command = fmt.Sprintf("--agent %s --tick %d", who, act.Tick), "explain"
		if act.Component == "prompt" {
			look += " --prompt"
		}
	}
	switch {
	case act == d && act.Component != "prompt":
		lines = append(lines,
			fmt.Sprintf("to see what led to it in this build: kingdom explain %s %s (with %s: in the run)", run, look, writer),
			fmt.Sprintf("the agent before that cycle: kingdom inspect %s --agent %s --cycle %d", run, who, at-1))
	case act == d:
		lines = append(lines, fmt.Sprintf("to see the prompt of this build: kingdom explain %s %s (with %s: that of the run)", run, look, writer))
	default:
		lines = append(lines, fmt.Sprintf("to see it in the run, with %s: kingdom %s %s %s", writer, command, run, look))
		if r.scenarioSuffices(ctx) {
			lines = append(lines, fmt.Sprintf("to see it in this build: kingdom run %s --cycles %d --out %s, then kingdom %s %s %s",
				shellQuote(filepath.Join(r.dir, scenarioFile)), at, shellQuote(again), command, shellQuote(again), look))
		}
	}
	return lines
}

// scenarioSuffices reports whether the scenario alone repeats the run: no model was asked, and no input came from outside.
func (r *divergenceReport) scenarioSuffices(ctx context.Context) bool {
	outside, err := outsideInputs(ctx, r.run.store, r.dir, &r.run.config, wire.Cycle(r.run.state.Last))
	return err == nil && len(outside) == 0 && len(usedModels(r.run.scenario)) == 0
}

// statesOf returns which agents were found in another state; nil if none were.
func statesOf(d *engine.DivergenceError) *engine.StateDifference {
	if d.After == nil {
		return nil
	}
	return d.After.States
}

// divergence is what --json has of a divergence. Keys whose value is not known are left out.
func divergence(d *engine.DivergenceError) map[string]any {
	m := map[string]any{"cycle": d.Cycle, "component": d.Component, "want": d.Want, "got": d.Got}
	text := func(key, value string) {
		if value != "" {
			m[key] = value
		}
	}
	if d.Tick != 0 {
		m["tick"] = d.Tick
	}
	if !d.Agent.IsZero() {
		m["agent"] = d.Agent.String()
	}
	text("chose", d.Chose)
	text("reasoning", d.Reasoning)
	if d.WrittenBy != "" {
		m["written_by"] = d.WrittenBy
		text("this_build", d.ThisBuild)
	}
	after := d.After
	if after == nil {
		return m
	}
	then := map[string]any{"until": after.Until}
	if after.Act != nil {
		then["act"] = divergence(after.Act)
	}
	if after.Stopped != nil {
		then["not_compared"] = after.Stopped.Error()
	}
	if s := after.States; s != nil {
		agents := []map[string]any{}
		for _, a := range s.Agents {
			agents = append(agents, map[string]any{"agent": a.Agent.String(), "parts": append([]string{}, a.Parts...)})
		}
		then["states"] = map[string]any{"cycle": s.Cycle, "count": s.Count, "agents": agents}
	}
	m["after"] = then
	return m
}
