package agent

// Lengths of a NOP streak at which the runtime reports to Nexus (docs/AGENT.md, idling).
const (
	// NOPWarning is the streak that warns.
	NOPWarning = 3
	// NOPDormant is the streak at which an agent falls dormant.
	NOPDormant = 10
)

// NOP extends the streak by one and reports whether its new length is one that must be
// reported: it became NOPWarning or NOPDormant.
func (a *Agent) NOP() (report bool) {
	a.NOPStreak++
	return a.NOPStreak == NOPWarning || a.NOPStreak == NOPDormant
}

// Acted ends the streak: the agent sent something, whether or not the world took it.
func (a *Agent) Acted() { a.NOPStreak = 0 }
