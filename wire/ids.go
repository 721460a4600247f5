package wire

import (
	"bytes"
	"encoding/hex"

	"kingdom/wire/codec"
)

// Hash is a SHA-256 digest. Most things that a message creates have one as id.
type Hash [32]byte

// AgentID names an agent or a system: the SHA-256 of its public key.
type AgentID [32]byte

// Signature is an Ed25519 signature.
type Signature [64]byte

// Broadcast is the target of messages to everybody: 32 bytes FF.
var Broadcast = AgentID{
	0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
}

// String returns 64 lower-case hex digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether all 32 bytes are zero, the mark of an absent component.
func (h Hash) IsZero() bool { return h == Hash{} }

// Compare orders hashes bytewise, like bytes.Compare.
func (h Hash) Compare(o Hash) int { return bytes.Compare(h[:], o[:]) }

// String returns 64 lower-case hex digits.
func (a AgentID) String() string { return hex.EncodeToString(a[:]) }

// Alias returns the first 8 hex digits, for display and for prompts. It is not unique.
func (a AgentID) Alias() string {
	var room [8]byte
	hex.Encode(room[:], a[:4])
	return string(room[:])
}

// IsZero reports whether the id is unset.
func (a AgentID) IsZero() bool { return a == AgentID{} }

// Compare orders ids bytewise, like bytes.Compare.
func (a AgentID) Compare(o AgentID) int { return bytes.Compare(a[:], o[:]) }

// String returns 128 lower-case hex digits.
func (s Signature) String() string { return hex.EncodeToString(s[:]) }

// ParseHash reads 64 hex digits.
func ParseHash(s string) (Hash, error) {
	var h Hash
	return h, codec.WithOp(codec.ParseHex(h[:], s), "parse hash")
}

// ParseAgentID reads 64 hex digits; aliases need an [codec.AliasResolver].
func ParseAgentID(s string) (AgentID, error) {
	var a AgentID
	return a, codec.WithOp(codec.ParseHex(a[:], s), "parse agent id")
}
