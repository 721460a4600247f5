package agent

import (
	"crypto/ed25519"

	"kingdom/wire"
)

// Identity is the part of an agent that never changes.
type Identity struct {
	ID         wire.AgentID
	Key        ed25519.PrivateKey
	SpawnIndex uint64 // from 1
	SpawnTick  wire.Tick
	Genome     wire.Genome
}

// Birth is what an operator gave an agent when it spawned it.
type Birth struct {
	Name    string `kdom:"name,opt"`    // for people; agents never see it
	Persona string `kdom:"persona,opt"` // free text about it in its prompts
	Mind    string `kdom:"mind,opt"`    // what thinks for it; "": what thinks for all newcomers
}

// NewIdentity derives key and id of an agent from the world seed and its spawn index (from 1).
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
