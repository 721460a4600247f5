package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// Fetcher gets from outside what a request of an agent needs. It is called from many goroutines at once and must
// return soon after its context ends. An error is an answer too: it is journaled and the agent learns of it.
type Fetcher interface {
	Fetch(ctx context.Context, request []byte) ([]byte, error)
}

// purposeFetch is the purpose under which an answer from outside is journaled.
const purposeFetch = "fetch"

// preparer runs the tasks of daemons between act and commit: fetches, reads of the store, and programs.
type preparer struct {
	tasks    func(wire.Tick, []realm.Seat) []world.Task // realm.Prepare
	fetcher  Fetcher                                    // nil: every fetch fails
	readonly bool                                       // answers come from the journal only
	timeout  time.Duration                              // of one fetch
	dir      string                                     // of the run, for messages
	agents   *agentPool
	journal  *runJournal
	contents *contentReader
}

// run runs the tasks for the requests of a tick, each as a job of the seat that sent the first of its requests. The
// world does not change meanwhile.
func (p *preparer) run(ctx context.Context, sc *tickSeats, c wire.Cycle, t wire.Tick) error {
	tasks := p.tasks(t, sc.slots)
	if len(tasks) == 0 {
		return nil
	}
	taskOf := make(map[*seat]*world.Task, len(tasks))
	busy := make([]*seat, len(tasks))
	for i := range tasks {
		busy[i] = sc.live[tasks[i].Seats[0]]
		taskOf[busy[i]] = &tasks[i]
	}
	return p.agents.do(busy, job{ctx: ctx, phase: "prepare", waits: p.fetcher != nil, cycle: c, tick: t, do: func(s *seat, j *job) error {
		return p.runTask(s, j, taskOf[s], sc.slots)
	}})
}

// runTask runs one task. No other task has the same seats, so it may write to them.
func (p *preparer) runTask(s *seat, j *job, task *world.Task, slots []realm.Seat) error {
	var a world.Answer
	if task.Fetch != nil {
		var err error
		if a, err = p.fetch(s, j, task.Fetch); err != nil {
			return err
		}
	}
	if task.Reads != nil {
		for missing := task.Reads(); len(missing) > 0; missing = task.Reads() {
			if err := p.contents.fill(j.ctx, missing); err != nil {
				return err
			}
		}
	}
	for i, v := range task.Run(a) {
		slots[task.Seats[i]].Prepared = v
	}
	return nil
}

// fetch returns the answer to a request to the outside. A recorded answer is used again; a new one is on disk before it
// is used.
func (p *preparer) fetch(s *seat, j *job, request []byte) (world.Answer, error) {
	key := thoughtKey{agent: s.id, tick: j.tick, purpose: purposeFetch}
	if r, ok := p.journal.answers[key]; ok {
		return world.Answer{Body: r.Text, Failed: r.Error}, nil
	}
	if p.readonly && p.journal.history.ended() {
		return world.Answer{}, &UncomparedError{Dir: p.dir, From: j.cycle}
	}
	if p.readonly {
		return world.Answer{}, &DivergenceError{Cycle: j.cycle, Tick: j.tick, Agent: s.id, Component: purposeFetch, Want: "none", Got: "asked for"}
	}
	th := p.askOutside(j.ctx, request)
	if err := j.ctx.Err(); err != nil {
		return world.Answer{}, err // the fetch failed because the run ends, so this is no answer
	}
	r := newThoughtRecord(key, wire.Hash{}, &th)
	return world.Answer{Body: r.Text, Failed: r.Error}, p.journal.thought(&r) // what a resumed run reads
}

// askOutside calls the fetcher with the time limit of a thought. A failure or a timeout is returned as an answer too.
func (p *preparer) askOutside(ctx context.Context, request []byte) llm.Thought {
	if p.fetcher == nil {
		return llm.Thought{Outcome: llm.ProviderError, Error: "this run may not ask the outside"}
	}
	limited, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	body, err := p.fetcher.Fetch(limited, request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return llm.Thought{Outcome: llm.TimedOut, Error: fmt.Sprintf("%s: no answer within %v", wire.FetchTimeout, p.timeout)}
	case err != nil:
		return llm.Thought{Outcome: llm.ProviderError, Error: err.Error()}
	}
	return llm.Thought{Outcome: llm.Answered, Text: append([]byte{}, body...)} // never nil, like an answer from the journal
}
