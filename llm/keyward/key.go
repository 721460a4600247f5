package keyward

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
)

// MaxKey is the largest length of a key in bytes.
const MaxKey = 8 << 10

// ErrEmpty says that a file or line that should contain a key is empty.
var ErrEmpty = errors.New("it is empty")

// Key is the key of an endpoint. The zero value is no key. Formatting it in any way,
// alone or inside another value, does not show it.
type Key struct {
	sealed      []byte // nonce and ciphertext under the master key of the process
	fingerprint string
}

// New returns the key in text, without surrounding space, and overwrites text. The error never contains any of it.
func New(text []byte) (Key, error) {
	defer clear(text)
	secret := bytes.TrimSpace(text)
	switch {
	case len(secret) == 0:
		return Key{}, ErrEmpty
	case len(secret) > MaxKey:
		return Key{}, fmt.Errorf("it is longer than %d bytes, which no key is", MaxKey)
	case bytes.ContainsFunc(secret, func(r rune) bool { return r < 0x21 || r > 0x7E }):
		return Key{}, errors.New("it has a space, a line break or a character that no key has")
	}
	gcm := master()
	nonce := make([]byte, gcm.NonceSize(), gcm.NonceSize()+len(secret)+gcm.Overhead())
	_, _ = rand.Read(nonce) // never fails
	sum := sha256.Sum256(secret)
	return Key{sealed: gcm.Seal(nonce, nonce, secret, nil), fingerprint: hex.EncodeToString(sum[:8])}, nil
}

// master is the cipher that encrypts keys in memory. Its key exists only in this process.
var master = sync.OnceValue(func() cipher.AEAD {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret)
	block, err := aes.NewCipher(secret)
	if err != nil {
		panic("keyward: " + err.Error())
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic("keyward: " + err.Error())
	}
	return gcm
})

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.sealed == nil }

// Reveal returns the key itself, "" if there is none.
func (k Key) Reveal() string {
	if k.IsZero() {
		return ""
	}
	gcm := master()
	n := gcm.NonceSize()
	secret, err := gcm.Open(nil, k.sealed[:n], k.sealed[n:], nil)
	if err != nil {
		panic("keyward: a key in memory was overwritten")
	}
	defer clear(secret)
	return string(secret)
}

// Fingerprint returns the first eight bytes of the key's SHA-256 in hex, so that people can tell keys apart; "" for
// the zero Key.
func (k Key) Fingerprint() string { return k.fingerprint }

// String returns the fingerprint.
func (k Key) String() string {
	if k.IsZero() {
		return "no key"
	}
	return "key " + k.fingerprint
}

// GoString returns the fingerprint.
func (k Key) GoString() string { return k.String() }

// MarshalText returns the fingerprint, so that no encoder writes the key.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
