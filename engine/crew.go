package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"kingdom/wire"
)

// crew is all agents at work, each in a goroutine of its own. It holds the one rule of
// who may touch an agent: the record phase of a tick runs beside the next tick, so
// whoever asks the crew for seats to look at or to change first waits for its end, and so
// does every phase before it returns. known, names and the seats of the clock give the
// engine's own side of a seat (id, status, what it sent) without waiting.
type crew struct {
	seats     []*seat // in spawn order
	byID      []*seat // ascending, unless unsorted
	unsorted  bool
	index     map[wire.AgentID]*seat
	names     names
	working   sync.WaitGroup
	phase     *barrier // of the phase that is waited for at once
	record    *barrier // of the record phase
	recording bool
}

func newCrew() *crew {
	return &crew{index: map[wire.AgentID]*seat{}, names: names{}, phase: newBarrier(), record: newBarrier()}
}

// job is one thing for the goroutines of agents to do; they only read it. cycle and
// tick say where the world stands, for the error that names them.
type job struct {
	ctx   context.Context // when it ends, seats that have not begun leave the job undone; nil: never
	phase string
	do    func(s *seat, j *job) error
	done  *barrier
	cycle wire.Cycle
	tick  wire.Tick
}

// jobsAhead is how many jobs wait for an agent: a record and the slot after it.
const jobsAhead = 2

// admit takes a seat in and starts its goroutine.
func (c *crew) admit(s *seat) {
	s.jobs = make(chan *job, jobsAhead)
	c.unsorted = c.unsorted || (len(c.byID) > 0 && c.byID[len(c.byID)-1].id.Compare(s.id) > 0)
	c.seats, c.byID = append(c.seats, s), append(c.byID, s)
	c.index[s.id] = s
	c.names.add(s.id)
	c.working.Go(func() {
		for j := range s.jobs {
			s.attempt(j)
		}
	})
}

// do has the seats do the job, waits for them and for a record phase, and returns the
// error of the first, in the order of the slice, that broke.
func (c *crew) do(seats []*seat, j job) error {
	if len(seats) > 0 {
		j.done = c.phase
		send(seats, &j)
		c.phase.wait()
	}
	c.settle()
	return firstError(seats)
}

// beginRecord has the seats do the job beside what the caller does next.
func (c *crew) beginRecord(seats []*seat, j job) {
	c.settle()
	if len(seats) > 0 {
		j.done = c.record
		c.recording = true
		send(seats, &j)
	}
}

// settle waits for the end of the record phase.
func (c *crew) settle() {
	if c.recording {
		c.record.wait()
		c.recording = false
	}
}

// seat is the seat of an agent, nil if there is none; nobody is at work.
func (c *crew) seat(id wire.AgentID) *seat {
	c.settle()
	return c.index[id]
}

// known is the seat of an agent while others may be at work; only id, status and what
// was sent may be read.
func (c *crew) known(id wire.AgentID) *seat { return c.index[id] }

// spawned are all seats in spawn order; nobody is at work.
func (c *crew) spawned() []*seat {
	c.settle()
	return c.seats
}

// sorted are all seats by id; nobody is at work.
func (c *crew) sorted() []*seat {
	c.settle()
	if c.unsorted {
		slices.SortFunc(c.byID, bySeatID)
		c.unsorted = false
	}
	return c.byID
}

// close ends the goroutines.
func (c *crew) close() {
	c.settle()
	for _, s := range c.seats {
		close(s.jobs)
	}
	c.working.Wait()
	c.seats = nil
}

// send hands the job to the seats' goroutines; the barrier of the job opens when
// all have done it.
func send(seats []*seat, j *job) {
	j.done.expect(len(seats))
	for _, s := range seats {
		s.jobs <- j
	}
}

// attempt does one job. A panic ends the agent, not the process; a broken agent
// does nothing more but arrives, so that nobody waits for it.
func (s *seat) attempt(j *job) {
	defer j.done.arrive()
	defer func() {
		if p := recover(); p != nil {
			s.err = &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: j.phase, Err: fmt.Errorf("panic: %v", p), Stack: debug.Stack()}
		}
	}()
	if s.err == nil && j.ctx != nil {
		s.err = j.ctx.Err()
	}
	if s.err == nil {
		s.err = j.do(s, j)
	}
}

func firstError(seats []*seat) error {
	for _, s := range seats {
		if s.err != nil {
			return s.err
		}
	}
	return nil
}
