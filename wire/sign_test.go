package wire

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/oasisprotocol/curve25519-voi/curve"
	"github.com/oasisprotocol/curve25519-voi/curve/scalar"
)

// TestSignatures_LikeTheStandardLibrary compares the faster implementation with crypto/ed25519: equal
// bytes of every signature, and equal verdicts also where implementations are known to differ, on keys
// and points of small order, on other spellings of a point, and on S that is not below the group's order.
func TestSignatures_LikeTheStandardLibrary(t *testing.T) {
	c := &signatureCompare{T: t}
	t.Run("random and damaged", c.damaged)
	t.Run("small-order and non-canonical A and R", c.smallOrder)
	t.Run("honest S under keys with a part of small order", c.mixedOrder)
	if c.good < 100 || c.bad < 100 {
		t.Errorf("%d good and %d bad signatures were compared: the comparison says little", c.good, c.bad)
	}
}

// signatureCompare counts the verdicts of the standard library.
type signatureCompare struct {
	*testing.T
	good, bad int
}

func (c *signatureCompare) verdict(t *testing.T, pub, text, sig []byte) bool {
	t.Helper()
	want := ed25519.Verify(pub, text, sig)
	if got := verifyOwn(pub, text, sig); got != want {
		t.Errorf("key %x text %x signature %x: verdict %v, crypto/ed25519 says %v", pub, text, sig, got, want)
	}
	if want {
		c.good++
	} else {
		c.bad++
	}
	return want
}

func (c *signatureCompare) damaged(t *testing.T) {
	rnd := rand.NewChaCha8(WorldSeed("signatures"))
	for i := range 100 {
		seed, text := make([]byte, ed25519.SeedSize), make([]byte, i*3)
		_, _ = rnd.Read(seed)
		_, _ = rnd.Read(text)
		key := ed25519.NewKeyFromSeed(seed)
		pub := key.Public().(ed25519.PublicKey)
		sig := sign(key, text)
		if want := ed25519.Sign(key, text); !bytes.Equal(sig, want) {
			t.Fatalf("key %x text %x: signature %x, crypto/ed25519 makes %x", seed, text, sig, want)
		}
		if !c.verdict(t, pub, text, sig) {
			t.Fatalf("key %x text %x: the signature just made is refused", seed, text)
		}
		for _, b := range [][]byte{pub, text, sig} {
			for range min(len(b), 20) {
				bit := int(rnd.Uint64() % uint64(len(b)*8))
				b[bit/8] ^= 1 << (bit % 8)
				c.verdict(t, pub, text, sig)
				b[bit/8] ^= 1 << (bit % 8)
			}
		}
		for range 15 { // S + L, S + 2L, … the same number to a lax verifier
			addOrder(sig[32:])
			c.verdict(t, pub, text, sig)
		}
		c.verdict(t, pub, text, sig[:63])
	}
}

// addOrder adds the order of the group to a little-endian number of 32 bytes.
func addOrder(s []byte) {
	order := unhex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	carry := 0
	for i := range s {
		carry += int(s[i]) + int(order[i])
		s[i], carry = byte(carry), carry>>8
	}
}

// oddPoints are encodings of the eight points of small order, all encodings of y that are not below
// the field's order, and two that are ordinary, each with both signs.
func oddPoints() (points [][]byte) {
	ys := [][]byte{
		unhex("0100000000000000000000000000000000000000000000000000000000000000"),
		unhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
		unhex("0000000000000000000000000000000000000000000000000000000000000000"),
		unhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
		unhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
		AgentKey(Hash{}, 1).Public().(ed25519.PublicKey), AgentKey(Hash{}, 2).Public().(ed25519.PublicKey),
	}
	for low := 0xed; low <= 0xff; low++ {
		y := bytes.Repeat([]byte{0xff}, 32)
		y[0], y[31] = byte(low), 0x7f
		ys = append(ys, y)
	}
	for _, y := range ys {
		minus := bytes.Clone(y)
		minus[31] ^= 0x80
		points = append(points, y, minus)
	}
	return points
}

func (c *signatureCompare) smallOrder(t *testing.T) {
	points := oddPoints()
	if len(points) != 52 {
		t.Fatalf("%d odd points, want 52", len(points))
	}
	before := c.good
	for _, a := range points {
		for _, r := range points {
			c.verdict(t, a, []byte("other S"), append(bytes.Clone(r), bytes.Repeat([]byte{1}, 32)...))
			for text := range byte(2) { // the hash of another text is another multiple of a point of order 8
				c.verdict(t, a, []byte{text}, append(bytes.Clone(r), make([]byte, 32)...)) // S = 0
			}
		}
	}
	if c.good == before {
		t.Error("crypto/ed25519 accepted none of them; it is known to accept some")
	}
}

// mixedOrder signs as the owner of a key would who added a point of small order to it, or whose key
// is such a point, and likewise for R. A verifier that multiplies by the cofactor accepts all of them,
// crypto/ed25519 those where the hash happens to cancel the added point.
func (c *signatureCompare) mixedOrder(t *testing.T) {
	var torsion []*curve.EdwardsPoint
	for _, b := range oddPoints()[:10] {
		if p := point(b); p != nil {
			torsion = append(torsion, p)
		}
	}
	good, bad := c.good, c.bad
	for i := range 8 {
		for _, added := range torsion {
			for _, addedR := range torsion[:1+i%2*(len(torsion)-1)] {
				secret, nonce := number(i), number(100+i)
				if i%4 == 3 {
					secret = scalar.New() // the key is the point of small order
				}
				a := encoded(times(secret), added)
				r := encoded(times(nonce), addedR)
				text := []byte{byte(i), 1}
				h := sha512.Sum512(append(append(bytes.Clone(r), a...), text...))
				k, _ := scalar.NewFromBytesModOrderWide(h[:])
				s := scalar.New().Mul(k, secret)
				s.Add(s, nonce)
				sig := append(bytes.Clone(r), make([]byte, 32)...)
				if err := s.ToBytes(sig[32:]); err != nil {
					t.Fatal(err)
				}
				c.verdict(t, a, text, sig)
			}
		}
	}
	if c.good == good || c.bad == bad {
		t.Errorf("crypto/ed25519 accepted %d and refused %d of them, want some of each", c.good-good, c.bad-bad)
	}
}

func times(s *scalar.Scalar) *curve.EdwardsPoint {
	return curve.NewEdwardsPoint().MulBasepoint(curve.ED25519_BASEPOINT_TABLE, s)
}

func encoded(a, b *curve.EdwardsPoint) []byte {
	sum := curve.NewEdwardsPoint().Add(a, b)
	return curve.NewCompressedEdwardsY().SetEdwardsPoint(sum)[:]
}

// point decodes an encoding; nil if it is none of a point.
func point(b []byte) *curve.EdwardsPoint {
	y, err := curve.NewCompressedEdwardsYFromBytes(b)
	if err != nil {
		return nil
	}
	p, err := curve.NewEdwardsPoint().SetCompressedY(y)
	if err != nil {
		return nil
	}
	return p
}

func number(i int) *scalar.Scalar {
	h := sha512.Sum512([]byte{byte(i)})
	s, _ := scalar.NewFromBytesModOrderWide(h[:])
	return s
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// FuzzSignatures_LikeTheStandardLibrary compares verdicts on whatever the fuzzer finds.
func FuzzSignatures_LikeTheStandardLibrary(f *testing.F) {
	key := AgentKey(WorldSeed("42"), 1)
	f.Add([]byte(key.Public().(ed25519.PublicKey)), []byte("text"), ed25519.Sign(key, []byte("text")))
	for _, p := range oddPoints() {
		f.Add(p, []byte("text"), append(bytes.Clone(p), make([]byte, 32)...))
	}
	f.Fuzz(func(t *testing.T, pub, text, sig []byte) {
		if len(pub) != ed25519.PublicKeySize {
			return // both panic; callers check the length
		}
		(&signatureCompare{}).verdict(t, pub, text, sig)
	})
}
