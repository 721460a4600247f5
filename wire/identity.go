package wire

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
)

// systemKeys and systemIDs are computed once; the keys are public constants, so an envelope
// that claims a system source is never accepted from an agent or a worker.
var (
	systemKeys = makeSystemKeys()
	systemIDs  = makeSystemIDs()
	reserveKey = namedKey("RESERVE_0")
)

// ReserveID is the owner of the reserve account. It never sends a message.
var ReserveID = IDOf(reserveKey.Public().(ed25519.PublicKey))

// SystemName returns the identity name of a system, such as "NEXUS_0".
func SystemName(s System) string { return s.String() + "_0" }

// SystemID returns the id of a system. It panics on a value outside the enum.
func SystemID(s System) AgentID { return systemIDs[s-1] }

// SystemKey returns the key pair of a system (docs/WIRE.md, identities).
func SystemKey(s System) ed25519.PrivateKey { return systemKeys[s-1] }

// SystemOf tells which system an id belongs to; ok is false for agents and the reserve.
func SystemOf(id AgentID) (s System, ok bool) {
	for i, v := range systemIDs {
		if v == id {
			return System(i + 1), true
		}
	}
	return 0, false
}

// IsSystem reports whether the id is that of one of the ten systems or of the reserve.
func IsSystem(id AgentID) bool {
	_, ok := SystemOf(id)
	return ok || id == ReserveID
}

// IDOf derives an id from a public key.
func IDOf(pub ed25519.PublicKey) AgentID { return sha256.Sum256(pub) }

// WorldSeed turns the text of a seed into the 32 bytes that are part of the key of every random stream of a world.
func WorldSeed(text string) Hash {
	return sha256.Sum256(append([]byte("KINGDOM_WORLD:"), text...))
}

// AgentKey derives the key pair of the agent with a spawn index, counted from 1.
func AgentKey(worldSeed Hash, spawnIndex uint64) ed25519.PrivateKey {
	b := make([]byte, 0, 14+32+8)
	b = append(b, "KINGDOM_AGENT:"...)
	b = append(b, worldSeed[:]...)
	b = binary.BigEndian.AppendUint64(b, spawnIndex)
	seed := sha256.Sum256(b)
	return ed25519.NewKeyFromSeed(seed[:])
}

// AgentIDAt returns the id that AgentKey's public key has.
func AgentIDAt(worldSeed Hash, spawnIndex uint64) AgentID {
	return IDOf(AgentKey(worldSeed, spawnIndex).Public().(ed25519.PublicKey))
}

func namedKey(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("KINGDOM_SYSTEM:" + name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func makeSystemKeys() (keys [10]ed25519.PrivateKey) {
	for i := range keys {
		keys[i] = namedKey(SystemName(System(i + 1)))
	}
	return keys
}

func makeSystemIDs() (ids [10]AgentID) {
	for i, k := range systemKeys {
		ids[i] = IDOf(k.Public().(ed25519.PublicKey))
	}
	return ids
}

// ServiceID is the id of a service that FORGE_0 offers: SHA-256("KINGDOM_SERVICE:" + name).
func ServiceID(name string) Hash { return sha256.Sum256([]byte("KINGDOM_SERVICE:" + name)) }

// ChannelID is the id of a system channel: SHA-256("KINGDOM_CHANNEL:" + name).
func ChannelID(name string) Hash { return sha256.Sum256([]byte("KINGDOM_CHANNEL:" + name)) }
