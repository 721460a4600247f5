package wire

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"kingdom/wire/codec"
)

// MaxEnvelope is the largest length of a frame in bytes. A daemon refuses a request whose reply would be longer
// (CodeTooLarge).
const MaxEnvelope = 1 << 20

const (
	frameMagic  = "KDOM"
	framePrefix = 6 // magic and header length
)

// MaxBody is the largest length of a body in bytes that fits into a frame with any header.
const MaxBody = MaxEnvelope - framePrefix - maxHeader

// Envelope is one message: a header and the exact bytes of its body.
type Envelope struct {
	Header
	Body []byte
}

// NewEnvelope builds an unsigned envelope and computes body_hash and msg_id. It keeps body and
// panics on one that no frame can hold.
func NewEnvelope(t MsgType, source, target AgentID, at Tick, body []byte) Envelope {
	if len(body) > MaxBody {
		panic("wire: body too long for an envelope")
	}
	e := Envelope{Body: body, Header: Header{
		Version: ProtocolVersion, Type: t, Source: source, Target: target, Timestamp: at,
		BodyLen: uint32(len(body)), BodyHash: sha256.Sum256(body),
	}}
	e.MsgID = e.computeMsgID()
	return e
}

// computeMsgID hashes the seven identifying fields and, once more, body_hash.
func (h *Header) computeMsgID() Hash {
	var buf [maxHeader]byte
	b := h.append(buf[:0], headerID)
	b = append(b, h.BodyHash[:]...)
	return sha256.Sum256(b)
}

// AppendSigned appends SIGN_BYTES, the map of eight fields that the signature covers.
func (h *Header) AppendSigned(dst []byte) []byte { return h.append(dst, headerSigned) }

// Sign fills the signature with the source's key.
func (e *Envelope) Sign(key ed25519.PrivateKey) {
	var buf [maxHeader]byte
	copy(e.Signature[:], sign(key, e.AppendSigned(buf[:0])))
}

// Verify checks that the public key belongs to the source and that the signature is its own.
func (e *Envelope) Verify(pub ed25519.PublicKey) error {
	var buf [maxHeader]byte
	if len(pub) != ed25519.PublicKeySize || IDOf(pub) != e.Source ||
		!ed25519.Verify(pub, e.AppendSigned(buf[:0]), e.Signature[:]) {
		return &codec.DecodeError{Kind: codec.DecodeKindSignature, Op: "verify envelope", Field: "signature"}
	}
	return nil
}

// AppendFrame appends the whole frame: magic, header length, header, body.
func (e *Envelope) AppendFrame(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, frameMagic+"\x00\x00"...)
	dst = e.AppendHeader(dst)
	binary.BigEndian.PutUint16(dst[start+4:], uint16(len(dst)-start-framePrefix))
	return append(dst, e.Body...)
}

// OpenFrame reads one whole frame: the first step of the receive pipeline. The body shares
// memory with b. It does not check hashes or the signature, see [Envelope.CheckBody].
func OpenFrame(b []byte) (Envelope, error) {
	const op = "open frame"
	var e Envelope
	switch {
	case len(b) < framePrefix:
		return e, &codec.DecodeError{Kind: codec.DecodeKindLength, Op: op, Offset: len(b), Want: "at least 6 bytes"}
	case len(b) > MaxEnvelope:
		return e, &codec.DecodeError{Kind: codec.DecodeKindLength, Op: op, Offset: len(b), Want: "at most 1048576 bytes"}
	case string(b[:4]) != frameMagic:
		return e, &codec.DecodeError{Kind: codec.DecodeKindMagic, Op: op, Want: "KDOM"}
	}
	n := int(binary.BigEndian.Uint16(b[4:]))
	if n > len(b)-framePrefix {
		return e, &codec.DecodeError{Kind: codec.DecodeKindLength, Op: op, Offset: 4, Want: "the whole header"}
	}
	if err := e.DecodeHeader(b[framePrefix : framePrefix+n]); err != nil {
		return Envelope{}, err
	}
	e.Body = b[framePrefix+n:]
	if uint64(len(e.Body)) != uint64(e.BodyLen) {
		return Envelope{}, &codec.DecodeError{Kind: codec.DecodeKindLength, Op: op, Field: "body_len", Offset: framePrefix + n, Want: "exactly body_len bytes of body"}
	}
	return e, nil
}

// AddressedTo reports whether the envelope is for this receiver.
func (h *Header) AddressedTo(me AgentID) bool { return h.Target == me || h.Target == Broadcast }

// CheckBody compares body_hash with the body, the fourth step of the receive pipeline.
func (e *Envelope) CheckBody() error {
	if sum := sha256.Sum256(e.Body); !bytes.Equal(sum[:], e.BodyHash[:]) {
		return &codec.DecodeError{Kind: codec.DecodeKindBodyHash, Op: "check envelope", Field: "body_hash"}
	}
	return nil
}

// CheckMsgID recomputes msg_id, the fifth step of the receive pipeline.
func (e *Envelope) CheckMsgID() error {
	if e.computeMsgID() != e.MsgID {
		return &codec.DecodeError{Kind: codec.DecodeKindMsgID, Op: "check envelope", Field: "msg_id"}
	}
	return nil
}

// Check runs the steps of the receive pipeline that need only the envelope and its sender's
// key: body hash, msg_id, signature. The first failure decides.
func (e *Envelope) Check(pub ed25519.PublicKey) error {
	if err := e.CheckBody(); err != nil {
		return err
	}
	if err := e.CheckMsgID(); err != nil {
		return err
	}
	return e.Verify(pub)
}

// ProtocolCode returns the code with which a receiver answers an error of [Envelope.Check] or
// of a body decoder. A frame that [OpenFrame] refuses is dropped without an answer.
func ProtocolCode(err error) uint32 {
	var e *codec.DecodeError
	if !errors.As(err, &e) {
		return CodeBadBody
	}
	switch e.Kind {
	case codec.DecodeKindBodyHash:
		return CodeBadBodyHash
	case codec.DecodeKindMsgID:
		return CodeBadHeader
	case codec.DecodeKindSignature:
		return CodeBadSignature
	case codec.DecodeKindUnknownType:
		return CodeUnknownType
	default:
		return CodeBadBody
	}
}
