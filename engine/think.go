package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kingdom/llm"
)

// think gets the thought for a prompt. One that was recorded is used again; one
// that cannot be recomputed is on disk before anybody uses it.
func (e *Engine) think(s *seat, j *job, p *llm.Prompt) (llm.Thought, error) {
	if e.recomputable {
		th, err := e.mind.Think(j.ctx, p)
		if err != nil {
			return th, e.broken(s, j, err)
		}
		return th, nil
	}
	key := thoughtKey{s.id, j.tick, p.Purpose, p.Try}
	if r, ok := e.recorded[key]; ok {
		return r.thought(), nil
	}
	if e.readonly {
		return llm.Thought{}, &DivergenceError{
			Cycle: j.cycle, Tick: j.tick, Agent: s.id, Component: "thought",
			Want: "none", Got: fmt.Sprintf("asked for (%s, try %d)", p.Purpose, p.Try),
		}
	}
	th, err := e.askMind(j.ctx, p, min(e.cfg.ThinkTimeout, time.Until(s.deadline)))
	if err != nil {
		return th, e.broken(s, j, err)
	}
	if outage(th.Outcome) && e.cfg.OnOutage == OutagePause {
		return th, &PausedError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Reason: th.Outcome.String() + suffix(th.Error), Dir: e.dir}
	}
	return th, e.record(recordThought, true, func(b []byte) []byte {
		r := newThoughtRecord(key, &th)
		return thoughtCodec.Append(b, &r)
	})
}

// askMind asks within limit. A time-out is a thought.
func (e *Engine) askMind(ctx context.Context, p *llm.Prompt, limit time.Duration) (llm.Thought, error) {
	if e.thinkers != nil {
		select {
		case e.thinkers <- struct{}{}:
			defer func() { <-e.thinkers }()
		case <-ctx.Done():
			return llm.Thought{}, ctx.Err()
		}
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	th, err := e.mind.Think(limited, p)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return llm.Thought{Outcome: llm.TimedOut, Error: fmt.Sprintf("no answer within %v", limit)}, nil
	}
	return th, err
}

// outage reports whether an outcome means that the provider is away.
func outage(o llm.Outcome) bool { return o == llm.TimedOut || o == llm.ProviderError }

func suffix(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// broken turns a mind's error into the engine's; the end of the context stays what it is.
func (e *Engine) broken(s *seat, j *job, err error) error {
	if j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	return &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: "think", Err: err}
}
