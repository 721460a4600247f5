package world

import "kingdom/wire"

// Stamp is a tick in 4 bytes, for records of which there are millions. Event ids hold a tick in their upper 32 bits, so that no
// world has later ones.
type Stamp uint32

// StampOf is the stamp of a tick.
func StampOf(t wire.Tick) Stamp { return Stamp(t) }

// Tick is the tick that it stands for.
func (s Stamp) Tick() wire.Tick { return wire.Tick(s) }
