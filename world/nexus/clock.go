package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

// clock is the world's time, epoch and count of consumed ticks: one record.
type clock struct {
	rules *world.Rules
	table *world.Table[string, Clock]
}

func (k *clock) edit() *Clock { return k.table.Edit("") }

// Advance sets the clock to tick t.
func (k *clock) Advance(t wire.Tick) {
	now := k.edit()
	now.Tick, now.Cycle = t, k.rules.Calendar.Cycle(t)
}

// Clock returns the clock's record; read-only.
func (k *clock) Clock() *Clock { return k.table.Get("") }

// Epoch is the current epoch.
func (k *clock) Epoch() uint32 { return k.Clock().Epoch }

// CountTicks notes that n agents used a tick.
func (k *clock) CountTicks(n uint64) {
	if n > 0 {
		k.edit().Ticks += n
	}
}
