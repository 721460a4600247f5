package main

import (
	"fmt"
	"time"

	"kingdom/engine"
)

var stages = map[engine.Stage]string{
	engine.StageWorld: "world", engine.StageAgents: "agents", engine.StageHash: "hashes", engine.StageStore: "store",
}

// bootstrapProgress returns a function that shows the progress of the bootstrap, which takes a while for a large
// population. It is called from another goroutine than the observer's methods.
func (p *progress) bootstrapProgress() func(engine.Progress) {
	last := p.began
	return func(b engine.Progress) {
		line := "bootstrap: " + stages[b.Stage]
		if b.Stage == engine.StageAgents {
			line = fmt.Sprintf("bootstrap: %d of %d agents", b.Agents, b.AgentsWanted)
		}
		if p.live != nil {
			p.line.Store(&line)
			return
		}
		if now := time.Now(); !p.quiet && now.Sub(last) >= plainLineInterval {
			last = now
			fmt.Fprintln(p.out, line)
		}
	}
}
