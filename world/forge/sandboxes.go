package forge

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// Limits of sandboxes.
const (
	maxMemory     = 1 << 20 // bytes of each, four times as many from epoch advanced on
	maxBudget     = 100_000 // largest tick budget of a run; no quota is that large
	maxPerAgent   = 16      // live sandboxes of an agent
	maxPerScale   = 256     // live sandboxes of the world, times its scale
	advancedEpoch = 4       // from this epoch on sandboxes may have more memory, and languages are tested
)

// sandboxes are the live sandboxes and the results of their last runs.
type sandboxes struct {
	*shared
	*world.Table[wire.Hash, Sandbox]
	runs    *world.Table[wire.Hash, Run]
	proofs  *world.Table[wire.Hash, Proven] // by the hash of the proof
	byOwner map[wire.AgentID][]wire.Hash    // by owner, ascending
}

func newSandboxes(s *world.State, sh *shared) *sandboxes {
	return &sandboxes{
		sh, world.NewTable[wire.Hash](s, "sandboxes", sandboxCodec),
		world.NewTable[wire.Hash](s, "runs", runCodec),
		world.NewTable[wire.Hash](s, "proofs", provenCodec),
		map[wire.AgentID][]wire.Hash{},
	}
}

func (x *sandboxes) restored() {
	x.Each(func(id wire.Hash, b *Sandbox) { x.byOwner[b.Owner] = append(x.byOwner[b.Owner], id) })
}

func (x *sandboxes) add(b *Sandbox) {
	x.Put(b.ID, b)
	list := x.byOwner[b.Owner]
	i, _ := slices.BinarySearchFunc(list, b.ID, wire.Hash.Compare)
	x.byOwner[b.Owner] = slices.Insert(list, i, b.ID)
}

// drop deletes a sandbox and its run.
func (x *sandboxes) drop(id wire.Hash) {
	b := x.Get(id)
	list := x.byOwner[b.Owner]
	if i, ok := slices.BinarySearchFunc(list, id, wire.Hash.Compare); ok {
		list = slices.Delete(list, i, i+1)
	}
	if x.byOwner[b.Owner] = list; len(list) == 0 {
		delete(x.byOwner, b.Owner)
	}
	x.Delete(id)
	x.runs.Delete(id)
}

// memoryCap returns the largest memory quota of a sandbox in an epoch, in bytes.
func memoryCap(epoch uint32) uint64 {
	if epoch >= advancedEpoch {
		return 4 * maxMemory
	}
	return maxMemory
}

func (x *sandboxes) create(c *world.Context, q *wire.SandboxCreate) wire.Reply {
	size, r := x.programSize(c, q.Code)
	if r = world.FirstRefusal(r, world.InvalidIf(q.MemoryQuota == 0, "memory_quota"), world.InvalidIf(q.TickBudget == 0 || q.TickBudget > maxBudget, "tick_budget")); r != nil {
		return c.Relay(sys, r)
	}
	if r := x.checkCapacity(c, q); r != nil {
		return c.Relay(sys, r)
	}
	ticks := parseTicks(size)
	if r := x.cpu.require(c, c.Source, ticks); r != nil {
		return c.Relay(sys, r)
	}
	price := action.SandboxPrice(q)
	if have := x.ledger.Available(c.Source); price > 0 && have < int64(price) { // before anything is read
		return refuse(c, wire.CategoryQuotaExceeded, "funds", world.Have(uint64(max(0, have))), world.Need(price))
	}
	if r := x.checkSyntax(x.programText(c, q.Code), "code"); r != nil {
		return x.chargeAndRefuse(c, ticks, r)
	}
	if price > 0 {
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

// checkCapacity refuses a sandbox that exceeds the memory cap, or the number of sandboxes of the agent or of the world.
func (x *sandboxes) checkCapacity(c *world.Context, q *wire.SandboxCreate) *world.Refusal {
	if most := memoryCap(c.Epoch); q.MemoryQuota > most {
		return refusal(wire.CategoryQuotaExceeded, "memory", world.Limit(most), world.Need(q.MemoryQuota))
	}
	limit := maxPerScale * x.rules.Scale()
	switch {
	case len(x.byOwner[c.Source]) >= maxPerAgent:
		limit = maxPerAgent
	case uint64(x.Len()) < limit:
		return nil
	}
	return refusal(wire.CategoryQuotaExceeded, "sandboxes", world.Limit(limit))
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

// findOwned returns a sandbox of the sender, or a refusal.
func (x *sandboxes) findOwned(c *world.Context, id wire.Hash) (*Sandbox, *world.Refusal) {
	b := x.Get(id)
	switch {
	case b == nil:
		return nil, refusal(wire.CategoryNotFound, "sandbox")
	case b.Owner != c.Source:
		return nil, refusal(wire.CategoryUnauthorized, "not_owner")
	}
	return b, nil
}

func (d *Daemon) kill(c *world.Context, q *wire.SandboxKill) wire.Reply {
	b, r := d.sandboxes.findOwned(c, q.SandboxID)
	if r != nil {
		return c.Relay(sys, r)
	}
	d.end(c, b.ID, b.Owner)
	return c.Ack(nil)
}

// end ends a sandbox and its service. The event names by as the one who did it.
func (d *Daemon) end(c *world.Context, id wire.Hash, by wire.AgentID) {
	owner := d.sandboxes.Get(id).Owner
	d.services.stop(c, id)
	d.sandboxes.drop(id)
	c.Emit(sys, wire.KindSandboxKilled, owner, &wire.SandboxKilledEvent{SandboxID: id, KilledBy: by}, nil)
}
