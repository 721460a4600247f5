package wire

import (
	"crypto/ed25519"

	"kingdom/wire/codec"
)

// ExecutionProof certifies that a program with a certain input had a certain output. FORGE_0 signs it; anyone can
// check it by running the program again.
type ExecutionProof struct {
	Program   Hash      `kdom:"program"` // an ATOM
	Input     Hash      `kdom:"input"`   // SHA-256 of the bytes
	Output    Hash      `kdom:"output"`  // SHA-256 of the bytes
	TicksUsed uint64    `kdom:"ticks_used"`
	TraceHash Hash      `kdom:"trace_hash"`
	ForgeSig  Signature `kdom:"forge_sig"`
}

// ExecutionProofCodec is that of proofs in snaps and deliveries; decode with DecodeCanonical.
var ExecutionProofCodec = codec.New[ExecutionProof]()

// unsignedProof is an ExecutionProof without its signature.
type unsignedProof struct {
	Program   Hash   `kdom:"program"`
	Input     Hash   `kdom:"input"`
	Output    Hash   `kdom:"output"`
	TicksUsed uint64 `kdom:"ticks_used"`
	TraceHash Hash   `kdom:"trace_hash"`
}

var unsignedProofCodec = codec.New[unsignedProof]()

func (p *ExecutionProof) unsigned() []byte {
	return unsignedProofCodec.Append(nil, &unsignedProof{p.Program, p.Input, p.Output, p.TicksUsed, p.TraceHash})
}

// Sign signs the proof as FORGE_0.
func (p *ExecutionProof) Sign() {
	copy(p.ForgeSig[:], sign(SystemKey(SystemForge), p.unsigned()))
}

// Verify reports whether FORGE_0 signed the proof.
func (p *ExecutionProof) Verify() bool {
	return ed25519.Verify(SystemKey(SystemForge).Public().(ed25519.PublicKey), p.unsigned(), p.ForgeSig[:])
}
