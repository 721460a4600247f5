package wire

import (
	"bytes"
	"encoding/binary"
)

// ProtocolVersion is the one version of the header that is understood.
const ProtocolVersion = 1

// Bounds of the encoded header; only four integers vary in length.
const (
	minHeader = 284
	maxHeader = 298
)

// Header is the nine fields in front of every body, in wire order.
type Header struct {
	Version   uint8
	Type      MsgType
	MsgID     Hash
	Source    AgentID
	Target    AgentID
	Timestamp Tick
	BodyLen   uint32
	BodyHash  Hash
	Signature Signature
}

// headerPart selects which of the nine fields are written: msg_id is the hash of seven and the
// signature covers eight.
type headerPart uint8

const (
	headerID headerPart = iota + 7
	headerSigned
	headerFull
)

// Encoded keys. The header has an encoder of its own because every message pays for it.
const (
	keyVersion   = "\xa7version"
	keyMsgType   = "\xa8msg_type"
	keyMsgID     = "\xa6msg_id"
	keySource    = "\xa6source"
	keyTarget    = "\xa6target"
	keyTimestamp = "\xa9timestamp"
	keyBodyLen   = "\xa8body_len"
	keyBodyHash  = "\xa9body_hash"
	keySignature = "\xa9signature"
	bin32Head    = "\xc4\x20"
	bin64Head    = "\xc4\x40"
)

func (h *Header) append(dst []byte, part headerPart) []byte {
	dst = append(dst, 0x80|byte(part))
	dst = append(dst, keyVersion...)
	dst = AppendUint(dst, uint64(h.Version))
	dst = append(dst, keyMsgType...)
	dst = AppendUint(dst, uint64(h.Type))
	if part >= headerSigned {
		dst = append(dst, keyMsgID+bin32Head...)
		dst = append(dst, h.MsgID[:]...)
	}
	dst = append(dst, keySource+bin32Head...)
	dst = append(dst, h.Source[:]...)
	dst = append(dst, keyTarget+bin32Head...)
	dst = append(dst, h.Target[:]...)
	dst = append(dst, keyTimestamp...)
	dst = AppendUint(dst, uint64(h.Timestamp))
	dst = append(dst, keyBodyLen...)
	dst = AppendUint(dst, uint64(h.BodyLen))
	dst = append(dst, keyBodyHash+bin32Head...)
	dst = append(dst, h.BodyHash[:]...)
	if part >= headerFull {
		dst = append(dst, keySignature+bin64Head...)
		dst = append(dst, h.Signature[:]...)
	}
	return dst
}

// AppendHeader appends the canonical map of all nine fields, without allocating when dst has
// room.
func (h *Header) AppendHeader(dst []byte) []byte { return h.append(dst, headerFull) }

// DecodeHeader reads a canonical header and refuses every other encoding of the same fields.
func (h *Header) DecodeHeader(b []byte) error {
	const op = "decode header"
	if len(b) < minHeader || len(b) > maxHeader {
		return &DecodeError{Kind: DecodeKindLength, Op: op, Offset: len(b), Want: "284 to 298 bytes"}
	}
	c := headerCursor{b: b}
	c.literal("\x89" + keyVersion)
	h.Version = uint8(c.uint(1<<8 - 1))
	c.literal(keyMsgType)
	h.Type = MsgType(c.uint(1<<16 - 1))
	c.literal(keyMsgID + bin32Head)
	c.copy(h.MsgID[:])
	c.literal(keySource + bin32Head)
	c.copy(h.Source[:])
	c.literal(keyTarget + bin32Head)
	c.copy(h.Target[:])
	c.literal(keyTimestamp)
	h.Timestamp = Tick(c.uint(1<<64 - 1))
	c.literal(keyBodyLen)
	h.BodyLen = uint32(c.uint(1<<32 - 1))
	c.literal(keyBodyHash + bin32Head)
	c.copy(h.BodyHash[:])
	c.literal(keySignature + bin64Head)
	c.copy(h.Signature[:])
	if c.bad || c.pos != len(b) {
		return &DecodeError{Kind: DecodeKindNotCanonical, Op: op, Offset: c.pos, Want: "the nine fields in order"}
	}
	if h.Version != ProtocolVersion {
		return &DecodeError{Kind: DecodeKindVersion, Op: op, Field: "version", Want: "1"}
	}
	var buf [maxHeader]byte
	if !bytes.Equal(h.AppendHeader(buf[:0]), b) {
		return &DecodeError{Kind: DecodeKindNotCanonical, Op: op, Want: "shortest integers"}
	}
	return nil
}

// headerCursor reads what must stand next; after the first mismatch it stays bad.
type headerCursor struct {
	b   []byte
	pos int
	bad bool
}

func (c *headerCursor) take(n int) []byte {
	if c.bad || len(c.b)-c.pos < n {
		c.bad = true
		return nil
	}
	c.pos += n
	return c.b[c.pos-n : c.pos]
}

func (c *headerCursor) literal(s string) {
	if got := c.take(len(s)); string(got) != s {
		c.bad = true
	}
}

func (c *headerCursor) copy(dst []byte) { copy(dst, c.take(len(dst))) }

func (c *headerCursor) uint(limit uint64) uint64 {
	head := c.take(1)
	if c.bad {
		return 0
	}
	var v uint64
	switch head[0] {
	case codeUint8:
		v = c.big(1)
	case codeUint16:
		v = c.big(2)
	case codeUint32:
		v = c.big(4)
	case codeUint64:
		v = c.big(8)
	default:
		v = uint64(head[0])
		c.bad = v > 0x7F
	}
	c.bad = c.bad || v > limit
	return v
}

func (c *headerCursor) big(n int) uint64 {
	var b [8]byte
	copy(b[8-n:], c.take(n))
	return binary.BigEndian.Uint64(b[:])
}
