package memory

import (
	"iter"
	"slices"
	"unique"

	"kingdom/wire"
)

// tagNumber is the index of a tag in the tags of an agent, plus one; 0: none.
type tagNumber uint16

// tags are the tags that the models of one agent name or have named. Each is in memory once, however many agents
// know it.
type tags []unique.Handle[string]

// maxTags is the number of tags at which those that no model uses any more are removed. It is twice as many as models can use.
const maxTags = 2 * PeerMax * interestMax

// Interests yields the tags that a peer works on, newest first.
func (m *PeerModels) Interests(p *Peer) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range slices.Backward(p.interests[:p.interestCount()]) {
			if !yield(m.tags.name(n)) {
				return
			}
		}
	}
}

// WorksOn reports whether a topic is among the interests of a peer.
func (m *PeerModels) WorksOn(p *Peer, t Topic) bool {
	return m.tags.indexAmongInterests(p, t.String()) >= 0
}

// Interest notes a tag that the peer works on; a known tag becomes the newest.
func (m *PeerModels) Interest(id wire.AgentID, tag []byte, at wire.Tick) {
	p := m.findOrAdd(id, at)
	i := m.tags.indexAmongInterests(p, string(tag))
	var number tagNumber
	switch {
	case i >= 0:
		number = p.interests[i]
	case p.interestCount() == interestMax:
		i = 0
	}
	if number == 0 {
		number = m.numberOf(string(tag))
	}
	if i >= 0 {
		copy(p.interests[i:], p.interests[i+1:])
		p.interests[interestMax-1] = 0
	}
	p.interests[p.interestCount()] = number
}

// interestCount returns how many interests a peer has.
func (p *Peer) interestCount() int {
	n := 0
	for n < interestMax && p.interests[n] != 0 {
		n++
	}
	return n
}

func (l tags) name(n tagNumber) string { return l[n-1].Value() }

// indexAmongInterests returns the index of a tag among the interests of a peer; -1 if it is not among them.
func (l tags) indexAmongInterests(p *Peer, tag string) int {
	for i, n := range p.interests[:p.interestCount()] {
		if l.name(n) == tag {
			return i
		}
	}
	return -1
}

// numberOf returns the number of a tag, and assigns one if it has none.
func (m *PeerModels) numberOf(tag string) tagNumber {
	h := unique.Make(tag)
	i := slices.Index(m.tags, h)
	if i < 0 {
		if len(m.tags) >= maxTags {
			m.renumber()
		}
		i = len(m.tags)
		m.tags = append(grow(m.tags, maxTags), h)
	}
	return tagNumber(i + 1)
}

// renumber removes the tags that no model uses.
func (m *PeerModels) renumber() {
	old := m.tags
	m.tags = nil
	to := make([]tagNumber, len(old))
	for _, p := range m.list {
		for i, n := range p.interests[:p.interestCount()] {
			if to[n-1] == 0 {
				m.tags = append(m.tags, old[n-1])
				to[n-1] = tagNumber(len(m.tags))
			}
			p.interests[i] = to[n-1]
		}
	}
}

// model returns the stored form of a peer.
func (m *PeerModels) model(p *Peer) PeerModel {
	out := PeerModel{AgentID: p.id.Value(), Competence: p.Competence, Reliability: p.Reliability, LastInteraction: p.LastInteraction()}
	for _, n := range p.interests[:p.interestCount()] {
		out.Interests = append(out.Interests, []byte(m.tags.name(n)))
	}
	return out
}

// peer rebuilds a peer from its stored form and its counts.
func (m *PeerModels) peer(x *PeerModel, c *PeerCount) *Peer {
	p := &Peer{
		id: unique.Make(x.AgentID), Competence: x.Competence, Reliability: x.Reliability, interaction: tick32(x.LastInteraction),
		Successes: c.Successes, Interactions: c.Interactions, Helped: c.Helped, Served: c.Served,
		seen: tick32(c.Seen), reviewed: tick32(c.Reviewed), Last: c.Last, LastSuccess: c.LastSuccess,
		approvals: c.Approvals,
	}
	for i, tag := range x.Interests {
		p.interests[i] = m.numberOf(string(tag))
	}
	return p
}
