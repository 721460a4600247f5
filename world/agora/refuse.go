package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

const sys = wire.SystemAgora

func refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(sys, cat, reason, details...)
}

// pairUsed refuses a word that does not count before cycle until, 0 for never.
func pairUsed(c *world.Context, until wire.Cycle) wire.Reply {
	if until == 0 {
		return refuse(c, wire.CategoryConflict, "pair_used")
	}
	return refuse(c, wire.CategoryConflict, "pair_used", c.UntilCycle(until))
}
