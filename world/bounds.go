package world

import "kingdom/wire"

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

// Bad refuses a field that cannot be what it is, if wrong: bad_<field>; else nil.
func Bad(wrong bool, field string) *Refusal {
	if !wrong {
		return nil
	}
	return &Refusal{Category: wire.CategoryInvalidRequest, Reason: "bad_" + field, Details: []Detail{Field(field)}}
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
