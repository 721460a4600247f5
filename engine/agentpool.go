package engine

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"kingdom/wire"
)

// agentPool is all agents at work. A phase is shared out among workers, one per processor: each
// takes the next seat that nobody has taken, so that a phase wakes workers, not agents. It
// holds the one rule of who may touch an agent: between phases nobody is at work, but a seat
// may still owe the record of its last slot, which is done when somebody next looks at the
// agent, mostly by the worker of its next slot, while it is at hand. So whoever asks the crew
// for seats to look at or to change gets them settled. known, names and the seats of the
// clock give the engine's own side of a seat (id, status, what it sent) without that.
type agentPool struct {
	workers  int
	seats    []*seat // in spawn order
	byID     []*seat // ascending, unless unsorted
	unsorted bool
	index    map[wire.AgentID]*seat
	aliases    aliases
	deferred    bool // some seat may owe a record
}

func newAgentPool() *agentPool {
	return &agentPool{workers: runtime.GOMAXPROCS(0), index: map[wire.AgentID]*seat{}, aliases: aliases{}}
}

// job is one thing to do for each of some seats; workers only read it. cycle and tick say
// where the world stands, for the error that names them.
type job struct {
	ctx   context.Context // when it ends, seats that have not begun leave the job undone; nil: never
	phase string
	do    func(s *seat, j *job) error
	waits bool // it waits for the outside: all seats begin at once
	cycle wire.Cycle
	tick  wire.Tick
}

// add takes a seat in.
func (c *agentPool) add(s *seat) {
	c.unsorted = c.unsorted || (len(c.byID) > 0 && c.byID[len(c.byID)-1].id.Compare(s.id) > 0)
	c.seats, c.byID = append(c.seats, s), append(c.byID, s)
	c.index[s.id] = s
	c.aliases.add(s.id)
}

// do does the job for the seats, after what they owe, waits for all of them and returns the
// error of the first, in the order of the slice, that broke. The caller is one of the workers.
func (c *agentPool) do(seats []*seat, j job) error {
	n := len(seats)
	if !j.waits {
		n = min(n, c.workers)
	}
	var next atomic.Int64
	work := func() {
		growStack(0)
		for i := next.Add(1); i <= int64(len(seats)); i = next.Add(1) {
			seats[i-1].run(&j)
		}
	}
	var others sync.WaitGroup
	for range n - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	return firstError(seats)
}

// slotStack is what a slot needs of a stack, by the depth of its calls.
const slotStack = 24 << 10

// growStack makes a new goroutine's stack as large as a slot needs, at once, by having a large frame of which it uses nothing.
// A stack that grows in steps under deep calls is copied with all their frames at each.
//
//go:noinline
func growStack(used int) byte {
	if used == 0 {
		return 0
	}
	var room [slotStack]byte
	return room[used]
}

// deferJob has the seats do the job before anything else is done with them.
func (c *agentPool) deferJob(seats []*seat, j *job) {
	for _, s := range seats {
		s.deferred, c.deferred = j, true
	}
}

// runDeferred has all seats do what they owe.
func (c *agentPool) runDeferred() {
	if !c.deferred {
		return
	}
	c.deferred = false
	var late []*seat
	for _, s := range c.seats {
		if s.deferred != nil {
			late = append(late, s)
		}
	}
	// An error stays with its seat and ends the next phase that has it.
	_ = c.do(late, job{do: func(*seat, *job) error { return nil }})
}

// seat is the settled seat of an agent, nil if there is none.
func (c *agentPool) seat(id wire.AgentID) *seat {
	s := c.index[id]
	if s != nil {
		s.runDeferred()
	}
	return s
}

// peek is the seat of an agent, which may owe a record; only id, status and what was sent may
// be read.
func (c *agentPool) peek(id wire.AgentID) *seat { return c.index[id] }

// bySpawn are all seats in spawn order, settled.
func (c *agentPool) bySpawn() []*seat {
	c.runDeferred()
	return c.seats
}

// ascending are all seats by id, settled.
func (c *agentPool) ascending() []*seat {
	c.runDeferred()
	if c.unsorted {
		slices.SortFunc(c.byID, bySeatID)
		c.unsorted = false
	}
	return c.byID
}

// runDeferred does what the seat owes.
func (s *seat) runDeferred() {
	if j := s.deferred; j != nil {
		s.deferred = nil
		s.run(j)
	}
}

// run does one job, after what the seat owes. A panic ends the agent, not the process; a
// broken agent does nothing more.
func (s *seat) run(j *job) {
	defer func() {
		if p := recover(); p != nil {
			s.err = &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: j.phase, Err: fmt.Errorf("panic: %v", p), Stack: debug.Stack()}
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
