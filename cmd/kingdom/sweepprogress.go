package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kingdom/engine"
	"kingdom/observe"
)

// sweepProgress shows the progress of all runs of a sweep: a progress bar on a terminal, otherwise a line
// when a seed ends.
type sweepProgress struct {
	app   *app
	live  *mpb.Progress
	bar   *mpb.Bar
	began time.Time

	mu                            sync.Mutex
	seeds, ended, failed, running int
	cycles, total                 uint64 // cycles that this command has run, and has to run
}

// newSweepProgress returns the progress of a sweep that has to run of cycles in all; finished seeds are finished already.
func newSweepProgress(a *app, seeds, finished int, of uint64) *sweepProgress {
	p := &sweepProgress{app: a, began: time.Now(), seeds: seeds, ended: finished, total: of}
	if f, ok := a.err.(*os.File); ok && !a.json && isatty.IsTerminal(f.Fd()) {
		p.live = mpb.New(mpb.WithOutput(f), mpb.WithWidth(24), mpb.WithRefreshRate(100*time.Millisecond))
		a.live.Store(p.live)
		p.bar = p.live.AddBar(int64(of),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.count() })),
			mpb.AppendDecorators(
				decor.Any(func(decor.Statistics) string { return p.state() }),
				decor.Name(" · ETA "), decor.AverageETA(decor.ET_STYLE_GO),
			))
	}
	return p
}

func (p *sweepProgress) count() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%d/%d seeds ", p.ended, p.seeds)
}

func (p *sweepProgress) state() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf("%d running", p.running)
	if p.failed > 0 {
		text += fmt.Sprintf(", %d failed", p.failed)
	}
	return text
}

// begin counts a run that starts.
func (p *sweepProgress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running++
}

// end counts a run that ended, unless it was interrupted, and prints a line.
func (p *sweepProgress) end(r *sweepRun) {
	p.mu.Lock()
	p.running--
	if !r.interrupted() {
		p.ended++
		if r.row.status != engine.StatusFinished {
			p.failed++
		}
	}
	ended, left := p.ended, ""
	if p.cycles > 0 && p.cycles < p.total {
		left = fmt.Sprintf(" · ETA %s", (time.Since(p.began) * time.Duration(p.total-p.cycles) / time.Duration(p.cycles)).Round(time.Second))
	}
	p.mu.Unlock()
	switch {
	case p.app.json:
	case p.live == nil:
		why := ""
		if r.row.err != "" && !r.interrupted() {
			why = ": " + r.row.err
		}
		fmt.Fprintf(p.app.err, "seed %s %s at cycle %d%s · %d/%d seeds%s\n", r.seed, r.row.status, r.row.cycle.Cycle, why, ended, p.seeds, left)
	case r.row.status != engine.StatusFinished && !r.interrupted():
		p.app.say("seed %s %s: %s", r.seed, r.row.status, r.row.err)
	}
}

// run returns the display of one run, which continues after the cycle from.
func (p *sweepProgress) run(from uint64) display { return &seedProgress{sweep: p, cycle: from} }

// done removes the progress bar.
func (p *sweepProgress) done() {
	if p.live != nil {
		p.app.live.Store(nil)
		p.bar.Abort(false)
		p.live.Wait()
	}
}

// seedProgress is the display of one run: it adds its cycles to those of the sweep.
type seedProgress struct {
	sweep *sweepProgress
	cycle uint64
}

// Commit implements engine.Observer; it does nothing.
func (s *seedProgress) Commit(*engine.Commit) {}

// Cycle counts the end of a cycle.
func (s *seedProgress) Cycle(r *engine.CycleReport) {
	now := uint64(r.Row.Cycle)
	if now <= s.cycle {
		return
	}
	p := s.sweep
	p.mu.Lock()
	p.cycles += now - s.cycle
	sum := p.cycles
	p.mu.Unlock()
	s.cycle = now
	if p.bar != nil {
		p.bar.SetCurrent(int64(sum))
	}
}

// waits shows nothing: among the seeds of a sweep others go on. kingdom tail of the run shows it.
func (s *seedProgress) waits(*observe.Wait) {}

func (s *seedProgress) bootstrapProgress() func(engine.Progress) { return func(engine.Progress) {} }

func (s *seedProgress) done() {}
