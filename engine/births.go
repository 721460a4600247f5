package engine

import (
	"slices"

	"kingdom/agent"
	"kingdom/wire"
)

// births has what operators give agents that they spawn.
type births struct {
	given map[wire.AgentID]agent.Birth // to agents that have no seat yet
	names []string                     // of all agents, by spawn index less one, "" for those without one; may be shorter than the population
}

// newBirths begins with the names of the bootstrap population.
func newBirths(names []string) *births {
	return &births{given: map[wire.AgentID]agent.Birth{}, names: names}
}

// take returns what an agent that is about to get a seat was given.
func (b *births) take(id wire.AgentID) agent.Birth {
	given := b.given[id]
	delete(b.given, id)
	return given
}

// addName adds the name that an agent was given, if any.
func (b *births) addName(a *agent.Agent) {
	if a.Birth.Name == "" {
		return
	}
	names := slices.Clone(b.names) // batches that are being stored hold the slice
	for uint64(len(names)) < a.SpawnIndex {
		names = append(names, "")
	}
	names[a.SpawnIndex-1] = a.Birth.Name
	b.names = names
}
