package engine

import (
	"context"
	"errors"
	"slices"

	"kingdom/wire"
	"kingdom/world/realm"
)

// startCycle opens cycle c: budgets are allocated and the clock gets its slots.
func (e *Engine) startCycle(ctx context.Context, c wire.Cycle) error {
	e.open, e.inCycle = c, true
	e.before = e.count
	e.inputs.collect()
	e.applyChanges(c)
	e.thinker.startCycle(c)
	first := e.cal.First(c)
	if err := rankPeers(e.realm, e.agents, job{ctx: ctx, phase: "rank peers", cycle: c, tick: first}); err != nil {
		return err
	}
	e.budgeted = e.budgeted[:0]
	var allocs []wire.TickAlloc
	if err := interruptible(ctx, func() { allocs = e.realm.StartCycle(c) }); err != nil {
		return err
	}
	for _, a := range allocs {
		s := e.agents.seat(a.AgentID)
		s.alloc = a
		e.budgeted = append(e.budgeted, s)
	}
	if _, err := e.handleEvents(ctx); err != nil {
		return err
	}
	err := e.agents.do(e.budgeted, job{ctx: ctx, phase: "cycle start", cycle: c, tick: first, do: func(s *seat, j *job) error {
		s.turn.CycleStart(s.alloc, j.tick)
		return nil
	}})
	e.clock.start(e.cal, c, e.budgeted)
	return err
}

// applyChanges applies the Config.Changes that begin up to cycle c.
func (e *Engine) applyChanges(c wire.Cycle) {
	n := 0
	for n < len(e.cfg.Changes) && e.cfg.Changes[n].From <= c {
		n++
	}
	if n == e.changesApplied {
		return
	}
	e.agents.runDeferred() // records of the cycle before
	to, turn := &e.cfg.Changes[n-1], &e.cfg.Turn
	turn.Blind, turn.Templates, turn.Personas = to.Blind, to.Templates, to.Personas
	turn.Prepare()
	e.changesApplied = n
}

// endCycle closes the open cycle: agents forget, the world settles accounts, everything that changed is hashed,
// compared with the journal and handed to the store.
func (e *Engine) endCycle(ctx context.Context) error {
	c, last := e.open, e.cal.Last(e.open)
	e.now = last
	e.control.runPending()
	if err := e.agents.do(e.budgeted, job{ctx: ctx, phase: "cycle end", cycle: c, tick: last, do: func(s *seat, j *job) error {
		s.turn.CycleEnd(j.tick)
		return nil
	}}); err != nil {
		return err
	}
	for missing := e.realm.Missing(); len(missing) > 0; missing = e.realm.Missing() {
		if err := e.contents.fill(context.WithoutCancel(ctx), missing); err != nil {
			return err
		}
	}
	wishes := e.wakes.take()
	var end realm.CycleEnd
	if err := interruptible(ctx, func() { end = e.realm.EndCycle(wishes) }); err != nil {
		return err
	}
	events, err := e.handleEvents(ctx)
	if err != nil {
		return err
	}
	e.wakes.restart(end.Woken, last)
	e.quotes.endCycle(c)
	return e.closeCycle(ctx, &end, events)
}

// closeCycle hashes, records and stores a finished cycle; the bootstrap uses it too.
func (e *Engine) closeCycle(ctx context.Context, end *realm.CycleEnd, events []*wire.Event) error {
	changed := changedSeats(end.Cycle, e.budgeted, e.agents.ascending())
	flush := job{ctx: ctx, phase: "flush", cycle: end.Cycle, tick: end.Tick, do: hashAgent}
	if e.persists() {
		flush.do = e.flushFunc()
	}
	e.progress(StageHash, 0)
	if err := e.agents.do(changed, flush); err != nil {
		return err
	}
	row := e.cycleRow(end)
	recorded, err := e.journal.cycle(&row)
	if err == nil && e.check != nil {
		err = e.check(ctx, &row, recorded)
	}
	if err := e.replayed.take(ctx, &row, err); err != nil {
		return err
	}
	if err := e.frames.cycle(end, &row, e.events); err != nil {
		return err
	}
	e.cycle, e.last, e.inCycle = end.Cycle, row, false
	metrics := metricsOf(end, e.count, e.before, e.events)
	metrics.addCalls(e.calls)
	e.reporter.cycle(&row, metrics, end, events)
	return e.store(ctx, &row, metrics, changed)
}

// rowCheck compares the row of a finished cycle with what the store has of it. recorded says that the row agrees with a
// record of the journal.
type rowCheck func(ctx context.Context, row *CycleRow, recorded bool) error

// compareStored compares a computed cycle with its row in the store. If the cycle agrees with the journal and not with the
// row, then the row was changed.
func compareStored(want, got *CycleRow, recorded bool) error {
	if !recorded {
		return compareCycle(*want, *got)
	}
	computed := *got
	if want.BusHash.IsZero() {
		computed.BusHash = wire.Hash{} // a row of an early version
	}
	err := compareCycle(computed, *want)
	if d, ok := errors.AsType[*DivergenceError](err); ok {
		return d.ofStore()
	}
	return err
}

// changedSeats returns the seats whose agents may have changed since the last cycle end, by id.
func changedSeats(c wire.Cycle, allotted, all []*seat) []*seat {
	out := slices.Clone(allotted)
	for _, s := range out {
		s.touched = false
	}
	for _, s := range all {
		if s.touched {
			s.touched = false
			if s.alloc.Cycle != c || s.alloc.Budget == 0 {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, bySeatID)
	return slices.Compact(out)
}

// flushAgent takes the changed rows of one agent and hashes its state.
func flushAgent(s *seat, j *job) error {
	s.rows, s.hash = s.a.FlushHash(j.tick)
	return nil
}

// flushFunc returns the job that flushes an agent. It spills the rows to a file if there is a store and a run
// directory.
func (e *Engine) flushFunc() func(s *seat, j *job) error {
	if e.db == nil || e.dir == "" {
		return flushAgent
	}
	e.spillFile.release() // left by a cycle whose end failed
	e.spillFile = newSpillFile(e.dir)
	return func(s *seat, j *job) error { return s.flushSpilled(e.spillFile, j) }
}

// hashAgent is flushAgent for runs without store and run directory: it makes no rows.
func hashAgent(s *seat, _ *job) error {
	s.hash = s.a.ForgetHash()
	return nil
}

// persists reports whether cycles go to a store or a run directory.
func (e *Engine) persists() bool { return !e.readonly && (e.db != nil || e.dir != "") }

// cycleRow returns the hashes and counters of a cycle end.
func (e *Engine) cycleRow(end *realm.CycleEnd) CycleRow {
	n := e.count
	return CycleRow{
		Cycle: end.Cycle, Tick: end.Tick, Epoch: end.Epoch,
		WorldHash: end.WorldHash, Components: end.Components, Envelopes: end.Envelopes,
		AgentsHash: agentsHash(e.agents.ascending()), BusHash: end.BusHash,
		Active: end.Active, Dormant: end.Dormant, Dead: end.Dead,
		AgentTicks: n.agentTicks, NOPs: n.nops, Warnings: n.warnings, Slept: n.slept, InputSeq: n.inputSeq,
	}
}

// metricsOf returns the metrics of a cycle.
func metricsOf(end *realm.CycleEnd, now, before counters, events []*wire.Event) MetricsRow {
	m := &end.Metrics
	out := MetricsRow{
		Cycle: end.Cycle, Epoch: end.Epoch, Agents: m.Agents, VaultRepos: m.VaultRepos, OracleEntries: m.OracleEntries,
		CirculatingSupply: uint64(max(0, m.CirculatingSupply)), Treasury: m.Treasury, Gini: float64(m.Gini), Velocity: float64(m.Velocity),
		OpenBounties: m.OpenBounties, CompletedBounties: m.CompletedBounties, Transactions: m.TotalTransactions,
		NOPs: now.nops - before.nops, AgentTicks: now.agentTicks - before.agentTicks,
	}
	for _, ev := range events {
		if ev.Kind == wire.KindMessagePosted {
			out.Messages++
		}
	}
	return out
}
