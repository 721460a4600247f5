package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
	"kingdom/world/realm"
)

// Engine is one running world. Run, Close and the runtime's methods may be called
// from different goroutines; Summary and Inspect want a stopped engine.
type Engine struct {
	cfg          Config
	cal          wire.Calendar
	dir          string
	storeURL     string
	db           Store
	mind         Mind
	recomputable bool
	readonly     bool // re-execution: nothing is written, no mind is asked anew
	thinkers     chan struct{}

	realm *realm.Realm
	clock clock
	scope scope

	seats    []*seat // in spawn order
	order    []*seat // ascending by id
	index    map[wire.AgentID]*seat
	names    names
	allotted []*seat // with a budget in this cycle
	ranking  []*seat // scratch
	sleepers int     // DORMANT agents
	wishes   map[wire.AgentID]nexus.WakeCause

	crew      sync.WaitGroup // the agents' goroutines
	barrier   *barrier       // of the phase that is waited for at once
	recorder  *barrier       // of the record phase, which runs beside the next tick
	recording bool

	journal  *journal
	past     *history // what was recorded beyond where we stand; nil: nothing
	recorded map[thoughtKey]thoughtRecord
	check    func(CycleRow) error // one more record of cycles to agree with; may be nil
	flush    flusher
	contents *contentReader // what the world no longer holds
	durable  []world.Head   // of the batch before the one in flight
	watch    *publisher
	inbox    inbox
	commits  commits

	// Where the world stands.
	cycle       wire.Cycle // last finished
	open        wire.Cycle // being stepped, or the last one
	inCycle     bool       // open is not finished
	now         wire.Tick
	until       wire.Cycle // last cycle that was asked for
	last        CycleRow   // of the last finished cycle
	thoughts    wire.Hash
	agentTicks  uint64
	nops        uint64
	warnings    uint64
	slept       uint64
	nopsBefore  uint64 // when the open cycle began
	ticksBefore uint64
	inputSeq    uint64
	planned     uint64        // highest place in Config.Planned that took effect
	inputs      []InputReport // of this boundary
	opening     []*wire.Event // of this boundary
	events      []*wire.Event // of this cycle

	mu     sync.Mutex // guards runs: who may drive
	runs   bool
	status Status
	dead   error // why it can run no more
}

// newEngine builds an engine without a world.
func newEngine(cfg Config, opt Options) *Engine {
	cfg = cfg.withDefaults()
	e := &Engine{
		cfg: cfg, cal: cfg.Rules.Calendar, dir: opt.Dir, storeURL: opt.StoreURL, db: opt.Store,
		mind: opt.Mind, recomputable: recomputable(opt.Mind),
		scope: scope{name: commons}, until: wire.Cycle(cfg.Cycles), index: map[wire.AgentID]*seat{}, names: names{},
		wishes: map[wire.AgentID]nexus.WakeCause{}, barrier: newBarrier(), recorder: newBarrier(),
		recorded: map[thoughtKey]thoughtRecord{}, status: StatusRunning, contents: newContentReader(opt.Store),
	}
	e.cfg.Turn.Names = e.names.resolve
	if cfg.Thinkers > 0 {
		e.thinkers = make(chan struct{}, cfg.Thinkers)
	}
	e.realm = realm.New(&e.cfg.Rules)
	if len(opt.Observers) > 0 {
		e.watch = newPublisher(opt.Observers, opt.Queue)
	}
	return e
}

// Run goes on to the end of cycle until. When ctx ends it stops at a tick
// boundary with an *InterruptedError; after an error the engine cannot run on,
// but [Resume] can.
func (e *Engine) Run(ctx context.Context, until wire.Cycle) (Summary, error) {
	if err := e.enter(); err != nil {
		return Summary{}, err
	}
	defer e.leave()
	e.until = until
	err := e.card(StatusRunning, nil)
	for err == nil && e.cycle < until {
		err = e.whole(func() error { return e.runCycle(ctx) })
	}
	if err == nil {
		err = e.rest()
	}
	if err != nil {
		err = e.fail(ctx, err)
	}
	return e.Summary(), err
}

// whole turns a broken invariant of the world into an error, so that the run stops
// in order. Agents' goroutines recover for themselves.
func (e *Engine) whole(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &WorldError{Cycle: e.open, Tick: e.now, Err: fmt.Errorf("panic: %v", p), Stack: debug.Stack()}
		}
	}()
	return do()
}

// runCycle steps the open cycle, or the next one, to its end.
func (e *Engine) runCycle(ctx context.Context) error {
	if !e.inCycle {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.startCycle(ctx, e.cycle+1); err != nil {
			return err
		}
	}
	for {
		t, ok, err := e.nextTick()
		if err != nil {
			return err
		}
		if !ok {
			return e.endCycle(ctx)
		}
		if err := e.mayStep(ctx, t); err != nil {
			return err
		}
		if err := e.tick(ctx, t); err != nil {
			return err
		}
	}
}

// mayStep is the tick boundary at which a run stops.
func (e *Engine) mayStep(ctx context.Context, t wire.Tick) error {
	if err := ctx.Err(); err != nil {
		e.now = t
		return err
	}
	return e.flush.failed()
}

// Summary tells where the world stands.
func (e *Engine) Summary() Summary {
	s := Summary{
		Cycles: uint64(e.cycle), Ticks: uint64(e.last.Tick) + 1, AgentTicks: e.last.AgentTicks, Epoch: e.last.Epoch,
		WorldHash: e.last.WorldHash, AgentsHash: e.last.AgentsHash, Status: e.status,
		Agents: Counts{e.last.Active, e.last.Dormant, e.last.Dead}, NOPs: e.last.NOPs, Warnings: e.last.Warnings, Slept: e.last.Slept, Inputs: e.last.InputSeq,
	}
	if e.watch != nil {
		s.Dropped = e.watch.lost()
	}
	return s
}
