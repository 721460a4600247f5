package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// Ticks at which Agora's phases of the bootstrap are complete (docs/WORLD.md, bootstrap).
const (
	tickFounded wire.Tick = 80
	tickBigBang wire.Tick = 91
)

// Phases open the system channels, and at the Big Bang the system bounties. Their tests go to
// Vault.
func (d *Daemon) Phases(b *world.Bootstrap) []world.Phase {
	for i := range systemBounties {
		if s := &systemBounties[i]; s.program {
			b.Tests = append(b.Tests, world.File{Name: testName(s.number), Data: testOf(s.number)})
		}
	}
	return []world.Phase{
		{Tick: tickFounded, Run: func(c *world.Context) (wire.EventKind, any) {
			return wire.KindAgoraReady, &wire.AgoraReadyEvent{ChannelIDs: d.Found(c, b.Genesis)}
		}},
		{Tick: tickBigBang, Run: func(c *world.Context) (wire.EventKind, any) {
			return wire.KindBigBang, &wire.BigBangEvent{BountyIDs: d.BigBang(c)}
		}},
	}
}
