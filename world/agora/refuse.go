package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

const sys = wire.SystemAgora

func refuse(c *world.Context, cat wire.Category, reason string) wire.Reply {
	return c.Refuse(sys, cat, reason)
}
