package wire

import "testing"

// The transitions of docs/WORLD.md (Nexus, status); everything else is illegal, staying too.
func TestAgentStatus_MayBecome(t *testing.T) {
	legal := map[[2]AgentStatus]bool{
		{StatusEmbryo, StatusActive}:  true,
		{StatusEmbryo, StatusDead}:    true,
		{StatusActive, StatusDormant}: true,
		{StatusActive, StatusDead}:    true,
		{StatusDormant, StatusActive}: true,
		{StatusDormant, StatusDead}:   true,
	}
	for from := range StatusDead + 2 { // with those that no status has
		for to := range StatusDead + 2 {
			if got, want := from.MayBecome(to), legal[[2]AgentStatus{from, to}]; got != want {
				t.Errorf("%v to %v: legal %t, want %t", from, to, got, want)
			}
		}
	}
}
