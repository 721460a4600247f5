package keyward

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/nacl/secretbox"
)

// The form of a sealed key file, numbers big-endian:
//
//	offset  bytes  content
//	0       8      "KDOMKEYS"
//	8       1      version, 1
//	9       4      argon2id: passes
//	13      4      argon2id: memory in KiB
//	17      1      argon2id: threads
//	18      16     salt
//	34      24     nonce
//	58      n      secretbox of the names and keys as JSON
//	58+n    32     SHA-256 of all before
//
// The sum tells a damaged file from a wrong passphrase. It keeps no secret and needs
// none: what an attacker changes does not open.
const (
	sealedMagic   = "KDOMKEYS"
	sealedVersion = 1
	headerBytes   = 58
	saltBytes     = 16
	maxSealed     = 1 << 20
)

// MaxKeys is the largest number of keys in a sealed file.
const MaxKeys = 64

// Errors of a sealed file, each with what to do about it.
var (
	ErrPassphrase = errors.New("the passphrase does not open it; try again, or remove the file and set the keys anew")
	ErrDamaged    = errors.New("it is damaged: its checksum differs; restore it from a copy, or remove it and set the keys anew")
	ErrForeign    = errors.New("it is not a sealed key file of kingdom; name another file with KINGDOM_KEYS")
)

// cost is the work that one guess of a passphrase takes.
type cost struct {
	passes, memory uint32 // memory in KiB
	threads        uint8
}

// normalCost is the second recommendation of RFC 9106: about 0.1 s and 64 MiB.
var normalCost = cost{passes: 3, memory: 64 << 10, threads: 4}

// check returns an error for parameters that would take too much memory or time, as a file made by somebody else could.
func (c cost) check() error {
	if c.passes < 1 || c.passes > 16 || c.memory < 8*uint32(c.threads) || c.memory > 1<<20 || c.threads < 1 || c.threads > 16 {
		return fmt.Errorf("its argon2id parameters (%d passes, %d KiB, %d threads) are not those of kingdom; restore it from a copy", c.passes, c.memory, c.threads)
	}
	return nil
}

// sealedFile is a sealed file that was parsed and not decrypted.
type sealedFile struct {
	cost  cost
	salt  [saltBytes]byte
	nonce [24]byte
	box   []byte
}

// parse splits a sealed file into its parts and checks them.
func parse(b []byte) (*sealedFile, error) {
	if len(b) < len(sealedMagic)+1 || string(b[:len(sealedMagic)]) != sealedMagic {
		return nil, ErrForeign
	}
	if v := b[len(sealedMagic)]; v != sealedVersion {
		return nil, fmt.Errorf("its format has version %d, and this build knows version %d; use a newer kingdom", v, sealedVersion)
	}
	if len(b) < headerBytes+secretbox.Overhead+sha256.Size {
		return nil, ErrDamaged
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return nil, ErrDamaged
	}
	s := &sealedFile{cost: cost{binary.BigEndian.Uint32(b[9:]), binary.BigEndian.Uint32(b[13:]), b[17]}, box: body[headerBytes:]}
	copy(s.salt[:], b[18:])
	copy(s.nonce[:], b[34:])
	return s, s.cost.check()
}

// secret derives the key of the secretbox from a passphrase.
func (s *sealedFile) secret(passphrase []byte) *[32]byte {
	return (*[32]byte)(argon2.IDKey(passphrase, s.salt[:], s.cost.passes, s.cost.memory, s.cost.threads, 32))
}

// open decrypts the keys.
func (s *sealedFile) open(passphrase []byte) (map[string]Key, error) {
	secret := s.secret(passphrase)
	defer clear(secret[:])
	body, ok := secretbox.Open(nil, s.box, &s.nonce, secret)
	if !ok {
		return nil, ErrPassphrase
	}
	defer clear(body)
	return decodeKeys(body)
}

// seal makes a sealed file of keys.
func seal(keys map[string]Key, passphrase []byte, c cost) []byte {
	s := sealedFile{cost: c}
	_, _ = rand.Read(s.salt[:]) // never fails
	_, _ = rand.Read(s.nonce[:])
	body := encodeKeys(keys)
	defer clear(body)
	secret := s.secret(passphrase)
	defer clear(secret[:])
	out := append([]byte(sealedMagic), sealedVersion)
	out = binary.BigEndian.AppendUint32(out, c.passes)
	out = binary.BigEndian.AppendUint32(out, c.memory)
	out = append(append(append(out, c.threads), s.salt[:]...), s.nonce[:]...)
	out = secretbox.Seal(out, body, &s.nonce, secret)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

func encodeKeys(keys map[string]Key) []byte {
	plain := make(map[string]string, len(keys))
	for name, k := range keys {
		plain[name] = k.Reveal()
	}
	body, err := json.Marshal(plain) // in the order of the names
	if err != nil {
		panic("keyward: texts cannot be encoded: " + err.Error())
	}
	return body
}

// decodeKeys reads what a sealed file holds. It was authenticated, so what is wrong here
// was written by another program that knew the passphrase.
func decodeKeys(body []byte) (map[string]Key, error) {
	var plain map[string]string
	if err := json.Unmarshal(body, &plain); err != nil {
		return nil, errors.New("it was decrypted, but contains no list of keys; set the keys again")
	}
	if len(plain) > MaxKeys {
		return nil, fmt.Errorf("it holds %d keys; at most %d are taken", len(plain), MaxKeys)
	}
	keys := make(map[string]Key, len(plain))
	for name, text := range plain {
		k, err := New([]byte(text))
		switch {
		case !IsName(name):
			return nil, errors.New("it was decrypted, but contains an invalid name of a key; set the keys again")
		case err != nil:
			return nil, fmt.Errorf("the key %s in it is none: %w; set it anew", name, err)
		}
		keys[name] = k
	}
	return keys, nil
}

// IsName reports whether a text can be the name of a key: 1 to 64 lower-case letters, digits, '-' and '_', beginning
// with a letter. A text that looks like a key itself (sk-…) cannot.
func IsName(s string) bool {
	for i, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '_'):
		default:
			return false
		}
	}
	return s != "" && len(s) <= 64 && !strings.HasPrefix(s, "sk-")
}
