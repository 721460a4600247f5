package engine

import "kingdom/wire"

// aliases resolves aliases of agents. It changes at boundaries and cycle ends only
// and is read by turns in between.
type aliases map[string]wire.AgentID

func (n aliases) add(id wire.AgentID) {
	alias := id.Alias()
	if other, taken := n[alias]; taken && other != id {
		n[alias] = wire.AgentID{} // not unique: names nobody any more
		return
	}
	n[alias] = id
}

func (n aliases) resolve(alias string) ([32]byte, bool) {
	id, ok := n[alias]
	return id, ok && !id.IsZero()
}
