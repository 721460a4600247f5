package main

import (
	"fmt"
	"time"

	"kingdom/engine"
)

var stages = map[engine.Stage]string{
	engine.StageWorld: "world", engine.StageAgents: "agents", engine.StageHash: "hashes", engine.StageStore: "store",
}

// bootstrap returns what shows how far the bootstrap is: a large population takes a while.
// It is called in another goroutine than the observer's methods.
func (p *progress) bootstrap() func(engine.Progress) {
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
		if now := time.Now(); !p.quiet && now.Sub(last) >= plainEvery {
			last = now
			fmt.Fprintln(p.out, line)
		}
	}
}
