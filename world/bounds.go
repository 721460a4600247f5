package world

import (
	"strings"

	"kingdom/wire"
	"kingdom/wire/action"
)

// CheckBounds returns a refusal if a request exceeds a bound of the catalogue (action.Bounds): too_long for bytes,
// too_many for items, limit for numbers, and the name of a field that must not be empty. It returns nil if the
// request keeps all bounds. payload is a pointer to the request's payload struct.
func CheckBounds(payload any) *Refusal {
	b, have := action.ExceededBound(payload)
	if b == nil {
		return nil
	}
	if have < b.Least {
		return InvalidIf(true, b.Field)
	}
	switch b.Unit {
	case action.Bytes:
		return MaxBytes(b.Field, have, b.Most)
	case action.Items:
		return MaxItems(b.Field, have, b.Most)
	default:
		return within("limit", b.Field, have, b.Most)
	}
}

// MaxBytes returns a refusal (too_long) if a field has more bytes than limit; else nil.
func MaxBytes(field string, have, limit int) *Refusal { return within("too_long", field, have, limit) }

// MaxItems returns a refusal (too_many) if a list has more items than limit; else nil.
func MaxItems(field string, have, limit int) *Refusal { return within("too_many", field, have, limit) }

func within(reason, field string, have, limit int) *Refusal {
	if have <= limit {
		return nil
	}
	return &Refusal{
		Category: wire.CategoryInvalidRequest, Reason: reason,
		Details: []Detail{Field(field), Limit(uint64(limit)), Have(uint64(have))},
	}
}

// InvalidIf returns a refusal of a field if wrong is set; else nil. The reason is the field's own name, without the fields
// that contain it.
func InvalidIf(wrong bool, field string) *Refusal {
	if !wrong {
		return nil
	}
	name := field[strings.LastIndexByte(field, '.')+1:]
	return &Refusal{Category: wire.CategoryInvalidRequest, Reason: name, Details: []Detail{Field(field)}}
}

// FirstRefusal returns the first refusal that is not nil, or nil.
func FirstRefusal(list ...*Refusal) *Refusal {
	for _, r := range list {
		if r != nil {
			return r
		}
	}
	return nil
}
