package forge

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// Limits of sandboxes.
const (
	maxMemory    = 1 << 20 // bytes of each, four times as many from epoch advanced on
	maxBudget    = 100_000 // forge ticks of a run that may be asked for; nobody ever has so many
	perAgent     = 16      // live sandboxes of an agent
	perScale     = 256     // live sandboxes of the world, times its scale
	advanced     = 4       // the epoch from which on Forge serves more
	persistPrice = 10      // ⚡ per cycle of a persistent one
)

// sandboxes are the live sandboxes, and what their last runs came to.
type sandboxes struct {
	*shop
	*world.Table[wire.Hash, Sandbox]
	runs   *world.Table[wire.Hash, Run]
	proofs *world.Table[wire.Hash, Proven] // by the hash of the proof
	of     map[wire.AgentID][]wire.Hash    // by owner, ascending
}

func newSandboxes(s *world.State, shop *shop) *sandboxes {
	return &sandboxes{
		shop, world.NewTable[wire.Hash](s, "sandboxes", sandboxCodec),
		world.NewTable[wire.Hash](s, "runs", runCodec),
		world.NewTable[wire.Hash](s, "proofs", provenCodec),
		map[wire.AgentID][]wire.Hash{},
	}
}

func (x *sandboxes) restored() {
	x.Each(func(id wire.Hash, b *Sandbox) { x.of[b.Owner] = append(x.of[b.Owner], id) })
}

func (x *sandboxes) add(b *Sandbox) {
	x.Put(b.ID, b)
	list := x.of[b.Owner]
	i, _ := slices.BinarySearchFunc(list, b.ID, wire.Hash.Compare)
	x.of[b.Owner] = slices.Insert(list, i, b.ID)
}

// drop forgets a sandbox and its run.
func (x *sandboxes) drop(id wire.Hash) {
	b := x.Get(id)
	list := x.of[b.Owner]
	if i, ok := slices.BinarySearchFunc(list, id, wire.Hash.Compare); ok {
		list = slices.Delete(list, i, i+1)
	}
	if x.of[b.Owner] = list; len(list) == 0 {
		delete(x.of, b.Owner)
	}
	x.Delete(id)
	x.runs.Delete(id)
}

// memoryCap is the most bytes of a sandbox.
func memoryCap(epoch uint32) uint64 {
	if epoch >= advanced {
		return 4 * maxMemory
	}
	return maxMemory
}

func (x *sandboxes) create(c *world.Context, q *wire.SandboxCreate) wire.Reply {
	size, r := x.source(c, q.Code)
	if r = world.FirstRefusal(r, world.InvalidIf(q.MemoryQuota == 0, "memory_quota"), world.InvalidIf(q.TickBudget == 0 || q.TickBudget > maxBudget, "tick_budget")); r != nil {
		return c.Relay(sys, r)
	}
	if r := x.room(c, q); r != nil {
		return c.Relay(sys, r)
	}
	ticks := parsing(size)
	if r := x.cpu.holds(c, c.Source, ticks); r != nil {
		return c.Relay(sys, r)
	}
	if r := x.check(x.text(c, q.Code), "code"); r != nil {
		return x.read(c, ticks, r)
	}
	if price := action.MemoryPrice(q.MemoryQuota); price > 0 {
		if r := x.ledger.Fee(c, c.Source, price); r != nil {
			return c.Relay(sys, r)
		}
	}
	x.cpu.charge(c.Source, ticks)
	x.add(&Sandbox{
		ID: c.Msg, Owner: c.Source, Code: q.Code, MemoryQuota: q.MemoryQuota, TickBudget: q.TickBudget,
		Input: q.Input, Environment: q.Environment, Persistent: q.Persistent, State: wire.SandboxStateReady, Since: c.Cycle,
	})
	emit(c, wire.KindSandboxCreated, &wire.SandboxCreatedEvent{
		SandboxID: c.Msg, Owner: c.Source, Code: q.Code, MemoryQuota: q.MemoryQuota, TickBudget: q.TickBudget, Persistent: q.Persistent,
	})
	return c.Ack(&wire.SandboxCreateAck{SandboxID: c.Msg})
}

// room says whether the world and its owner have a place for one more sandbox.
func (x *sandboxes) room(c *world.Context, q *wire.SandboxCreate) *world.Refusal {
	if most := memoryCap(c.Epoch); q.MemoryQuota > most {
		return no(wire.CategoryQuotaExceeded, "memory", world.Limit(most), world.Need(q.MemoryQuota))
	}
	limit := perScale * x.rules.Scale()
	switch {
	case len(x.of[c.Source]) >= perAgent:
		limit = perAgent
	case uint64(x.Len()) < limit:
		return nil
	}
	return no(wire.CategoryQuotaExceeded, "sandboxes", world.Limit(limit))
}

func (x *sandboxes) status(c *world.Context, q *wire.SandboxStatus) wire.Reply {
	b := x.Get(q.SandboxID)
	if b == nil {
		return refuse(c, wire.CategoryNotFound, "sandbox")
	}
	return c.Answer(wire.TypeSandboxStatus, &wire.SandboxStatusReply{
		ID: b.ID, Owner: b.Owner, State: b.State, TicksUsed: b.TicksUsed, TicksRemaining: b.TickBudget - min(b.TickBudget, b.TicksUsed),
		MemoryUsed: b.MemoryUsed, MemoryQuota: b.MemoryQuota, Persistent: b.Persistent,
	})
}

// own finds a sandbox of the sender.
func (x *sandboxes) own(c *world.Context, id wire.Hash) (*Sandbox, *world.Refusal) {
	b := x.Get(id)
	switch {
	case b == nil:
		return nil, no(wire.CategoryNotFound, "sandbox")
	case b.Owner != c.Source:
		return nil, no(wire.CategoryUnauthorized, "not_owner")
	}
	return b, nil
}

func (d *Daemon) kill(c *world.Context, q *wire.SandboxKill) wire.Reply {
	b, r := d.sandboxes.own(c, q.SandboxID)
	if r != nil {
		return c.Relay(sys, r)
	}
	if b.Persistent && d.worked(c, b) {
		d.paid(c, b) // for this cycle, whose end it will not see; who has not got it pays nothing there, either
	}
	d.end(c, b.ID, b.Owner)
	return c.Ack(nil)
}

// worked says whether a persistent sandbox was made, ran or served in this cycle.
func (d *Daemon) worked(c *world.Context, b *Sandbox) bool {
	s := d.services.of(b.ID)
	return b.Since == c.Cycle || s != nil && s.Used > 0
}

// end ends a sandbox and the services from it, in the name of by.
func (d *Daemon) end(c *world.Context, id wire.Hash, by wire.AgentID) {
	owner := d.sandboxes.Get(id).Owner
	d.services.stop(c, id)
	d.sandboxes.drop(id)
	c.Emit(sys, wire.KindSandboxKilled, owner, &wire.SandboxKilledEvent{SandboxID: id, KilledBy: by}, nil)
}
