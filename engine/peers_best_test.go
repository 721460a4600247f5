package engine

import (
	"slices"
	"testing"

	"kingdom/agent"
	"kingdom/memory"
	"kingdom/wire"
)

// An agent follows the peers with whom it had the best dealings and, after them, those who work on topics that it
// knows.
func TestBestPeers_GoodDealingsFirstThenSharedInterests(t *testing.T) {
	a := agent.New(agent.Identity{ID: wire.AgentID{1}}, agent.DefaultLimits)
	a.Memory.Topics = make(memory.TopicNotes, memory.Topics)
	a.Memory.Topics.Prove(memory.TopicTalk)
	peer := func(i int) wire.AgentID { return wire.AgentID{0xB0, byte(i)} }
	for i := range 40 {
		a.Memory.Peers.Observe(peer(i), 1)
	}
	a.Memory.Peers.Serve(peer(30), 1)
	a.Memory.Peers.Help(peer(31), 1)
	a.Memory.Peers.Interest(peer(38), []byte(memory.TopicTalk.String()), 1)
	a.Memory.Peers.Interest(peer(39), []byte(memory.TopicText.String()), 1)
	got := bestPeers(a, nil)
	if len(got) != peersPerAgent || got[0] != peer(30) || got[1] != peer(31) || got[peersByDealings] != peer(38) || slices.Contains(got, peer(39)) {
		t.Errorf("%v", got)
	}
}
