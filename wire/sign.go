//go:build !stded25519

package wire

import (
	"crypto/ed25519"

	voi "github.com/oasisprotocol/curve25519-voi/primitives/ed25519"
)

// The bytes of a signature and the verdict on one are those of crypto/ed25519, in about 60 % of its
// time. TestSignatures_LikeTheStandardLibrary compares the two. Build with the tag stded25519 to do
// without this module (docs/DETERMINISM.md).

// likeStandard makes the module accept exactly what crypto/ed25519 accepts. Its own default is
// stricter about keys and laxer about the equation.
var likeStandard = &voi.Options{Verify: voi.VerifyOptionsStdLib}

// sign returns the 64 bytes of the signature of text.
func sign(key ed25519.PrivateKey, text []byte) []byte { return voi.Sign(voi.PrivateKey(key), text) }

// verifyOwn judges a signature that this process made. It panics if pub has not 32 bytes.
func verifyOwn(pub ed25519.PublicKey, text, sig []byte) bool {
	return voi.VerifyWithOptions(voi.PublicKey(pub), text, sig, likeStandard)
}
