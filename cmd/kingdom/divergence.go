package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/memory"
	"kingdom/observe"
	"kingdom/wire"
)

// divergedError is a divergence with what its hashes do not show, one line for each thing.
type divergedError struct {
	cause *engine.DivergenceError
	lines []string
}

func (e *divergedError) Error() string {
	return e.cause.Error() + ":\n  " + strings.Join(e.lines, "\n  ")
}
func (e *divergedError) Unwrap() error { return e.cause }

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
	lines := slices.Concat(r.afterwards(), r.acted(ctx), r.advice(ctx))
	if len(lines) == 0 {
		return d
	}
	return &divergedError{d, lines}
}

// divergenceReport describes where a build diverges from a run.
type divergenceReport struct {
	run *openedRun
	dir string
	d   *engine.DivergenceError
	act *engine.DivergenceError // the tick at which something else was done: d or after it; nil: none is known
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
func (r *divergenceReport) acted(ctx context.Context) (lines []string) {
	d := r.act
	if d == nil || d.Agent.IsZero() || d.Chose == "" && d.Component != "prompt" {
		return nil
	}
	had, why := r.recordedAct(ctx)
	switch {
	case d.Component == "envelope" && had == d.Chose:
		lines = append(lines, fmt.Sprintf("the agent thought the same in both; its request %s differs", had))
	case had == "" && d.Chose == "":
		return nil
	case had == d.Chose:
		lines = append(lines, fmt.Sprintf("both have %s there: the same action with other parameters, reasoning or memory update", had))
	case had == "":
		lines = append(lines, fmt.Sprintf("this build has %s there", d.Chose))
	case d.Chose == "":
		return append(lines, fmt.Sprintf("the recorded run had %s there", had))
	default:
		lines = append(lines, fmt.Sprintf("the recorded run had %s there, this build has %s", had, d.Chose))
	}
	if d.Component == "thought" && why != "" {
		lines = append(lines, fmt.Sprintf("its reasoning as recorded: %q", why))
	}
	if d.Component == "thought" && d.Reasoning != "" {
		lines = append(lines, fmt.Sprintf("its reasoning in this build: %q", d.Reasoning))
	}
	return lines
}

// errFound ends the search in a log.
var errFound = errors.New("found")

// recordedAct returns what the agent did in the run and why: from the log of thoughts, or without it from the store, which
// does not have the reason. What cannot be read is not told: the divergence alone has to do.
func (r *divergenceReport) recordedAct(ctx context.Context) (action, reasoning string) {
	d := r.act
	opt := observe.TailOptions{Streams: []observe.Stream{observe.StreamThink}, Agent: d.Agent.String(), Since: d.Cycle}
	_ = observe.Tail(ctx, r.dir, opt, func(l observe.Line) error {
		var line struct{ Action, Reasoning string }
		switch {
		case l.Tick() > d.Tick:
			return errFound
		case l.Tick() == d.Tick && json.Unmarshal(l.Raw, &line) == nil:
			action, reasoning = line.Action, line.Reasoning
		}
		return nil
	})
	if action != "" {
		return action, reasoning
	}
	mind, err := r.run.store.LoadAgent(ctx, d.Agent)
	if err != nil {
		return "", ""
	}
	for _, e := range slices.Backward(mind.Experiences) {
		var act memory.Act
		if e.Tick == d.Tick && memory.DecodeAct(e.Action, &act) == nil {
			return act.Action, ""
		}
	}
	return "", ""
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
