//go:build stded25519

package wire

import "crypto/ed25519"

// sign returns the 64 bytes of the signature of text.
func sign(key ed25519.PrivateKey, text []byte) []byte { return ed25519.Sign(key, text) }

// verifyOwn judges a signature that this process made. It panics if pub has not 32 bytes.
func verifyOwn(pub ed25519.PublicKey, text, sig []byte) bool { return ed25519.Verify(pub, text, sig) }
