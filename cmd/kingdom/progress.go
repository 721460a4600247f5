package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/wire"
)

// progress shows the progress of a run: a progress bar on a terminal, plain lines
// otherwise.
type progress struct {
	app        *app
	out        io.Writer
	total      uint64
	trial      string // "trial run 2 of 11, " where there are several; each has one plain line
	began      time.Time
	lastLineAt time.Time

	live *mpb.Progress
	bar  *mpb.Bar
	line atomic.Pointer[string]
	wait atomic.Pointer[string] // for whom a tick waits; nil: for nobody

	names    map[wire.AgentID]string // of agents, to say for whom a tick waits
	waitTold time.Time               // of a wait that goes on, in plain lines

	ticks uint64 // agent-ticks seen
	nops  uint64
	quiet bool
}

// plainLineInterval is the shortest time between two plain lines.
const plainLineInterval = time.Second

func newProgress(a *app, cycles uint64) *progress { return newTrialProgress(a, cycles, "") }

// newTrialProgress is the progress of one of several runs, which trial names.
func newTrialProgress(a *app, cycles uint64, trial string) *progress {
	p := &progress{app: a, trial: trial, out: a.err, total: cycles, began: time.Now(), quiet: a.json}
	if f, ok := a.err.(*os.File); ok && !a.json && isatty.IsTerminal(f.Fd()) {
		p.live = mpb.New(mpb.WithOutput(f), mpb.WithWidth(24), mpb.WithRefreshRate(100*time.Millisecond))
		a.live.Store(p.live)
		p.bar = p.live.AddBar(int64(cycles),
			mpb.PrependDecorators(decor.Any(func(s decor.Statistics) string { return fmt.Sprintf("%scycle %d/%d", trial, s.Current, s.Total) }, decor.WC{W: 14})),
			mpb.AppendDecorators(
				decor.Any(func(decor.Statistics) string {
					text := "bootstrap"
					if l := p.line.Load(); l != nil {
						text = *l
					}
					if w := p.wait.Load(); w != nil {
						text += " · " + *w
					}
					return text
				}),
				decor.Name(" · ETA "), decor.AverageETA(decor.ET_STYLE_GO),
			))
	}
	return p
}

// Commit says which inputs have just come from outside, and whether the world refused them.
func (p *progress) Commit(c *engine.Commit) {
	for i := range c.Inputs {
		in := &c.Inputs[i]
		if in.File == "" {
			continue // the scenario has it
		}
		text := in.Do
		if !in.Agent.IsZero() {
			text += " " + in.Agent.Alias()
		}
		if in.What != "" {
			text += ": " + in.What
		}
		if in.Refused != "" {
			text += "; " + in.Refused
		}
		p.app.say("cycle %d: input from outside: %s", c.Cycle, text)
	}
}

// Cycle shows the end of a cycle.
func (p *progress) Cycle(r *engine.CycleReport) {
	p.ticks += r.Metrics.AgentTicks
	p.nops += r.Metrics.NOPs
	nops := 0.0
	if r.Metrics.AgentTicks > 0 {
		nops = 100 * float64(r.Metrics.NOPs) / float64(r.Metrics.AgentTicks)
	}
	rate := float64(p.ticks) / max(time.Since(p.began).Seconds(), 1e-3)
	line := fmt.Sprintf("%d active, %d dormant · NOP %.0f %% · %.0f ticks/s", r.Row.Active, r.Row.Dormant, nops, rate)
	p.show(uint64(r.Row.Cycle), line)
}

// waitLineInterval is the shortest time between two lines about one wait.
const waitLineInterval = 30 * time.Second

// waits shows for whom a tick waits; nil: for nobody.
func (p *progress) waits(w *observe.Wait) {
	if w == nil {
		p.wait.Store(nil)
		p.waitTold = time.Time{}
		return
	}
	now := time.Now()
	text := w.Text(p.names, now)
	p.wait.Store(&text)
	if p.live == nil && !p.quiet && p.trial == "" && now.Sub(p.waitTold) >= waitLineInterval {
		p.waitTold = now
		fmt.Fprintln(p.out, text)
	}
}

// replayed shows a cycle that a replay found equal.
func (p *progress) replayed(cycle, _ uint64) { p.show(cycle, "same") }

func (p *progress) show(cycle uint64, line string) {
	if p.live != nil {
		p.line.Store(&line)
		p.bar.SetCurrent(int64(cycle))
		return
	}
	if p.quiet || p.trial != "" && cycle != p.total || (time.Since(p.lastLineAt) < plainLineInterval && cycle != p.total) {
		return
	}
	p.lastLineAt = time.Now()
	eta := ""
	if cycle > 0 && cycle < p.total {
		eta = fmt.Sprintf(" · ETA %s", (time.Since(p.began) * time.Duration(p.total-cycle) / time.Duration(cycle)).Round(time.Second))
	}
	of := ""
	if p.total >= cycle && p.total > 0 { // a run that goes on while it is replayed has more cycles than it had
		of = fmt.Sprintf("/%d", p.total)
	}
	fmt.Fprintf(p.out, "%scycle %d%s · %s%s\n", p.trial, cycle, of, line, eta)
}

// done removes the progress bar; a second call does nothing.
func (p *progress) done() {
	if p.live != nil {
		p.app.live.Store(nil)
		p.bar.Abort(false)
		p.live.Wait()
		p.live = nil
	}
}
