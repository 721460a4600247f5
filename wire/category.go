package wire

import "kingdom/wire/codec"

// Category is the class of a refusal. Each daemon has an error code for each category (docs/WIRE.md, replies).
type Category uint8

// Values of [Category], in wire order.
const (
	CategoryNotFound Category = iota + 1
	CategoryConflict
	CategoryUnauthorized
	CategoryInvalidRequest
	CategoryQuotaExceeded
	CategoryInternal
)

var categoryNames = []string{"NOT_FOUND", "CONFLICT", "UNAUTHORIZED", "INVALID_REQUEST", "QUOTA_EXCEEDED", "INTERNAL"}

func (Category) EnumNames() []string { return categoryNames }
func (v Category) String() string    { return codec.EnumString(categoryNames, v) }
