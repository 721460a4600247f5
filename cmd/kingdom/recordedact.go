package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/memory"
	"kingdom/observe"
	"kingdom/wire"
)

// recordedAct is what an agent did at a tick and why, as a run has it: in its logs, or without them in its store, which does
// not have the reason.
type recordedAct struct {
	Action    string    `json:"action,omitempty"`    // or the reason of a slot without an act; empty: not known, or the agent rested
	Reasoning string    `json:"reasoning,omitempty"` // empty: not known
	Rests     wire.Tick `json:"rests_since,omitempty"`
}

// restAction is the action of an agent that begins to rest, or rests since an earlier slot.
const restAction = "rest"

// errFound ends the search in a log.
var errFound = errors.New("found")

// recordedActOf looks an act up. What cannot be read is not told: a difference alone has to do.
func recordedActOf(ctx context.Context, run *openedRun, dir string, agent wire.AgentID, tick wire.Tick) (act recordedAct) {
	cycle := run.config.Rules.Calendar.Cycle(tick)
	opt := observe.TailOptions{Streams: []observe.Stream{observe.StreamThink, observe.StreamNOP}, Agent: agent.String(), Since: cycle}
	var thought, slot recordedAct
	_ = observe.Tail(ctx, dir, opt, func(l observe.Line) error {
		var line struct{ Action, Reasoning, Reason, Class string }
		switch at := l.Tick(); {
		case at > tick:
			return errFound
		case json.Unmarshal(l.Raw, &line) != nil:
		case l.Stream == observe.StreamNOP && l.Rest() && at < tick:
			slot.Rests = at
		case at < tick:
			if slot.Rests < at {
				slot.Rests = 0
			}
		case l.Stream == observe.StreamThink:
			thought = recordedAct{Action: line.Action, Reasoning: line.Reasoning}
		case !l.Rest():
			slot = recordedAct{Action: line.Reason}
		}
		return nil
	})
	if thought.Action != "" {
		return thought
	}
	if slot.Action != "" {
		return slot
	}
	if mind, err := run.store.LoadAgent(ctx, agent); err == nil {
		for _, e := range slices.Backward(mind.Experiences) {
			var done memory.Act
			if e.Tick == tick && memory.DecodeAct(e.Action, &done) == nil {
				return recordedAct{Action: done.Action}
			}
		}
	}
	return slot
}

// text says what was done and why, in one line; empty if it is not known.
func (r *recordedAct) text() string {
	switch {
	case r.Action == restAction && r.Reasoning == "":
		return "rests"
	case r.Action != "" && r.Reasoning != "":
		return fmt.Sprintf("%s: %q", r.Action, r.Reasoning)
	case r.Action != "":
		return r.Action
	case r.Rests > 0:
		return fmt.Sprintf("rests since tick %d", r.Rests)
	}
	return ""
}

// thoughtless reports whether a value of a difference in a thought stands for a slot in which there was none.
func thoughtless(d *engine.DivergenceError, value string) bool {
	return d.Component == "thought" && strings.Trim(value, "0…") == ""
}
