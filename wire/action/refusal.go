package action

import (
	"slices"
	"strings"

	"kingdom/wire"
)

// Refusal is one reason for which a daemon refuses an action: a row of the errors in docs/ACTIONS.md. Every refusal
// that a daemon can give has a row, and a transcript provokes it (world/worldtest checks both).
type Refusal struct {
	// Category decides the code of the ERROR, with the daemon.
	Category wire.Category
	// Reason is the word in the ERROR's message.
	Reason string
	// Context names the keys of the ERROR's context, separated by spaces; one with a question mark is there in some
	// cases only.
	Context string
	// When says in a few words when it happens.
	When string
}

// The categories, short enough for tables.
const (
	notFound     = wire.CategoryNotFound
	conflict     = wire.CategoryConflict
	unauthorized = wire.CategoryUnauthorized
	invalid      = wire.CategoryInvalidRequest
	exceeded     = wire.CategoryQuotaExceeded
)

// refusals are the refusals of all actions, by name, beside those that follow from [Bounds].
var refusals = merged(nexusRefusals, vaultRefusals, agoraRefusals, oracleRefusals, forgeRefusals, mintRefusals, portalRefusals)

func merged(tables ...map[string][]Refusal) map[string][]Refusal {
	all := map[string][]Refusal{}
	for _, t := range tables {
		for name, list := range t { //house:sorted a map is filled
			all[name] = list
		}
	}
	return all
}

// Code returns the error code of the daemon of row.
func (r *Refusal) Code(row *Row) uint32 {
	if code, ok := portalCodes[r.Reason]; ok && row.System == wire.SystemPortal {
		return code
	}
	return wire.ErrorCode(row.System, r.Category)
}

// boundContext lists the context keys of a refusal that says that a bound is exceeded.
const boundContext = "field limit have"

// boundRefusals returns the refusals that follow from the bounds of a request, without those whose reason is in had, the
// refusals that the row already has.
func boundRefusals(list []Bound, had []Refusal) (out []Refusal) {
	add := func(reason, context, when string) {
		same := func(r Refusal) bool { return r.Reason == reason && r.Category == invalid }
		if !slices.ContainsFunc(had, same) && !slices.ContainsFunc(out, same) {
			out = append(out, Refusal{invalid, reason, context, when})
		}
	}
	for _, b := range list {
		switch b.Unit {
		case Bytes:
			add("too_long", boundContext, "a field has more bytes than it may")
		case Items:
			add("too_many", boundContext, "a list has more items than it may")
		case Value:
			add("limit", boundContext, "a number is larger than it may be")
		}
		if b.Least > 0 {
			add(b.Field[strings.LastIndexByte(b.Field, '.')+1:], "field", "it is empty")
		}
	}
	return out
}
