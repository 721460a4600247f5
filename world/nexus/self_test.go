package nexus

import (
	"testing"

	"kingdom/wire"
)

// A runtime reports on its own agent only; a query may be about any agent.
func TestStatus_ReportOnOtherAgentIsRefused(t *testing.T) {
	l := newLab(t, 2)
	streak := uint32(wire.NOPWarning)
	if got := l.do(l.ids[0], &wire.AgentStatusMsg{AgentID: l.ids[1], NopStreak: &streak}); got != "not_self" {
		t.Errorf("a report on another agent: %q, want not_self", got)
	}
	if got := l.do(l.ids[0], &wire.AgentStatusMsg{AgentID: l.ids[1]}); got != "" {
		t.Errorf("a question about another agent is refused: %s", got)
	}
}
