package llm

import (
	"testing"

	"kingdom/wire"
	"kingdom/world/agora"
)

// Every agent knows the system channels by name, but not that of a project.
func TestSystemChannels_AreThoseOfAgora(t *testing.T) {
	known := 0
	for _, name := range agora.SystemChannels() {
		id := wire.ChannelID(name)
		if name == "starlark" {
			if ChannelName(id) != "" {
				t.Errorf("#%s is a project's channel, and prompts know it by name", name)
			}
			continue
		}
		known++
		if got, ok := systemChannel("#" + name); !ok || got != id || ChannelName(id) != name {
			t.Errorf("prompts do not know #%s", name)
		}
	}
	if known != len(systemChannels) {
		t.Errorf("prompts know %d system channels, Agora has %d", len(systemChannels), known)
	}
}
