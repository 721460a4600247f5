package wire

import (
	"bytes"
	"reflect"

	"kingdom/wire/codec"
)

// ProtocolVersion is the only version of the header.
const ProtocolVersion = 1

// Bounds of the encoded header; only four integers vary in length.
const (
	minHeader = 284
	maxHeader = 298
)

// Header is the nine fields in front of every body, in wire order.
type Header struct {
	Version   uint8     `kdom:"version"`
	Type      MsgType   `kdom:"msg_type"`
	MsgID     Hash      `kdom:"msg_id"`
	Source    AgentID   `kdom:"source"`
	Target    AgentID   `kdom:"target"`
	Timestamp Tick      `kdom:"timestamp"`
	BodyLen   uint32    `kdom:"body_len"`
	BodyHash  Hash      `kdom:"body_hash"`
	Signature Signature `kdom:"signature"`
}

var headerPlan = codec.PlanOf(reflect.TypeFor[Header]())

// headerPart selects which of the nine fields are written: msg_id is the hash of seven and the
// signature covers eight.
type headerPart uint8

const (
	headerID headerPart = iota + 7
	headerSigned
	headerFull
)

// Encoded keys. The header has an encoder of its own because every message pays for it three
// times and msg_id and signature cover parts of it.
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
	dst = codec.AppendUint(dst, uint64(h.Version))
	dst = append(dst, keyMsgType...)
	dst = codec.AppendUint(dst, uint64(h.Type))
	if part >= headerSigned {
		dst = append(dst, keyMsgID+bin32Head...)
		dst = append(dst, h.MsgID[:]...)
	}
	dst = append(dst, keySource+bin32Head...)
	dst = append(dst, h.Source[:]...)
	dst = append(dst, keyTarget+bin32Head...)
	dst = append(dst, h.Target[:]...)
	dst = append(dst, keyTimestamp...)
	dst = codec.AppendUint(dst, uint64(h.Timestamp))
	dst = append(dst, keyBodyLen...)
	dst = codec.AppendUint(dst, uint64(h.BodyLen))
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
		return &codec.DecodeError{Kind: codec.DecodeKindLength, Op: op, Offset: len(b), Want: "284 to 298 bytes"}
	}
	if err := headerPlan.Decode(b, h); err != nil {
		return codec.WithOp(err, op)
	}
	if h.Version != ProtocolVersion {
		return &codec.DecodeError{Kind: codec.DecodeKindVersion, Op: op, Field: "version", Want: "1"}
	}
	var buf [maxHeader]byte
	if !bytes.Equal(h.AppendHeader(buf[:0]), b) {
		return &codec.DecodeError{Kind: codec.DecodeKindNotCanonical, Op: op, Want: "the nine fields in order, with the shortest integers"}
	}
	return nil
}
