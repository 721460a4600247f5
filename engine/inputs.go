package engine

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world/realm"
)

// inputs applies inputs from outside at boundaries: first those that the journal holds, then those in the queue. With
// the clock it decides which tick is executed next.
type inputs struct {
	inputQueue
	files   inboxFiles
	cal     wire.Calendar
	realm   *realm.Realm
	agents  *agentPool
	births  *births
	clock   *clock
	wakes   *wakes
	journal *runJournal
	seq     *uint64       // number of the last input, in the run's counters
	planned uint64        // highest place in Config.Planned that took effect
	reports []InputReport // of this boundary
}

// queuePlanned queues the planned inputs that have not taken effect yet.
func (p *inputs) queuePlanned(planned []Input) {
	for i, in := range planned {
		if in.plan = uint64(i) + 1; in.plan > p.planned {
			p.put(in)
		}
	}
}

// nextTick returns the next tick of the open cycle to execute: the first with a slot of an active agent, or an earlier
// one at which an input is due. As long as the journal has records, only recorded inputs count.
func (p *inputs) nextTick(open wire.Cycle) (wire.Tick, bool, error) {
	for {
		t, ok := p.clock.next()
		due, recorded := p.journal.history.nextInput()
		switch {
		case recorded && p.cal.Cycle(due) == open && (!ok || due <= t):
			if isClockInput(InputKind(p.journal.history.front.input.Kind)) {
				if err := p.replayClock(); err != nil {
					return 0, false, err
				}
				continue
			}
			return due, true, nil
		case recorded || !p.journal.history.ended():
			return t, ok, nil
		}
		now := p.clock.position()
		if s, has := p.scheduled(now); has && p.cal.Cycle(s) == open && (!ok || s < t) {
			return s, true, nil
		}
		if !ok && p.clock.atStart() && p.hasOverdue(now) {
			return now, true, nil // nobody has a slot in this cycle, but the input needs a tick
		}
		return t, ok, nil
	}
}

// applyAt applies the inputs of boundary t.
func (p *inputs) applyAt(open wire.Cycle, t wire.Tick) error {
	if err := p.replay(open, t); err != nil {
		return err
	}
	if !p.journal.history.ended() {
		return nil
	}
	return p.applyNew(t) // the journal may have ended among the inputs of this boundary
}

// applyNew journals and applies the queued inputs of boundary t.
func (p *inputs) applyNew(t wire.Tick) error {
	for _, w := range p.take(t, t == p.cal.First(p.cal.Cycle(t))) {
		r := newInputRecord(&w.in, t, *p.seq+1)
		if err := p.journal.input(&r); err != nil {
			return err
		}
		w.result <- p.apply(&r)
	}
	return nil
}

// replay applies the recorded inputs of boundary t.
func (p *inputs) replay(open wire.Cycle, t wire.Tick) error {
	for {
		due, ok := p.journal.history.nextInput()
		if !ok || due != t {
			return nil
		}
		r, err := p.journal.history.takeInput()
		if err != nil {
			return err
		}
		if r.Seq != *p.seq+1 {
			return &DivergenceError{Cycle: open, Tick: t, Component: "input_seq", Want: fmt.Sprint(r.Seq), Got: fmt.Sprint(*p.seq + 1)}
		}
		p.apply(&r)
	}
}

// collect queues what has arrived in the run's inbox when a cycle begins. It takes effect at the first tick of this cycle,
// or of the first one that does not begin before Earliest. If ticks of this cycle are executed again from the journal, new
// files wait for the first cycle after them; inputs that the journal already has are replayed from it.
func (p *inputs) collect() {
	for _, name := range p.files.list() {
		for _, in := range p.files.open(name) {
			if c := p.cal.Cycle(in.Earliest); in.Earliest > p.cal.First(c) {
				in.Earliest = p.cal.First(c + 1) // else the tick that it names would be executed without it
			}
			p.put(in)
		}
		p.files.removeIfApplied(name)
	}
}

// refused returns the planned inputs and those of the inbox that the world refused at this boundary. What a program asks for
// is told to the program.
func (p *inputs) refused() (out []refusedInput) {
	for _, r := range p.reports {
		if (r.File != "" || r.Planned) && r.Refused != "" {
			out = append(out, refusedInput{r.Seq, clean(r.Refused)})
		}
	}
	return out
}

// takeReports removes and returns the reports of the inputs of this boundary.
func (p *inputs) takeReports() []InputReport {
	r := p.reports
	p.reports = nil
	return r
}
