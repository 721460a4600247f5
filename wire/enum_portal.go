package wire

import "kingdom/wire/codec"

// AccessLevel is how far the Portal is open; bootstrap reports it in portal_ready.
type AccessLevel uint8

// Values of [AccessLevel], in wire order.
const (
	AccessLevelClosed AccessLevel = iota + 1
	AccessLevelReadOnly
	AccessLevelReadWrite
)

var accessLevelNames = []string{"CLOSED", "READ_ONLY", "READ_WRITE"}

func (AccessLevel) EnumNames() []string { return accessLevelNames }
func (v AccessLevel) String() string    { return codec.EnumString(accessLevelNames, v) }
