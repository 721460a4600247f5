package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"kingdom/llm"
	"kingdom/wire"
)

// thinker asks the mind, or the journal for what the mind said before.
type thinker struct {
	mind         Mind
	recomputable bool          // in the open cycle
	readonly     bool          // no mind is asked whose thoughts are in the journal
	inFlight     chan struct{} // one place per thought in flight; nil: no bound
	timeout      time.Duration // of one thought
	onOutage     Outage
	fallback     Mind          // thinks instead in an outage, if the policy says so
	fallbacks    atomic.Uint64 // thoughts of fallback
	dir          string        // of the run, for messages
	journal      *runJournal
	facts        sync.Pool // *llm.Facts: room to draw prompts up
}

func newThinker(cfg *Config, opt *Options, readonly bool, j *runJournal) *thinker {
	k := &thinker{
		mind: opt.Mind, readonly: readonly,
		timeout: cfg.ThinkTimeout, onOutage: cfg.OnOutage, fallback: opt.Fallback, dir: opt.Dir, journal: j,
	}
	if cfg.Thinkers > 0 {
		k.inFlight = make(chan struct{}, cfg.Thinkers)
	}
	return k
}

// startCycle prepares the thinker for a cycle.
func (k *thinker) startCycle(c wire.Cycle) { k.recomputable = recomputable(k.mind, c) }

// think gets the thought for a prompt. One that was recorded is used again; one
// that cannot be recomputed is on disk before anybody uses it. The prompt is written on sheet,
// if it needs to be written.
func (k *thinker) think(s *seat, j *job, p *llm.Prompt, sheet *llm.Sheet) (llm.Thought, error) {
	if k.recomputable {
		th, err := k.mind.Think(j.ctx, p)
		if err != nil {
			return th, mindError(s, j, err)
		}
		return th, nil
	}
	key, prompt := thoughtKey{s.id, j.tick, p.Purpose, p.Try}, k.promptHash(p, sheet)
	if r, ok := k.journal.answers[key]; ok {
		if !r.Prompt.IsZero() && r.Prompt != prompt {
			return llm.Thought{}, &DivergenceError{
				Cycle: j.cycle, Tick: j.tick, Agent: s.id, Component: "prompt", Want: r.Prompt.String(), Got: prompt.String(),
			}
		}
		return r.thought(), nil
	}
	if k.readonly && k.journal.history.ended() {
		return llm.Thought{}, &UncomparedError{Dir: k.dir, From: j.cycle}
	}
	if k.readonly {
		return llm.Thought{}, &DivergenceError{
			Cycle: j.cycle, Tick: j.tick, Agent: s.id, Component: "thought",
			Want: "none", Got: fmt.Sprintf("asked for (%s, try %d)", p.Purpose, p.Try),
		}
	}
	th, err := k.askMind(j.ctx, s, p)
	if err != nil {
		return th, mindError(s, j, err)
	}
	if th.Capped != nil {
		return th, &CapError{Capped: *th.Capped, Agent: s.id, Cycle: j.cycle, Tick: j.tick, Dir: k.dir}
	}
	if th.Outage && k.onOutage == OutagePause {
		return th, &PausedError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Reason: th.Outcome.String() + suffix(th.Error), Dir: k.dir}
	}
	if th.Outage && k.onOutage == OutageFallback {
		if th, err = k.askFallback(j.ctx, p, &th); err != nil {
			return th, mindError(s, j, err)
		}
	}
	r := newThoughtRecord(key, prompt, &th)
	return r.thought(), k.journal.thought(&r) // as a resumed run reads it
}

// promptHash draws a prompt up.
func (k *thinker) promptHash(p *llm.Prompt, sheet *llm.Sheet) wire.Hash {
	f, ok := k.facts.Get().(*llm.Facts)
	if !ok {
		f = new(llm.Facts)
	}
	defer k.facts.Put(f)
	return p.HashOn(sheet, f)
}

// askMind asks for as long as a thought may take and the slot has left; waiting for a place
// among the thinkers does not count, nor does what a [SelfTimedMind] mind waits for. A time-out is
// a thought.
func (k *thinker) askMind(ctx context.Context, s *seat, p *llm.Prompt) (llm.Thought, error) {
	if k.inFlight != nil {
		select {
		case k.inFlight <- struct{}{}:
			defer func() { <-k.inFlight }()
		case <-ctx.Done():
			return llm.Thought{}, ctx.Err()
		}
	}
	rest := SlotTimeout - s.thinkTime
	if m, ok := k.mind.(SelfTimedMind); ok {
		th, used, err := m.ThinkWithin(ctx, p, rest)
		s.thinkTime += used
		return timeoutThought(ctx, th, err, rest)
	}
	limit, begin := min(k.timeout, rest), time.Now()
	defer func() { s.thinkTime += time.Since(begin) }()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	th, err := k.mind.Think(limited, p)
	return timeoutThought(ctx, th, err, limit)
}

// askFallback is a thought of the other mind, with why it was asked and what asking the first
// one took.
func (k *thinker) askFallback(ctx context.Context, p *llm.Prompt, failed *llm.Thought) (llm.Thought, error) {
	if k.fallback == nil {
		return llm.Thought{}, errors.New("the mind is out and Options.Fallback is missing; set it, or choose another on_outage")
	}
	th, err := k.fallback.Think(ctx, p)
	if err != nil {
		return th, fmt.Errorf("ask the fallback mind: %w", err)
	}
	k.fallbacks.Add(1)
	th.Fallback, th.Error = true, failed.Outcome.String()+suffix(failed.Error)
	th.Calls, th.Spent = failed.Calls, failed.Spent
	return th, nil
}

// timeoutThought makes a thought of the error of a mind whose time was over.
func timeoutThought(ctx context.Context, th llm.Thought, err error, limit time.Duration) (llm.Thought, error) {
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return llm.Thought{Outcome: llm.TimedOut, Error: fmt.Sprintf("no answer within %v", limit)}, nil
	}
	return th, err
}

func suffix(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// mindError turns a mind's error into the engine's; the end of the context stays what it is.
func mindError(s *seat, j *job, err error) error {
	if j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	return &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: "think", Err: err}
}
