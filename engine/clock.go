package engine

import (
	"slices"

	"kingdom/wire"
)

// clock assigns the slots of one cycle: an agent with a budget of b ticks in a cycle of T ticks has its slots at the
// offsets ⌊k·T/b⌋, k = 0…b−1, so a larger budget means slots more often, not earlier. Ticks in which no active agent
// has a slot are skipped. Agents with equal budgets have the same slots and form a group.
type clock struct {
	length uint64 // T
	first  wire.Tick
	pos    uint64 // offset of the first tick that is not over
	groups []budgetGroup

	soloNext  *seat // only this seat acts in the next tick; nil: all with a slot do
	limited   bool  // at most slotsLeft more ticks are executed
	slotsLeft uint64
}

type budgetGroup struct {
	budget uint64
	seats  []*seat
}

// start begins a cycle.
func (c *clock) start(cal wire.Calendar, cycle wire.Cycle, seats []*seat) {
	c.length, c.first, c.pos = cal.TicksPerCycle, cal.First(cycle), 0
	c.groups = c.groups[:0]
	c.soloNext, c.limited, c.slotsLeft = nil, false, 0
	at := map[uint64]int{}
	for _, s := range seats {
		b := min(s.alloc.Budget, c.length)
		if b == 0 {
			continue
		}
		i, ok := at[b]
		if !ok {
			i = len(c.groups)
			at[b] = i
			c.groups = append(c.groups, budgetGroup{budget: b})
		}
		c.groups[i].seats = append(c.groups[i].seats, s)
	}
}

// next returns the first tick that is not over and in which an active agent has a slot.
func (c *clock) next() (wire.Tick, bool) {
	best, ok := c.length, false
	if c.limited && c.slotsLeft == 0 {
		return c.first + wire.Tick(best), false
	}
	for i := range c.groups {
		g := &c.groups[i]
		off, has := firstSlot(c.pos, g.budget, c.length)
		if has && off < best && g.dropInactive() {
			best, ok = off, true
		}
	}
	return c.first + wire.Tick(best), ok
}

// firstSlot returns the offset of the first slot of a budget at offset pos or later.
func firstSlot(pos, budget, length uint64) (off uint64, ok bool) {
	k := (pos*budget + length - 1) / length
	return k * length / budget, k < budget
}

// slotsLeft counts the slots at offset off and later.
func slotsLeft(off, budget, length uint64) uint64 {
	return budget - (off*budget+length-1)/length
}

// dropInactive removes the seats whose agents are no longer ACTIVE, and reports whether any are left.
func (g *budgetGroup) dropInactive() bool {
	keep := g.seats[:0]
	for _, s := range g.seats {
		if s.status == wire.StatusActive {
			keep = append(keep, s)
		}
	}
	g.seats = keep
	return len(keep) > 0
}

// live appends the active seats with a slot at t to dst, in unspecified order.
func (c *clock) live(t wire.Tick, dst []*seat) []*seat {
	off := uint64(t - c.first)
	for i := range c.groups {
		g := &c.groups[i]
		if at, ok := firstSlot(off, g.budget, c.length); !ok || at != off {
			continue
		}
		if g.dropInactive() {
			dst = append(dst, g.seats...)
		}
	}
	if c.soloNext != nil {
		dst = slices.DeleteFunc(dst, func(s *seat) bool { return s != c.soloNext })
		c.soloNext = nil
	}
	if c.limited && len(dst) > 0 {
		c.slotsLeft--
	}
	return dst
}

// pass marks all ticks up to t as over.
func (c *clock) pass(t wire.Tick) { c.pos = uint64(t-c.first) + 1 }

// atStart reports whether no tick of the cycle is over yet.
func (c *clock) atStart() bool { return c.pos == 0 }

// position returns the first tick that is not over.
func (c *clock) position() wire.Tick { return c.first + wire.Tick(c.pos) }

// hasSlot reports whether s has a slot left.
func (c *clock) hasSlot(s *seat) bool {
	_, ok := c.nextSlot(s)
	return ok
}

func (c *clock) nextSlot(s *seat) (off uint64, ok bool) {
	for i := range c.groups {
		if slices.Contains(c.groups[i].seats, s) {
			return firstSlot(c.pos, c.groups[i].budget, c.length)
		}
	}
	return 0, false
}

// skipTo skips all ticks before the next slot of s; in that tick only s acts.
func (c *clock) skipTo(s *seat) {
	if off, ok := c.nextSlot(s); ok {
		c.pos = off
		c.soloNext = s
	}
}

// restrictTo makes s the only agent that acts in the rest of the cycle, with at most the given number of slots.
func (c *clock) restrictTo(s *seat, slots uint64) {
	for i := range c.groups {
		g := &c.groups[i]
		g.seats = slices.DeleteFunc(g.seats, func(o *seat) bool { return o != s })
	}
	c.slotsLeft = slots
	c.limited = true
}
