package codec

import (
	"fmt"
	"strings"
)

// DecodeKind is the closed list of reasons why bytes or JSON are refused.
type DecodeKind uint8

// Reasons of a [DecodeError].
const (
	// DecodeKindLength: too short, too long, or a declared length that does not fit.
	DecodeKindLength DecodeKind = iota + 1
	// DecodeKindMagic: the frame does not start with "KDOM".
	DecodeKindMagic
	// DecodeKindVersion: a protocol version other than 1.
	DecodeKindVersion
	// DecodeKindNotCanonical: re-encoding would not give the same bytes.
	DecodeKindNotCanonical
	// DecodeKindType: a value of another type than the field's.
	DecodeKindType
	// DecodeKindRange: a number outside the field's range.
	DecodeKindRange
	// DecodeKindValue: right type, impossible content: unknown enum name, bad hex, NaN, bad UTF-8.
	DecodeKindValue
	// DecodeKindUnknownField: a key the type does not have.
	DecodeKindUnknownField
	// DecodeKindDuplicateField: a key twice.
	DecodeKindDuplicateField
	// DecodeKindMissingField: a required key is absent.
	DecodeKindMissingField
	// DecodeKindTrailing: bytes after the value.
	DecodeKindTrailing
	// DecodeKindSyntax: not MessagePack or not JSON at all.
	DecodeKindSyntax
	// DecodeKindBodyHash: SHA-256 of the body is not the header's body_hash.
	DecodeKindBodyHash
	// DecodeKindMsgID: msg_id is not the hash of header and body.
	DecodeKindMsgID
	// DecodeKindSignature: the signature does not verify.
	DecodeKindSignature
	// DecodeKindUnknownType: no payload is known for the message or event code.
	DecodeKindUnknownType
	// DecodeKindAlias: an agent alias that names nobody or several.
	DecodeKindAlias
)

var decodeKindNames = []string{
	"bad length", "bad magic", "bad version", "not canonical", "wrong type", "out of range",
	"bad value", "unknown field", "duplicate field", "missing field", "trailing bytes",
	"bad syntax", "bad body hash", "bad msg_id", "bad signature",
	"unknown type", "unresolved alias",
}

// String returns the reason in words.
func (k DecodeKind) String() string { return EnumString(decodeKindNames, uint8(k)) }

// DecodeError is the one error of this package's decoders and checks.
type DecodeError struct {
	// Kind is the reason.
	Kind DecodeKind
	// Op is the attempted operation, such as "decode BOUNTY_CLAIM".
	Op string
	// Field is the dotted path of the offending field, empty when the whole value is meant.
	Field string
	// Offset is the byte position in the input.
	Offset int
	// Want says what would be right, when that fits in a few words.
	Want string
}

// Error renders operation, field, reason and what would be right.
func (e *DecodeError) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Field != "" {
		fmt.Fprintf(&b, ": field %q", e.Field)
	}
	fmt.Fprintf(&b, ": %s at byte %d", e.Kind, e.Offset)
	if e.Want != "" {
		b.WriteString(", want " + e.Want)
	}
	return b.String()
}

// Is matches another *DecodeError by Kind alone, so errors.Is can test for a reason.
func (e *DecodeError) Is(target error) bool {
	t, ok := target.(*DecodeError)
	return ok && t.Kind == e.Kind && t.Op == "" && t.Field == ""
}
