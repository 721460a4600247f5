package engine

import (
	"cmp"
	"slices"

	"kingdom/agent"
	"kingdom/memory"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world/realm"
)

const (
	peersPerAgent   = 24 // named to the bus per agent
	peersByDealings = 16 // of them, those with the best dealings; the others share interests
)

// rankPeers sets the best peers of each agent in the bus, for its default subscriptions in the coming cycle.
func rankPeers(r *realm.Realm, c *agentPool, j job) error {
	all := c.ascending()
	if len(all) <= ooda.EverybodyHears {
		return nil
	}
	alive := make([]*seat, 0, len(all)) // dormant agents too: their queues fill, and a resumed run must know whom they follow
	for _, s := range all {
		if s.status != wire.StatusDead {
			alive = append(alive, s)
		}
	}
	j.do = func(s *seat, _ *job) error {
		s.bestPeers = bestPeers(s.a, s.bestPeers[:0])
		return nil
	}
	err := c.do(alive, j)
	for _, s := range alive {
		r.SetPeers(s.id, s.bestPeers)
	}
	return err
}

// bestPeers appends the peers that the agent follows to dst: first those with the most dealings that went well and answers
// given and got, then those that work on most of the topics that the agent knows. Ties go to the lower id.
func bestPeers(a *agent.Agent, dst []wire.AgentID) []wire.AgentID {
	peers := slices.Clone(a.Memory.Peers.All())
	dealt := func(x, y *memory.Peer) int {
		return cmp.Or(-cmp.Compare(x.Successes+x.Served+x.Helped, y.Successes+y.Served+y.Helped), x.AgentID().Compare(y.AgentID()))
	}
	slices.SortFunc(peers, dealt)
	type near struct {
		*memory.Peer
		shared int
	}
	rest := make([]near, 0, len(peers))
	for _, p := range peers[min(peersByDealings, len(peers)):] {
		rest = append(rest, near{p, shared(a, p)})
	}
	slices.SortFunc(rest, func(x, y near) int { return cmp.Or(-cmp.Compare(x.shared, y.shared), dealt(x.Peer, y.Peer)) })
	for _, p := range peers[:min(peersByDealings, len(peers))] {
		dst = append(dst, p.AgentID())
	}
	for _, p := range rest[:min(peersPerAgent-peersByDealings, len(rest))] {
		dst = append(dst, p.AgentID())
	}
	return dst
}

// shared counts the topics that the agent knows and the peer works on.
func shared(a *agent.Agent, p *memory.Peer) (n int) {
	for t := memory.Topic(1); int(t) <= memory.Topics; t++ {
		if a.Memory.Topics.Know(t) > 0 && a.Memory.Peers.WorksOn(p, t) {
			n++
		}
	}
	return n
}

// trusted reports whether a mention by a peer wakes the agent: at least half of their interactions, however old, were
// successful.
func trusted(a *agent.Agent, peer wire.AgentID) bool {
	p := a.Memory.Peers.Get(peer)
	return p != nil && p.Ratio() >= mentionTrust
}
