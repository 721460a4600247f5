package wire

import "kingdom/wire/codec"

// ErrorBody is the payload of ERROR. Its own first key is the reference, so it is encoded as
// a plain body, without a reply prefix.
type ErrorBody struct {
	RefMsgID *Hash  `kdom:"ref_msg_id"`
	Code     uint32 `kdom:"code"`
	Category string `kdom:"category"`
	// Message is a lower_snake ASCII reason from the error column of the message table.
	Message []byte       `kdom:"message"`
	Context codec.BinMap `kdom:"context"`
}

// Protocol codes: any endpoint may answer with them, whatever its own code range.
const (
	CodeBadHeader     uint32 = 0x0003
	CodeBadBodyHash   uint32 = 0x0004
	CodeBadSignature  uint32 = 0x0005
	CodeReplayOrStale uint32 = 0x0009
	CodeTooLarge      uint32 = 0x000A
	CodeUnknownType   uint32 = 0x000B
	CodeBadBody       uint32 = 0x000C
	CodeNotActive     uint32 = 0x000D
	CodeNoTicks       uint32 = 0x000E
	CodeEpochLocked   uint32 = 0x000F
	CodeOwnerMismatch uint32 = 0x0010
	CodeSystemOnly    uint32 = 0x0011
)

// Agent runtime codes: errors of the runtime's own interface, never sent by a daemon.
const (
	CodeAgentNotFound         uint32 = 0x0B00
	CodeAgentDormant          uint32 = 0x0B01
	CodeAgentDead             uint32 = 0x0B02
	CodeBudgetExhausted       uint32 = 0x0B03
	CodeParseFailure          uint32 = 0x0B04
	CodeWorkingMemoryOverflow uint32 = 0x0B05
	CodeGoalStackFull         uint32 = 0x0B06
	CodeDatabase              uint32 = 0x0B07
	CodeSerialization         uint32 = 0x0B08
)

// ErrorCode returns the code with which a system reports a category. Mint and Portal number
// theirs differently from the others; Portal's UNAUTHORIZED is the general 0x0705.
func ErrorCode(s System, c Category) uint32 {
	switch s {
	case SystemMint:
		return mintCodes[c-1]
	case SystemPortal:
		return portalCodes[c-1]
	case SystemForge:
		if c == CategoryInternal {
			return 0x0505
		}
	default: // nothing to do for the others
	}
	low := uint32(c - 1)
	if c == CategoryInternal {
		low = 0xFF
	}
	return uint32(s)<<8 | low
}

// By category, in enum order. Portal has no code of its own for NOT_FOUND and CONFLICT; its
// general code stands in.
var (
	mintCodes   = [6]uint32{0x0600, 0x0601, 0x0604, 0x0603, 0x0602, 0x06FF}
	portalCodes = [6]uint32{0x07FF, 0x07FF, 0x0705, 0x0704, 0x0701, 0x07FF}
)

// protocolReasons gives the category and reason of every protocol code.
var protocolReasons = []struct {
	code     uint32
	category Category
	reason   string
}{
	{CodeBadHeader, CategoryInvalidRequest, "bad_header"},
	{CodeBadBodyHash, CategoryInvalidRequest, "bad_body_hash"},
	{CodeBadSignature, CategoryUnauthorized, "bad_signature"},
	{CodeReplayOrStale, CategoryConflict, "replay_or_stale"},
	{CodeTooLarge, CategoryQuotaExceeded, "too_large"},
	{CodeUnknownType, CategoryInvalidRequest, "unknown_type"},
	{CodeBadBody, CategoryInvalidRequest, "bad_body"},
	{CodeNotActive, CategoryUnauthorized, "not_active"},
	{CodeNoTicks, CategoryQuotaExceeded, "no_ticks"},
	{CodeEpochLocked, CategoryUnauthorized, "epoch_locked"},
	{CodeOwnerMismatch, CategoryUnauthorized, "owner_mismatch"},
	{CodeSystemOnly, CategoryUnauthorized, "system_only"},
}

// ProtocolReason returns the category and reason text of a protocol code; ok is false for
// any other code.
func ProtocolReason(code uint32) (c Category, reason string, ok bool) {
	for _, r := range protocolReasons {
		if r.code == code {
			return r.category, r.reason, true
		}
	}
	return 0, "", false
}
