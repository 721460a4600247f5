package agent

import (
	"crypto/ed25519"

	"kingdom/wire"
)

// Identity is what never changes about an agent.
type Identity struct {
	ID         wire.AgentID
	Key        ed25519.PrivateKey
	SpawnIndex uint64 // from 1
	SpawnTick  wire.Tick
	Genome     wire.Genome
}

// NewIdentity derives key and id of the agent with a spawn index from the world's seed.
func NewIdentity(worldSeed wire.Hash, spawnIndex uint64, spawnTick wire.Tick, g wire.Genome) Identity {
	key := wire.AgentKey(worldSeed, spawnIndex)
	return Identity{
		ID:         wire.IDOf(key.Public().(ed25519.PublicKey)),
		Key:        key,
		SpawnIndex: spawnIndex,
		SpawnTick:  spawnTick,
		Genome:     g,
	}
}
