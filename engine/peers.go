package engine

import (
	"cmp"
	"slices"

	"kingdom/agent"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/world/realm"
)

const (
	bestPeers  = 24 // named to the bus per agent
	smallWorld = 33 // agents; up to here everybody reads everybody (docs/WORLD.md, delivery)
)

// rankPeers tells the bus whom each agent knows best; default subscriptions
// follow them for the coming cycle.
func rankPeers(r *realm.Realm, c *crew, j job) error {
	all := c.sorted()
	if len(all) <= smallWorld {
		return nil
	}
	alive := make([]*seat, 0, len(all)) // sleepers too: their queues fill, and a resumed run must know whom they follow
	for _, s := range all {
		if s.status != wire.StatusDead {
			alive = append(alive, s)
		}
	}
	j.do = func(s *seat, _ *job) error {
		s.best = best(s.a, s.best[:0])
		return nil
	}
	err := c.do(alive, j)
	for _, s := range alive {
		r.SetPeers(s.id, s.best)
	}
	return err
}

// best appends the peers with the most interactions, then lowest id.
func best(a *agent.Agent, dst []wire.AgentID) []wire.AgentID {
	peers := slices.Clone(a.Memory.Peers.All())
	slices.SortFunc(peers, func(x, y *memory.Peer) int {
		return cmp.Or(-cmp.Compare(x.Interactions, y.Interactions), x.AgentID.Compare(y.AgentID))
	})
	for _, p := range peers[:min(bestPeers, len(peers))] {
		dst = append(dst, p.AgentID)
	}
	return dst
}

// trusted reports whether a mention by a peer wakes the agent: at least half of
// their interactions went well, however long ago.
func trusted(a *agent.Agent, peer wire.AgentID) bool {
	p := a.Memory.Peers.Get(peer)
	return p != nil && p.Ratio() >= mentionTrust
}
