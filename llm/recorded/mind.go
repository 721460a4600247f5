package recorded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"kingdom/llm"
	"kingdom/wire"
)

// Source returns recorded thoughts in the order of their ticks, and io.EOF after the last.
type Source interface {
	Next() (llm.Recorded, error)
}

// Asker is asked for thoughts that are not recorded.
type Asker interface {
	ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error)
}

// Mind repeats recorded thoughts. It is safe for concurrent use.
type Mind struct {
	// Run is the directory of the recorded run, quoted for the shell, for messages; empty if it is not known.
	Run string

	miss Asker

	mu       sync.Mutex
	source   Source
	next     llm.Recorded // the first thought after tick; Purpose is empty if there is none
	last     wire.Tick    // tick of the last thought that was read
	started  bool
	tick     wire.Tick // the tick whose thoughts are in memory
	thoughts map[key]llm.Recorded
	counts   Counts
}

type key struct {
	agent   wire.AgentID
	purpose string
	try     uint32
}

// Counts are how many thoughts of a run were reused and how many were not.
type Counts struct {
	Reused uint64 // answers of models
	Empty  uint64 // recorded without an answer of a model, and repeated so
	Missed uint64 // asked of the other mind
}

// New returns a mind that reads source as the ticks proceed and asks miss for answers that source does not have. Those
// are the thoughts that are not recorded, that were recorded for another prompt, or that brought no answer of a model (a
// cap, a timeout, an outage). If miss is nil, a thought without an answer is repeated as it was, and the others are a
// [*MissError].
func New(source Source, miss Asker) *Mind {
	return &Mind{source: source, miss: miss, thoughts: map[key]llm.Recorded{}}
}

// MissError says that a thought is not recorded, or was recorded for another prompt.
type MissError struct {
	Agent   wire.AgentID
	Tick    wire.Tick
	Purpose string
	Try     uint32
	Want    wire.Hash // of the recorded prompt; zero: nothing is recorded
	Got     wire.Hash // of the prompt
	Over    bool      // nothing is recorded from here on
	Last    wire.Tick // of the record, if it is over
	Run     string    // directory of the recorded run, quoted for the shell; empty: not known, or it is a cassette
}

// Error implements error.
func (e *MissError) Error() string {
	why := "nothing is recorded for it"
	switch {
	case e.Over:
		why = fmt.Sprintf("the recording ends with tick %d", e.Last)
	case !e.Want.IsZero():
		why = fmt.Sprintf("its prompt is another one than the recorded one (its hash is %s, that of the recorded one %s)", e.Got, e.Want)
		if e.Run != "" {
			why += fmt.Sprintf("; kingdom explain %s --agent %s --tick %d --prompt shows the recorded one if the build that wrote the run is used, and that of this build with this one",
				e.Run, e.Agent.Alias(), e.Tick)
		}
	}
	return fmt.Sprintf("no recorded thought for agent %s at tick %d (%s, try %d): %s; record the run again, or ask models for what is missing: kingdom run SCENARIO --minds recorded:RUN --on-miss call",
		e.Agent.Alias(), e.Tick, e.Purpose, e.Try, why)
}

// Think implements engine.Mind.
func (m *Mind) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	th, _, err := m.ThinkWithin(ctx, p, time.Duration(1<<63-1))
	return th, err
}

// ThinkWithin implements engine.SelfTimedMind. A reused thought takes no time, sends nothing and costs nothing; its tokens
// and its latency are those of the record.
func (m *Mind) ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	r, found, err := m.find(p)
	if err != nil {
		return llm.Thought{}, 0, err
	}
	prompt := p.Hash()
	if found && (r.Prompt.IsZero() || r.Prompt == prompt) && (m.miss == nil || isAnswer(&r)) {
		m.count(func(c *Counts) {
			if isAnswer(&r) {
				c.Reused++
			} else {
				c.Empty++
			}
		})
		th := r.Thought
		th.Calls, th.CostMicroUSD = nil, 0
		return th, 0, nil
	}
	if m.miss == nil {
		miss := MissError{Agent: p.ID, Tick: p.Tick, Purpose: p.Purpose, Try: p.Try, Want: r.Prompt, Got: prompt, Run: m.Run}
		miss.Over, miss.Last = m.endedBefore(p.Tick)
		return llm.Thought{}, 0, &miss
	}
	m.count(func(c *Counts) { c.Missed++ })
	return m.miss.ThinkWithin(ctx, p, rest)
}

// isAnswer reports whether a model answered: neither a cap, a timeout nor an error left the thought empty, and no other
// mind stood in for the model in an outage.
func isAnswer(r *llm.Recorded) bool { return r.Outcome == llm.Answered && !r.Fallback }

// Counts returns how many thoughts were reused and how many were asked for so far.
func (m *Mind) Counts() Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts
}

func (m *Mind) count(add func(*Counts)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	add(&m.counts)
}

// find reads the source up to the tick of a prompt and returns the thought recorded for the prompt.
func (m *Mind) find(p *llm.Prompt) (r llm.Recorded, found bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.started {
		m.started = true
		if err := m.advance(); err != nil {
			return r, false, err
		}
	}
	if p.Tick > m.tick {
		clear(m.thoughts)
		m.tick = p.Tick
	}
	for m.next.Purpose != "" && m.next.Tick <= m.tick {
		if a := &m.next; a.Tick == m.tick {
			m.thoughts[key{a.Agent, a.Purpose, a.Try}] = *a
		}
		if err := m.advance(); err != nil {
			return r, false, err
		}
	}
	if p.Tick == m.tick {
		r, found = m.thoughts[key{p.ID, p.Purpose, p.Try}]
	}
	return r, found, nil
}

// endedBefore reports whether all recorded thoughts are before a tick, and the tick of the last one.
func (m *Mind) endedBefore(t wire.Tick) (over bool, last wire.Tick) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.next.Purpose == "" && m.last < t, m.last
}

// advance reads the next thought of the source.
func (m *Mind) advance() error {
	r, err := m.source.Next()
	if errors.Is(err, io.EOF) {
		m.next = llm.Recorded{}
		return nil
	}
	m.next, m.last = r, r.Tick
	return err
}
