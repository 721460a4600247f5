package world

import "kingdom/wire"

// Stamp is a tick in 4 bytes, for records of which there are millions. Event ids have the tick in their upper 32
// bits, so no world has later ticks.
type Stamp uint32

// StampOf returns the stamp of a tick.
func StampOf(t wire.Tick) Stamp { return Stamp(t) }

// Tick returns the tick.
func (s Stamp) Tick() wire.Tick { return wire.Tick(s) }
