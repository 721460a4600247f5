package memory

import (
	"iter"
	"slices"
	"unique"

	"kingdom/wire"
)

// tagNumber is the place of a tag among those that the models of an agent name, plus one; 0: none.
type tagNumber uint16

// tags are the tags that the models of one agent name or have named. Each is in memory once, however many agents
// know it.
type tags []unique.Handle[string]

// tagsMost is how many tags there may be, twice as many as models can name, until those that no model names any more go.
const tagsMost = 2 * peerMax * interestMax

// Interests yields the tags that a peer works on, newest first.
func (m *PeerModels) Interests(p *Peer) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range slices.Backward(p.interests[:p.tagged()]) {
			if !yield(m.tags.name(n)) {
				return
			}
		}
	}
}

// WorksOn reports whether a topic is among the interests of a peer.
func (m *PeerModels) WorksOn(p *Peer, t Topic) bool { return m.tags.among(p, t.String()) >= 0 }

// Interest notes a tag that the peer works on; a known tag becomes the newest.
func (m *PeerModels) Interest(id wire.AgentID, tag []byte, at wire.Tick) {
	p := m.findOrAdd(id, at)
	i := m.tags.among(p, string(tag))
	var number tagNumber
	switch {
	case i >= 0:
		number = p.interests[i]
	case p.tagged() == interestMax:
		i = 0
	}
	if number == 0 {
		number = m.numberOf(string(tag))
	}
	if i >= 0 {
		copy(p.interests[i:], p.interests[i+1:])
		p.interests[interestMax-1] = 0
	}
	p.interests[p.tagged()] = number
}

// tagged is how many interests a peer has.
func (p *Peer) tagged() int {
	n := 0
	for n < interestMax && p.interests[n] != 0 {
		n++
	}
	return n
}

func (l tags) name(n tagNumber) string { return l[n-1].Value() }

// among is the place of a tag among the interests of a peer; -1: it is none of them.
func (l tags) among(p *Peer, tag string) int {
	for i, n := range p.interests[:p.tagged()] {
		if l.name(n) == tag {
			return i
		}
	}
	return -1
}

// numberOf is the number of a tag, which gets one if it has none.
func (m *PeerModels) numberOf(tag string) tagNumber {
	h := unique.Make(tag)
	i := slices.Index(m.tags, h)
	if i < 0 {
		if len(m.tags) >= tagsMost {
			m.renumber()
		}
		i = len(m.tags)
		m.tags = append(grow(m.tags, tagsMost), h)
	}
	return tagNumber(i + 1)
}

// renumber forgets the tags that no model names.
func (m *PeerModels) renumber() {
	old := m.tags
	m.tags = nil
	to := make([]tagNumber, len(old))
	for _, p := range m.list {
		for i, n := range p.interests[:p.tagged()] {
			if to[n-1] == 0 {
				m.tags = append(m.tags, old[n-1])
				to[n-1] = tagNumber(len(m.tags))
			}
			p.interests[i] = to[n-1]
		}
	}
}

// model is the stored form of a peer.
func (m *PeerModels) model(p *Peer) PeerModel {
	out := PeerModel{AgentID: p.id.Value(), Competence: p.Competence, Reliability: p.Reliability, LastInteraction: p.LastInteraction()}
	for _, n := range p.interests[:p.tagged()] {
		out.Interests = append(out.Interests, []byte(m.tags.name(n)))
	}
	return out
}

// peer is what a stored form and its counts stand for.
func (m *PeerModels) peer(x *PeerModel, c *PeerCount) *Peer {
	p := &Peer{
		id: unique.Make(x.AgentID), Competence: x.Competence, Reliability: x.Reliability, interaction: stamp(x.LastInteraction),
		Successes: c.Successes, Interactions: c.Interactions, Helped: c.Helped, Served: c.Served,
		seen: stamp(c.Seen), reviewed: stamp(c.Reviewed), Last: c.Last, Well: c.Well,
	}
	for i, tag := range x.Interests {
		p.interests[i] = m.numberOf(string(tag))
	}
	return p
}
