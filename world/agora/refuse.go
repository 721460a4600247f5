package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

const sys = wire.SystemAgora

func refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(sys, cat, reason, details...)
}

func refusalOf(cat wire.Category, reason string, details ...world.Detail) *world.Refusal {
	return &world.Refusal{Category: cat, Reason: reason, Details: details}
}

// badBody refuses a request in which the map in a field cannot be decoded.
func badBody(c *world.Context, field string) wire.Reply {
	return c.RefuseCode(wire.CodeBadBody, wire.CategoryInvalidRequest, "bad_body", world.Field(field))
}

// pairUsed refuses a verdict because its pair is used until cycle until; 0 means for ever.
func pairUsed(c *world.Context, until wire.Cycle) wire.Reply {
	if until == 0 {
		return refuse(c, wire.CategoryConflict, "pair_used")
	}
	return refuse(c, wire.CategoryConflict, "pair_used", c.UntilCycle(until))
}
