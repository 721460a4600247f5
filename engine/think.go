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

// thinker gets thoughts from the journal if they are recorded, else from the mind.
type thinker struct {
	mind         Mind
	recomputable bool          // in the open cycle
	readonly     bool          // only recomputable thoughts are asked for, others come from the journal
	inFlight     chan struct{} // semaphore of thoughts in flight; nil: no bound
	timeout      time.Duration // of one thought
	onOutage     Outage
	fallback     Mind          // thinks instead in an outage, if the policy says so
	fallbacks    atomic.Uint64 // thoughts of fallback
	dir          string        // of the run, for messages
	journal      *runJournal
	facts        sync.Pool // of *llm.Facts, buffers for making prompts
	waits        waits
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

// think returns the thought for a prompt. A recorded thought is used again; a new one that cannot be recomputed is on
// disk before it is used. buf is a buffer for the text of the prompt.
func (k *thinker) think(s *seat, j *job, p *llm.Prompt, buf *llm.Rendered) (llm.Thought, error) {
	if k.recomputable {
		th, err := k.mind.Think(j.ctx, p)
		if err != nil {
			return th, mindError(s, j, err)
		}
		return th, nil
	}
	key, prompt := thoughtKey{s.id, j.tick, p.Purpose, p.Try}, k.promptHash(p, buf)
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
	defer k.waits.begin(j, s.id, p.SpawnIndex)() // also if the mind panics
	th, err := k.askMind(j.ctx, s, p)
	if err != nil {
		return th, mindError(s, j, err)
	}
	if th.Outcome == llm.Interrupted && j.ctx.Err() != nil {
		return th, j.ctx.Err() // not recorded: a resumed run asks again, so that no slot is lost by a stop
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
	return r.thought(), k.journal.thought(&r) // what a resumed run reads
}

// promptHash returns the hash of a prompt, whose text it writes to buf.
func (k *thinker) promptHash(p *llm.Prompt, buf *llm.Rendered) wire.Hash {
	f, ok := k.facts.Get().(*llm.Facts)
	if !ok {
		f = new(llm.Facts)
	}
	defer k.facts.Put(f)
	return p.HashInto(buf, f)
}

// askMind asks the mind, within the time of a thought and the rest of SlotTimeout. Waiting for Config.Thinkers does not
// count, nor does the time that a [SelfTimedMind] waits. A timeout is returned as a thought.
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

// askFallback asks Options.Fallback. The thought has the failure and the costs of the mind that had the outage.
func (k *thinker) askFallback(ctx context.Context, p *llm.Prompt, failed *llm.Thought) (llm.Thought, error) {
	if k.fallback == nil {
		return llm.Thought{}, errors.New("on_outage is fallback, but Options.Fallback is not set; set it, or choose another on_outage")
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

// timeoutThought turns a mind's error into a thought if its time was over.
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

// mindError wraps a mind's error in an [*AgentError]; if the context has ended, it returns the error of the context.
func mindError(s *seat, j *job, err error) error {
	if j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	return &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: "think", Err: err}
}
