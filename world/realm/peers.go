package realm

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

func (b *bus) setPeers(a wire.AgentID, best []wire.AgentID) {
	b.peers[a] = append(b.peers[a][:0], best[:min(len(best), bestPeers)]...)
}

// follow renews the default origins of all agents: the peers they know best, filled
// up from all others by a keyed stream. Up to 33 agents all follow all.
func (b *bus) follow(first wire.Tick) {
	clear(b.followers)
	b.everybody = nil
	if len(b.order) <= defaultOrigins+1 {
		b.everybody = make([]*queue, 0, len(b.order))
		for _, a := range b.order {
			b.everybody = append(b.everybody, b.queues[a])
		}
		return
	}
	var stream det.Stream
	var origins []wire.AgentID
	for _, a := range b.order {
		origins = origins[:0]
		for _, p := range b.peers[a] {
			if p != a && b.queues[p] != nil && !slices.Contains(origins, p) {
				origins = append(origins, p)
			}
		}
		stream.Reset(b.rules.Seed, det.PeersSample, a, uint64(first))
		for len(origins) < defaultOrigins {
			if p := b.order[stream.IntN(len(b.order))]; p != a && !slices.Contains(origins, p) {
				origins = append(origins, p)
			}
		}
		for _, o := range origins {
			b.followers[o] = append(b.followers[o], b.queues[a])
		}
	}
}
