package engine

import (
	"context"
	"slices"

	"kingdom/wire"
	"kingdom/world/realm"
)

// startCycle opens cycle c: budgets are allocated and slots dealt.
func (e *Engine) startCycle(ctx context.Context, c wire.Cycle) error {
	e.open, e.inCycle = c, true
	e.nopsBefore, e.ticksBefore = e.nops, e.agentTicks
	first := e.cal.First(c)
	if err := e.rankPeers(ctx, first); err != nil {
		return err
	}
	e.allotted = e.allotted[:0]
	for _, a := range e.realm.StartCycle(c) {
		s := e.index[a.AgentID]
		s.alloc = a
		e.allotted = append(e.allotted, s)
	}
	e.absorb()
	err := e.all(e.allotted, job{ctx: ctx, phase: "cycle start", cycle: c, tick: first, do: func(_ *Engine, s *seat, j *job) error {
		s.turn.CycleStart(s.alloc, j.tick)
		return nil
	}})
	e.clock.start(e.cal, c, e.allotted)
	return err
}

// endCycle closes the open cycle: agents forget, the world settles, everything
// that changed is hashed, compared with history and handed to the store.
func (e *Engine) endCycle(ctx context.Context) error {
	c, last := e.open, e.cal.Last(e.open)
	e.now = last
	e.settle()
	e.inbox.serve()
	if err := e.all(e.allotted, job{ctx: ctx, phase: "cycle end", cycle: c, tick: last, do: func(_ *Engine, s *seat, j *job) error {
		s.turn.CycleEnd(j.tick)
		return nil
	}}); err != nil {
		return err
	}
	if err := e.contents.fill(context.WithoutCancel(ctx), e.realm.Missing()); err != nil {
		return err
	}
	end := e.realm.EndCycle(e.takeWishes())
	events := e.absorb()
	e.wake(end.Woken, last)
	return e.closeCycle(ctx, &end, events)
}

// closeCycle is what the end of every cycle has in common with the bootstrap.
func (e *Engine) closeCycle(ctx context.Context, end *realm.CycleEnd, events []*wire.Event) error {
	changed := e.changed()
	if err := e.all(changed, job{ctx: ctx, phase: "flush", cycle: end.Cycle, tick: end.Tick, do: (*Engine).flushAgent}); err != nil {
		return err
	}
	row := e.row(end)
	if err := e.journalCycle(&row); err != nil {
		return err
	}
	e.cycle, e.last, e.inCycle = end.Cycle, row, false
	metrics := e.metrics(end)
	e.report(&row, metrics, end, events)
	return e.store(ctx, &row, metrics, changed)
}

// changed are the seats whose agent may differ from what was flushed, by id.
func (e *Engine) changed() []*seat {
	out := slices.Clone(e.allotted)
	for _, s := range out {
		s.touched = false
	}
	for _, s := range e.order {
		if s.touched {
			s.touched = false
			if s.alloc.Cycle != e.open || s.alloc.Budget == 0 {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b *seat) int { return a.id.Compare(b.id) })
	return slices.Compact(out)
}

// flushAgent takes what changed of one agent and hashes its state. Where nothing is
// kept no rows are made.
func (e *Engine) flushAgent(s *seat, j *job) error {
	if e.keeps() {
		s.rows, s.hash = s.a.FlushHash(j.tick)
	} else {
		s.hash = s.a.ForgetHash()
	}
	return nil
}

// keeps reports whether cycles go to a store or a run directory.
func (e *Engine) keeps() bool { return !e.readonly && (e.db != nil || e.dir != "") }

// row is the fingerprint of a cycle end.
func (e *Engine) row(end *realm.CycleEnd) CycleRow {
	return CycleRow{
		Cycle: end.Cycle, Tick: end.Tick, Epoch: end.Epoch,
		WorldHash: end.WorldHash, Components: end.Components, Envelopes: end.Envelopes,
		AgentsHash: e.agentsHash(),
		Active:     end.Active, Dormant: end.Dormant, Dead: end.Dead,
		AgentTicks: e.agentTicks, NOPs: e.nops, Warnings: e.warnings, Slept: e.slept, InputSeq: e.inputSeq,
	}
}

// journalCycle compares the cycle with its record, or records it.
func (e *Engine) journalCycle(row *CycleRow) error {
	want, ok, err := e.past.takeCycle(row.Cycle)
	if err != nil {
		return err
	}
	if ok {
		if err := compareCycle(want.row(), *row); err != nil {
			return err
		}
	} else if !e.past.over() {
		return e.offBeat(row.Tick)
	} else {
		r := newCycleRecord(row, e.thoughts)
		if err := e.record(recordCycle, false, func(b []byte) []byte { return cycleCodec.Append(b, &r) }); err != nil {
			return err
		}
	}
	if e.check != nil {
		return e.check(*row)
	}
	return nil
}

// metrics is the observer's row of a cycle.
func (e *Engine) metrics(end *realm.CycleEnd) MetricsRow {
	m := &end.Metrics
	out := MetricsRow{
		Cycle: end.Cycle, Epoch: end.Epoch, Agents: m.Agents, VaultRepos: m.VaultRepos, OracleEntries: m.OracleEntries,
		CirculatingSupply: uint64(max(0, m.CirculatingSupply)), Treasury: m.Treasury, Gini: float64(m.Gini), Velocity: float64(m.Velocity),
		OpenBounties: m.OpenBounties, CompletedBounties: m.CompletedBounties, Transactions: m.TotalTransactions,
		NOPs: e.nops - e.nopsBefore, AgentTicks: e.agentTicks - e.ticksBefore,
	}
	for _, ev := range e.events {
		if ev.Kind == wire.KindMessagePosted {
			out.Messages++
		}
	}
	return out
}
