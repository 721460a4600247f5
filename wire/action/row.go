package action

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Profile is a gate profile of a scenario, an index into Row.Epoch.
type Profile uint8

// Gate profiles (docs/WORLD.md, epochs).
const (
	ProfileDefault Profile = iota
	ProfileStrict
	ProfileOpen
)

// Row is one line of the catalogue. Rows are shared and read-only.
type Row struct {
	// Name is the message name in lower case: "bounty_claim".
	Name string
	// Type is the message code; 0 for nop and rest, which send nothing.
	Type wire.MsgType
	// System is the daemon that serves it, for the bus NEXUS; 0 for nop and rest.
	System wire.System
	// Domain is the field of activity.
	Domain Domain
	// Ticks is the cost in ticks; 0 for rows that no mind can choose.
	Ticks uint64
	// Cost is the price in ⚡ in words, "0" when free.
	Cost string
	// FlatCost is the price in ⚡ where it does not depend on the parameters, else 0.
	FlatCost uint64
	// BoundOf is the most that one request may cost, from its payload and the state before
	// the tick, where that is not the same for all; nil: Ticks and FlatCost, which otherwise
	// are the least. Callers ask [Row.Bound].
	BoundOf func(payload any, v *wire.View) Cost
	// TicksOf reads what a request did cost from the body of its reply; nil: its bound.
	// Callers ask [Row.Settled].
	TicksOf func(reply any) uint64
	// Read says that the action changes nothing but the asker's knowledge.
	Read bool
	// LLM says that a mind may choose it.
	LLM bool
	// Epoch is the lowest epoch at which the action is served, by [Profile]; rows whose gate
	// depends on the parameters hold the lowest of what the row is for, see [Row.MinEpoch].
	Epoch [3]uint32
	// Needs is the tool name that an agent's capability set must hold; empty when nothing is
	// needed.
	Needs string
	// SystemOnly says that only systems may send it; an agent gets system_only.
	SystemOnly bool
	// Summary is one sentence for prompts and for entry #0, so a change of it moves world hashes.
	Summary string
	// Params describes the parameters in wire order, without runtime fields.
	Params []Param
	// Refusals are what its daemon refuses the action for, beside the codes of the protocol.
	Refusals []Refusal

	// form is how a mind's parameters become the payload.
	form form
}

// IsRest reports whether the row is rest, which takes slots but sends nothing.
func (r *Row) IsRest() bool { return r.form == formRest }

// form is the closed list of ways from parameters to a payload.
type form uint8

const (
	formMessage     form = iota // the parameters are the payload's fields
	formNop                     // no parameters, no payload
	formRest                    // a number of slots, no message
	formResourceBuy             // a TRANSFER with fixed target, memo and kind
	formRepoCreate              // files by path instead of objects
	formSnapCreate              // the same
)

// Param is one parameter of an action.
type Param struct {
	// Name is the wire name of the field.
	Name string
	// Required says that a mind must give it; others have a zero or nil default.
	Required bool
	// Help says what it means, in a few words.
	Help string
	// Shape is its JSON form.
	Shape *codec.Shape
	// Nullable says that null stands for absent.
	Nullable bool
	// Zero says that 0, false, nothing, or the first name of an enum stands for absent.
	Zero bool
}
