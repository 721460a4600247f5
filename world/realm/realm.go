package realm

import (
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// Realm is the daemons of one world.
type Realm struct {
	rules *world.Rules
	ctx   world.Context
	nexus *nexus.Daemon
}

// New returns an empty world under rules; Bootstrap or Restore comes next.
func New(rules *world.Rules) *Realm { panic("not yet") }

// Rules are the constants of this world.
func (r *Realm) Rules() *world.Rules { return r.rules }

// Nexus is the daemon of roster, votes and epochs, for reading.
func (r *Realm) Nexus() *nexus.Daemon { return r.nexus }
