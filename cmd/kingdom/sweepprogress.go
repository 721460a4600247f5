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
)

// sweepProgress shows how all runs of a sweep go: a live line on a terminal, otherwise a line
// when a seed ends.
type sweepProgress struct {
	app   *app
	live  *mpb.Progress
	bar   *mpb.Bar
	began time.Time

	mu                            sync.Mutex
	seeds, ended, failed, running int
	cycles, of                    uint64 // that this command has to carry out, and has
}

// newSweepProgress shows what is to come: of cycles in all, with some of the seeds finished already.
func newSweepProgress(a *app, seeds, finished int, of uint64) *sweepProgress {
	p := &sweepProgress{app: a, began: time.Now(), seeds: seeds, ended: finished, of: of}
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

// begin counts a run that begins.
func (p *sweepProgress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running++
}

// end counts a run that ended and says so.
func (p *sweepProgress) end(r *sweepRun) {
	p.mu.Lock()
	p.running--
	p.ended++
	if r.row.status != engine.StatusFinished {
		p.failed++
	}
	ended, left := p.ended, ""
	if p.cycles > 0 && p.cycles < p.of {
		left = fmt.Sprintf(" · ETA %s", (time.Since(p.began) * time.Duration(p.of-p.cycles) / time.Duration(p.cycles)).Round(time.Second))
	}
	p.mu.Unlock()
	switch {
	case p.app.json:
	case p.live == nil:
		why := ""
		if r.row.err != "" && r.row.status != engine.StatusInterrupted {
			why = ": " + r.row.err
		}
		fmt.Fprintf(p.app.err, "seed %s %s at cycle %d%s · %d/%d seeds%s\n", r.seed, r.row.status, r.row.cycle.Cycle, why, ended, p.seeds, left)
	case r.row.status != engine.StatusFinished && r.row.status != engine.StatusInterrupted:
		p.app.say("seed %s %s: %s", r.seed, r.row.status, r.row.err)
	}
}

// run returns the display of one run, which begins behind the cycle from.
func (p *sweepProgress) run(from uint64) display { return &seedProgress{all: p, at: from} }

// done ends the live line.
func (p *sweepProgress) done() {
	if p.live != nil {
		p.app.live.Store(nil)
		p.bar.Abort(false)
		p.live.Wait()
	}
}

// seedProgress adds the cycles of one run to those of all.
type seedProgress struct {
	all *sweepProgress
	at  uint64
}

// Commit is of no interest here.
func (s *seedProgress) Commit(*engine.Commit) {}

// Cycle counts the end of a cycle.
func (s *seedProgress) Cycle(r *engine.CycleReport) {
	now := uint64(r.Row.Cycle)
	if now <= s.at {
		return
	}
	p := s.all
	p.mu.Lock()
	p.cycles += now - s.at
	sum := p.cycles
	p.mu.Unlock()
	s.at = now
	if p.bar != nil {
		p.bar.SetCurrent(int64(sum))
	}
}

func (s *seedProgress) bootstrap() func(engine.Progress) { return func(engine.Progress) {} }

func (s *seedProgress) done() {}
