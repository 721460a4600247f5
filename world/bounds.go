package world

import (
	"strings"

	"kingdom/wire"
	"kingdom/wire/action"
)

// Bounded refuses a request that breaks a bound of the catalogue (action.Bounds): too_long
// for bytes, too_many for items, limit for numbers, and what may not be empty by its name;
// nil if it keeps all. payload is a pointer to the request's payload struct.
func Bounded(payload any) *Refusal {
	b, have := action.Beyond(payload)
	if b == nil {
		return nil
	}
	if have < b.Least {
		return Bad(true, b.Field)
	}
	switch b.Unit {
	case action.Bytes:
		return Bytes(b.Field, have, b.Most)
	case action.Items:
		return Items(b.Field, have, b.Most)
	default:
		return within("limit", b.Field, have, b.Most)
	}
}

// Bytes refuses a field of have bytes if limit is the most (too_long); nil if it fits.
func Bytes(field string, have, limit int) *Refusal { return within("too_long", field, have, limit) }

// Items refuses a list of have items if limit is the most (too_many); nil if it fits.
func Items(field string, have, limit int) *Refusal { return within("too_many", field, have, limit) }

func within(reason, field string, have, limit int) *Refusal {
	if have <= limit {
		return nil
	}
	return &Refusal{
		Category: wire.CategoryInvalidRequest, Reason: reason,
		Details: []Detail{Field(field), Limit(uint64(limit)), Have(uint64(have))},
	}
}

// Bad refuses a field that cannot be what it is, if wrong; else nil. The reason is the
// field's own name, without those it lies in.
func Bad(wrong bool, field string) *Refusal {
	if !wrong {
		return nil
	}
	name := field[strings.LastIndexByte(field, '.')+1:]
	return &Refusal{Category: wire.CategoryInvalidRequest, Reason: name, Details: []Detail{Field(field)}}
}

// First returns the first refusal of a list that is one, or nil.
func First(list ...*Refusal) *Refusal {
	for _, r := range list {
		if r != nil {
			return r
		}
	}
	return nil
}
