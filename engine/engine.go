package engine

import (
	"context"
	"sync"

	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// Engine is one running world. Run, Close and the methods of [Runtime] may be called from different goroutines;
// Summary and Inspect need a stopped engine.
type Engine struct {
	cfg      Config
	cal      wire.Calendar
	dir      string
	storeURL string
	db       Store
	readonly bool // re-execution: nothing is written, and only recomputable minds are asked

	realm       *realm.Realm
	agents      *agentPool
	births      *births
	clock       clock
	seats       tickSeats
	inputs      inputs
	wakes       wakes
	thinker     *thinker
	prepare     preparer
	journal     runJournal
	flush       flusher
	contents    *contentReader // reads records that the world no longer has in memory
	stored      []world.Head   // heads of the batch before the one that is being written
	quotes      quoteCache
	slotBuffers sync.Pool  // of what a slot needs while it runs
	spillFile   *spillFile // of the cycle that is being closed; nil: its rows stay in memory
	reporter    reporter
	control     control
	check       rowCheck   // compares a finished cycle with its row in the store; nil: none
	replayed    *replay    // what a replay has found; nil: this is none
	frames      *exporter  // exports signed messages; nil: none
	tracers     tracerFunc // tracers by seat; nil: no slot is traced

	// Where the world stands.
	cycle          wire.Cycle // last finished
	open           wire.Cycle // in progress, or the last finished one
	inCycle        bool       // open is not finished
	changesApplied int        // how many of cfg.Changes are in effect
	now            wire.Tick
	until          wire.Cycle // last cycle that Run was asked for
	last           CycleRow   // of the last finished cycle
	count          counters
	before         counters       // at the start of the open cycle
	unanswered     llm.Unanswered // idle slots since this Engine was opened
	budgeted       []*seat        // with a budget in this cycle
	opening        []*wire.Event  // of the boundary before the open tick
	events         []*wire.Event  // of this cycle
	calls          []CallRow      // to models, in this cycle
	status         Status
	builds         Builds // that wrote the run up to now
	progress       func(stage Stage, agents int)
	waits          func(*Wait) // may be nil
}

// newEngine builds an engine without a world.
func newEngine(cfg Config, opt Options, readonly bool) *Engine {
	cfg = cfg.withDefaults()
	e := &Engine{
		cfg: cfg, cal: cfg.Rules.Calendar, dir: opt.Dir, storeURL: opt.StoreURL, db: opt.Store, readonly: readonly,
		agents: newAgentPool(), births: newBirths(cfg.Names), until: wire.Cycle(cfg.Cycles), status: StatusRunning,
		journal: runJournal{answers: map[thoughtKey]thoughtRecord{}}, contents: newContentReader(opt.Store),
	}
	e.cfg.Turn.Names = e.agents.aliases.resolve
	e.realm = realm.New(&e.cfg.Rules)
	e.realm.Each = e.agents.each
	e.cfg.Turn.MainRoot = e.realm.Vault().MainRoot
	e.cfg.Turn.Quoted = e.quotes.get
	e.slotBuffers.New = func() any { return &slotBuffers{offers: ooda.NewOfferBuffers()} }
	e.cfg.Turn.Prepare()
	e.thinker = newThinker(&e.cfg, &opt, readonly, &e.journal)
	e.wakes = wakes{agents: e.agents, requests: map[wire.AgentID]wire.WakeCause{}}
	e.inputs = inputs{
		cal: e.cal, realm: e.realm, agents: e.agents, births: e.births, clock: &e.clock, wakes: &e.wakes, journal: &e.journal, seq: &e.count.inputSeq,
		files: newInboxFiles(&opt),
	}
	e.reporter = reporter{realm: e.realm, agents: e.agents}
	e.prepare = preparer{
		tasks: e.realm.Prepare, fetcher: opt.Fetcher, readonly: readonly, timeout: cfg.ThinkTimeout, dir: opt.Dir, agents: e.agents, journal: &e.journal, contents: e.contents,
	}
	e.progress = func(stage Stage, agents int) {
		if opt.Progress != nil && e.cycle == 0 && e.open == 0 && !readonly {
			opt.Progress(Progress{Stage: stage, Agents: uint64(agents), AgentsWanted: uint64(len(cfg.Genomes))})
		}
	}
	e.waits = opt.Waits
	if len(opt.Observers) > 0 {
		e.reporter.publisher = newPublisher(opt.Observers, opt.Queue)
	}
	return e
}

// Run executes cycles until the end of cycle until. If ctx ends, it stops at a tick boundary and returns an
// [*InterruptedError]. After an error the engine cannot run again, but [Resume] can open the run.
func (e *Engine) Run(ctx context.Context, until wire.Cycle) (Summary, error) {
	if err := e.control.acquire(); err != nil {
		return Summary{}, err
	}
	defer e.control.release()
	e.until = until
	if e.cycle < until {
		e.builds = e.builds.continued(e.cfg.Build, uint64(e.cycle+1))
	}
	defer e.thinker.waits.watch(e.waits)()
	err := e.writeRunFile(StatusRunning, nil)
	for err == nil && e.cycle < until {
		err = e.recoverPanics(func() error { return e.runCycle(ctx) })
	}
	if err == nil {
		err = e.finish(ctx)
	}
	if err != nil {
		err = e.fail(ctx, e.cfg.withBuilds(e.dir, err))
	}
	return e.Summary(), err
}

// recoverPanics runs do and returns a panic in it as a [*WorldError], so that the run stops in order. Panics of
// agents are recovered in [seat.run].
func (e *Engine) recoverPanics(do func() error) (err error) {
	defer func() {
		if p := caught(recover()); p != nil {
			err = &WorldError{Cycle: e.open, Tick: e.now, Err: p.err(), Stack: p.stack}
		}
	}()
	return do()
}

// runCycle executes the rest of the open cycle, or the next cycle.
func (e *Engine) runCycle(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !e.inCycle {
		if err := e.startCycle(ctx, e.cycle+1); err != nil {
			return err
		}
	}
	for {
		t, ok, err := e.inputs.nextTick(e.open)
		if err != nil {
			return err
		}
		if !ok {
			return e.endCycle(ctx)
		}
		if err := ctx.Err(); err != nil { // the boundary at which a run stops
			e.now = t
			return err
		}
		if err := e.flush.failed(); err != nil {
			return err
		}
		if err := e.tick(ctx, t); err != nil {
			return err
		}
	}
}

// Summary returns the counters and hashes of the world as it is now.
func (e *Engine) Summary() Summary {
	s := Summary{
		Cycles: uint64(e.cycle), Ticks: uint64(e.last.Tick) + 1, AgentTicks: e.last.AgentTicks, Epoch: e.last.Epoch,
		WorldHash: e.last.WorldHash, AgentsHash: e.last.AgentsHash, Status: e.status,
		Agents: Counts{e.last.Active, e.last.Dormant, e.last.Dead}, NOPs: e.last.NOPs, Warnings: e.last.Warnings, Slept: e.last.Slept, Inputs: e.last.InputSeq,
	}
	if e.reporter.publisher != nil {
		s.Dropped = e.reporter.droppedCommits()
	}
	s.Fallbacks, s.Unanswered = e.thinker.fallbacks.Load(), e.unanswered
	return s
}
