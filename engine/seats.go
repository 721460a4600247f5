package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"runtime/debug"
	"time"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/ooda"
	"kingdom/wire"
)

// seat is an agent's place in the engine: its turn, its goroutine's inbox and what
// came of its last slot. Between a barrier and the next job only the engine's
// goroutine touches it.
type seat struct {
	id     wire.AgentID
	a      *agent.Agent
	turn   *ooda.Turn
	status wire.AgentStatus // as registered

	jobs chan *job

	alloc wire.TickAlloc // of this cycle
	view  wire.View

	// Of the last slot.
	step   ooda.Step
	thinks []ooda.ThinkRecord
	marks  hash.Hash // scratch of mark
	mark   wire.Hash // SHA-256 over its thoughts
	reply  wire.Reply

	// Of the last cycle end.
	hash wire.Hash // of its state
	rows agent.Rows

	touched  bool           // changed outside of its slots since the last cycle end
	best     []wire.AgentID // peers known best
	sats     []goals.Satisfaction
	faults   []error
	deadline time.Time // of this slot's thinking; zero for minds that are recomputed

	err error // why it broke; sticky
}

// job is one thing for the goroutines of agents to do; they only read it. cycle and
// tick say where the world stands, for the error that names them.
type job struct {
	ctx   context.Context
	phase string
	do    func(e *Engine, s *seat, j *job) error
	done  *barrier
	cycle wire.Cycle
	tick  wire.Tick
}

// jobsAhead is how many jobs wait for an agent: a record and the slot after it.
const jobsAhead = 2

// admit gives an agent a seat and a goroutine.
func (e *Engine) admit(a *agent.Agent) *seat {
	s := &seat{
		id: a.ID, a: a, turn: ooda.NewTurn(a, &e.cfg.Turn),
		status: a.Status, jobs: make(chan *job, jobsAhead), marks: sha256.New(),
	}
	e.seats = append(e.seats, s)
	e.index[s.id] = s
	e.insert(s)
	e.names.add(s.id)
	e.crew.Go(func() { e.inhabit(s) })
	return s
}

// inhabit is the goroutine of one agent; it ends when its channel is closed.
func (e *Engine) inhabit(s *seat) {
	for j := range s.jobs {
		e.attempt(s, j)
	}
}

// attempt does one job. A panic ends the agent, not the process; a broken agent
// does nothing more but arrives, so that nobody waits for it.
func (e *Engine) attempt(s *seat, j *job) {
	defer j.done.arrive()
	defer func() {
		if p := recover(); p != nil {
			s.err = &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: j.phase, Err: fmt.Errorf("panic: %v", p), Stack: debug.Stack()}
		}
	}()
	if s.err == nil {
		s.err = j.do(e, s, j)
	}
}

// send hands the job to the seats' goroutines; the barrier of the job opens when
// all have done it.
func send(seats []*seat, j *job) {
	j.done.expect(len(seats))
	for _, s := range seats {
		s.jobs <- j
	}
}

// all has the seats do the job and returns the error of the first, in the order
// of the slice, that broke.
func (e *Engine) all(seats []*seat, j job) error {
	if len(seats) == 0 {
		return nil
	}
	j.done = e.barrier
	send(seats, &j)
	e.barrier.wait()
	return firstError(seats)
}

func firstError(seats []*seat) error {
	for _, s := range seats {
		if s.err != nil {
			return s.err
		}
	}
	return nil
}
