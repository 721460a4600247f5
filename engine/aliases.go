package engine

import "kingdom/wire"

// aliases maps aliases to agents. It changes only at boundaries and cycle ends; turns read it in between.
type aliases map[string]wire.AgentID

func (n aliases) add(id wire.AgentID) {
	alias := id.Alias()
	if other, taken := n[alias]; taken && other != id {
		n[alias] = wire.AgentID{} // ambiguous: resolves to no agent from now on
		return
	}
	n[alias] = id
}

func (n aliases) resolve(alias string) ([32]byte, bool) {
	id, ok := n[alias]
	return id, ok && !id.IsZero()
}
