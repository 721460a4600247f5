package nexus

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// firstOpenEpoch is the first of the epochs that come by vote.
const firstOpenEpoch = 6

// expansion is the number of ACTIVE agents that opens epoch 4; it is not latched.
const expansion = 16

// epochStart is how an epoch begins.
type epochStart struct{ trigger, unlocks string }

var epochs = [...]epochStart{
	1: {world.MilestoneSpark, "vault_collaboration,basic_forge"},
	2: {world.MilestoneFoundation, "agora_creation,mint_between_agents,spawn_proposals"},
	3: {world.MilestoneCommerce, "portal_read"},
	4: {"expansion", "portal_write,advanced_forge"},
	5: {world.MilestoneSovereignty, "binding_votes"},
}

func advanceName(to uint32) string { return fmt.Sprintf("epoch_advance:%d", to) }

// milestones are the epoch triggers that were reached.
type milestones struct {
	table *world.Table[string, Milestone]
}

// RecordMilestone records a milestone; later calls with the same name do nothing.
func (m *milestones) RecordMilestone(c *world.Context, name string) {
	if m.table.Get(name) == nil {
		m.table.Put(name, &Milestone{Name: name, Tick: c.Tick})
	}
}

// Reached says whether a milestone is latched.
func (m *milestones) Reached(name string) bool { return m.table.Get(name) != nil }

// NextEpoch enters the next epoch if its milestone is reached, at most one: step 8 of a cycle end. It reports whether
// the epoch changed.
func (d *Daemon) NextEpoch(c *world.Context) bool {
	k := d.Clock()
	to := k.Epoch + 1
	next, ready := epochStart{trigger: advanceName(to), unlocks: "anything"}, false
	if int(to) < len(epochs) {
		next = epochs[to]
	}
	if to == 4 {
		ready = len(d.Active()) >= expansion
	} else {
		ready = d.Reached(next.trigger)
	}
	if !ready {
		return false
	}
	k = d.clock.edit()
	k.Epoch, k.Changed = to, c.Cycle
	c.Epoch = to
	c.Emit(wire.SystemNexus, wire.KindEpochChange, selfID, &wire.EpochChangeEvent{
		OldEpoch: to - 1, NewEpoch: to, Trigger: []byte(next.trigger), Unlocks: []byte(next.unlocks), Tick: c.Tick,
	}, nil)
	d.mint.Inflate(c, to)
	return true
}
