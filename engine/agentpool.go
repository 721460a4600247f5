package engine

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"kingdom/wire"
)

// agentPool holds the seats of all agents and runs the phases of a tick on them. The seats of a phase are shared
// out among workers, one per processor: each takes the next seat that no other worker has taken.
//
// The record step of a slot is deferred: it runs when the agent's seat is next needed, mostly in the worker of the
// agent's next slot, which saves a phase per tick. The methods that return seats to read or change (seat, bySpawn,
// ascending, do) run the deferred job first. peek, aliases and the seats of the clock do not: with them only the
// engine's own fields of a seat (id, status, what it sent) may be used.
type agentPool struct {
	workers  int
	seats    []*seat // in spawn order
	byID     []*seat // ascending, unless unsorted
	unsorted bool
	index    map[wire.AgentID]*seat
	aliases  aliases
	deferred bool // some seat may have a deferred job
}

func newAgentPool() *agentPool {
	return &agentPool{workers: runtime.GOMAXPROCS(0), index: map[wire.AgentID]*seat{}, aliases: aliases{}}
}

// job is a function to run for each of some seats; workers only read it. cycle and tick are for errors.
type job struct {
	ctx   context.Context // when it ends, the job is not begun for further seats; nil: never
	phase string
	do    func(s *seat, j *job) error
	waits bool // it waits for a mind or a fetcher: each seat gets a worker of its own
	cycle wire.Cycle
	tick  wire.Tick
}

// add adds the seat of a new agent.
func (c *agentPool) add(s *seat) {
	c.unsorted = c.unsorted || (len(c.byID) > 0 && c.byID[len(c.byID)-1].id.Compare(s.id) > 0)
	c.seats, c.byID = append(c.seats, s), append(c.byID, s)
	c.index[s.id] = s
	c.aliases.add(s.id)
}

// do runs the job for the seats, after their deferred jobs, and waits for all of them. It returns the error of
// the first seat, in the order of the slice, that failed. The caller is one of the workers.
func (c *agentPool) do(seats []*seat, j job) error {
	workers := c.workers
	if j.waits {
		workers = len(seats)
	}
	share(len(seats), workers, func(i int) { seats[i].run(&j) })
	return firstError(seats)
}

// each calls do for 0 to n-1, shared out among the workers, and returns when all are done. A panic of one of them becomes
// a panic of the caller.
func (c *agentPool) each(n int, do func(i int)) {
	panics := make([]*worldPanic, n)
	share(n, c.workers, func(i int) {
		defer func() { panics[i] = caught(recover()) }()
		do(i)
	})
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// share calls do for 0 to n-1 in as many goroutines as workers says, of which the caller is one, and waits for all.
func share(n, workers int, do func(i int)) {
	var next atomic.Int64
	work := func() {
		growStack(0)
		for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
			do(i - 1)
		}
	}
	var others sync.WaitGroup
	for range min(n, workers) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// slotStack is the stack size that a slot needs, in bytes.
const slotStack = 24 << 10

// growStack grows the stack of a new goroutine to slotStack in one step, by calling for a large frame that it does not use.
// Otherwise the stack would grow in several steps below deep calls, and be copied at each.
//
//go:noinline
func growStack(used int) byte {
	if used == 0 {
		return 0
	}
	var room [slotStack]byte
	return room[used]
}

// deferJob makes the seats run the job before anything else is done with them.
func (c *agentPool) deferJob(seats []*seat, j *job) {
	for _, s := range seats {
		s.deferred, c.deferred = j, true
	}
}

// runDeferred runs the deferred jobs of all seats.
func (c *agentPool) runDeferred() {
	if !c.deferred {
		return
	}
	c.deferred = false
	var waiting []*seat
	for _, s := range c.seats {
		if s.deferred != nil {
			waiting = append(waiting, s)
		}
	}
	// An error stays in its seat and ends the next phase in which the seat takes part.
	_ = c.do(waiting, job{do: func(*seat, *job) error { return nil }})
}

// seat returns the seat of an agent, after its deferred job; nil if there is none.
func (c *agentPool) seat(id wire.AgentID) *seat {
	s := c.index[id]
	if s != nil {
		s.runDeferred()
	}
	return s
}

// peek returns the seat of an agent without running its deferred job: only id, status and what was sent may be
// read.
func (c *agentPool) peek(id wire.AgentID) *seat { return c.index[id] }

// bySpawn returns all seats in spawn order, after their deferred jobs.
func (c *agentPool) bySpawn() []*seat {
	c.runDeferred()
	return c.seats
}

// ascending returns all seats by id, after their deferred jobs.
func (c *agentPool) ascending() []*seat {
	c.runDeferred()
	if c.unsorted {
		slices.SortFunc(c.byID, bySeatID)
		c.unsorted = false
	}
	return c.byID
}

// runDeferred runs the deferred job of the seat, if it has one.
func (s *seat) runDeferred() {
	if j := s.deferred; j != nil {
		s.deferred = nil
		s.run(j)
	}
}

// run runs one job, after the deferred one. A panic becomes the error of the seat; a seat with an error runs
// nothing more.
func (s *seat) run(j *job) {
	defer func() {
		if p := caught(recover()); p != nil {
			s.err = &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: j.phase, Err: p.err(), Stack: p.stack}
		}
	}()
	s.runDeferred()
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
