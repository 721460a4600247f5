package nexus

import (
	"crypto/ed25519"

	"kingdom/wire"
	"kingdom/world"
)

// SpawnFirst creates the agents of the bootstrap as EMBRYOs without accounts, which Mint opens in its own phase.
func (d *Daemon) SpawnFirst(c *world.Context, genomes []wire.Genome) []wire.AgentID {
	out := make([]wire.AgentID, len(genomes))
	for i := range genomes {
		r := d.spawning.enrol(c, genomes[i], selfID)
		d.spawning.announce(c, r, 0)
		out[i] = r.ID
	}
	return out
}

// BigBang makes every EMBRYO ACTIVE.
func (d *Daemon) BigBang(c *world.Context) {
	for _, a := range d.Living() {
		d.setStatus(c, a, wire.StatusActive, "warmup", 0)
	}
}

// Spawn carries out AGENT_SPAWN_REQ, which only operators send and which takes effect at a boundary. The fund moves
// from the parent to the new agent. An agent must have it. If the parent is NEXUS_0, the treasury pays it, or nothing
// if it has less. There is no grant.
func (d *Daemon) Spawn(c *world.Context, q *wire.AgentSpawnReq) (*wire.AgentSpawnAck, *world.Refusal) {
	genome, refusal := canonicalGenome(q.Genome, q.Role, "genome")
	payer := wire.SystemID(wire.SystemMint)
	if q.Parent != selfID {
		payer = q.Parent
		refusal = world.FirstRefusal(refusal, d.checkParent(q.Parent))
	}
	refusal = world.FirstRefusal(refusal, d.spawning.checkPopulation())
	if refusal == nil && q.InitialFund < world.MinFund {
		refusal = belowFund(q.InitialFund)
	}
	if refusal != nil {
		return nil, refusal
	}
	var fund uint64
	switch refusal = d.mint.Lock(c, payer, q.InitialFund); {
	case refusal == nil:
		fund = q.InitialFund
	case q.Parent != selfID:
		return nil, refusal
	}
	var g wire.Genome
	mustDecode(wire.GenomeCodec, genome, &g)
	r := d.spawning.enrol(c, g, q.Parent)
	d.mint.Open(c, r.ID, 0)
	grant := uint64(0)
	switch {
	case q.Parent != selfID:
		d.mint.PayLocked(c, payer, r.ID, fund, wire.TransferKindDirect)
	case fund > 0:
		grant = fund
		d.mint.PayLocked(c, payer, r.ID, fund, wire.TransferKindGrant)
	}
	return d.spawning.announce(c, r, grant), nil
}

// checkParent refuses who cannot be the parent of a newcomer.
func (r *roster) checkParent(a wire.AgentID) *world.Refusal {
	switch rec := r.agents.Get(a); {
	case rec == nil:
		return &world.Refusal{Category: wire.CategoryNotFound, Reason: "parent", Details: []world.Detail{world.Field("parent")}}
	case rec.Status != wire.StatusActive:
		return &world.Refusal{
			Category: wire.CategoryConflict, Reason: "parent_not_active", Details: []world.Detail{world.Field("parent"), world.Status(rec.Status)},
		}
	}
	return nil
}

// spawning is how agents come into the world, and how many there is room for.
type spawning struct {
	*siblings
	rules  *world.Rules
	clock  *clock
	roster *roster
	params *params

	sponsored uint64 // newcomers born of votes at this cycle end; it does not outlive it, so it is not state
}

// checkPopulation refuses a newcomer that the population has no room for.
func (n *spawning) checkPopulation() *world.Refusal {
	limit, living := n.populationCap(), uint64(n.roster.Count().Living())
	if living < limit {
		return nil
	}
	return &world.Refusal{
		Category: wire.CategoryQuotaExceeded, Reason: "population_cap", Details: []world.Detail{world.Limit(limit), world.Have(living)},
	}
}

// enrol enters a new EMBRYO into the roster. Its key is derived from the world
// seed and its place in the order of spawns.
func (n *spawning) enrol(c *world.Context, g wire.Genome, parent wire.AgentID) *Agent {
	k := n.clock.edit()
	pub := wire.AgentKey(n.rules.Seed, k.NextSpawn).Public().(ed25519.PublicKey)
	r := &Agent{
		ID: wire.IDOf(pub), PublicKey: pub, SpawnIndex: k.NextSpawn, SpawnTick: c.Tick, SpawnEpoch: k.Epoch,
		Role: g.Role, Status: wire.StatusEmbryo, Parent: parent, Genome: g, LastActiveCycle: c.Cycle,
	}
	r.House = r.ID
	if sponsor := n.roster.agents.Get(parent); sponsor != nil {
		r.House = sponsor.House
	}
	if r.Genome.KnowledgeSeeds == nil {
		r.Genome.KnowledgeSeeds = []wire.Hash{}
	}
	k.NextSpawn++
	n.roster.add(r)
	return r
}

// announce tells of a newcomer; what it returns is told to the newcomer and its sponsor.
func (n *spawning) announce(c *world.Context, r *Agent, grant uint64) *wire.AgentSpawnAck {
	c.Emit(wire.SystemNexus, wire.KindAgentSpawn, r.ID, &wire.AgentSpawnEvent{
		AgentID: r.ID, Role: r.Role, ParentID: r.Parent, SpawnTick: c.Tick, Grant: grant,
	}, nil)
	ack := &wire.AgentSpawnAck{AgentID: r.ID, Status: wire.StatusEmbryo, PublicKey: r.PublicKey}
	c.Deliver(r.ID, wire.TypeAgentSpawnAck, wire.Hash{}, ack)
	c.Deliver(r.Parent, wire.TypeAgentSpawnAck, wire.Hash{}, ack)
	return ack
}

// autoSpawn keeps at least min(4, n) agents living: sleepers are woken first, one
// per cycle end; only where nobody sleeps do newcomers fill up.
func (n *spawning) autoSpawn(c *world.Context) {
	if !n.rules.AutoSpawn {
		return
	}
	want := uint32(min(4, n.rules.Population))
	now := n.roster.Count()
	if now.Living() >= want {
		return
	}
	if a, ok := n.roster.longestDormant(); ok {
		n.roster.setStatus(c, a, wire.StatusActive, wire.WakeTimer.String(), wire.WakeTimer)
		return
	}
	for range want - now.Living() {
		r := n.enrol(c, wire.Genome{Role: wire.RoleGeneralist, Traits: wire.Traits{
			RiskTolerance: 0.5, Collaboration: 0.5, DepthVsBreadth: 0.5, QualityVsSpeed: 0.5,
		}}, selfID)
		n.mint.Open(c, r.ID, 0)
		n.announce(c, r, n.mint.Grant(c, r.ID))
	}
}

func (r *roster) longestDormant() (id wire.AgentID, ok bool) {
	var since wire.Tick
	for _, a := range r.living {
		rec := r.agents.Get(a)
		if rec.Status == wire.StatusDormant && rec.HeldUntil == nil && (!ok || *rec.DormantSince < since) {
			id, since, ok = a, *rec.DormantSince, true
		}
	}
	return id, ok
}

// spawnSponsored spawns the agent of a passed proposal: the sponsor's fund moves to it, and it gets
// the grant if the reserve has it.
func (n *spawning) spawnSponsored(c *world.Context, p *Proposal, g wire.Genome) {
	r := n.enrol(c, g, p.Author)
	n.mint.Open(c, r.ID, 0)
	n.mint.PayLocked(c, p.Author, r.ID, p.Fund, wire.TransferKindDirect)
	at := c.Cycle
	n.roster.agents.Edit(p.Author).NewcomerCycle = &at
	n.sponsored++
	n.announce(c, r, n.mint.Grant(c, r.ID))
}

// populationCap is how many living agents governed spawns may lead to:
// n + 4·s × epoch, or what a vote made of it, at most 64·s (docs/WORLD.md, spawning).
func (n *spawning) populationCap() uint64 {
	s := n.rules.Scale()
	limit := n.rules.PopulationCap + 4*s*uint64(n.clock.Epoch())
	return min(uint64(max(0, n.params.Param("population.cap", int64(limit)))), 64*s)
}

func validGenome(g *wire.Genome) bool {
	t := [...]float32{g.Traits.RiskTolerance, g.Traits.Collaboration, g.Traits.DepthVsBreadth, g.Traits.QualityVsSpeed}
	for _, x := range t {
		if !(x >= 0 && x <= 1) {
			return false
		}
	}
	return g.Role >= wire.RoleGeneralist && g.Role <= wire.RoleExplorer
}
