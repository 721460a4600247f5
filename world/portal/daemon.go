package portal

import (
	"kingdom/wire"
	"kingdom/world"
)

const sys = wire.SystemPortal

// me is PORTAL_0.
var me = wire.SystemID(sys)

// Daemon is PORTAL_0. It implements world.Daemon and world.Portal.
type Daemon struct {
	rules *world.Rules
	state *world.State
	nexus nexus
	mint  mint

	requests *world.Chain[Request]
	cache    *cache
	domains  *domains
	usage    *usage
	traffic  traffic // of the open cycle
}

// nexus is what Portal asks of Nexus.
type nexus interface {
	world.Epochs
	world.Params
}

// mint is what Portal asks of Mint.
type mint interface {
	world.Accounts
}

var (
	_ world.Daemon       = (*Daemon)(nil)
	_ world.Portal       = (*Daemon)(nil)
	_ world.Preparer     = (*Daemon)(nil)
	_ world.Bootstrapper = (*Daemon)(nil)
	_ world.Maintainer   = (*Daemon)(nil)
)

// New returns a Portal without domains; its phase of the bootstrap sets those of the rules.
func New(r *world.Rules) *Daemon {
	s := world.NewState(sys)
	return &Daemon{
		rules: r, state: s,
		requests: world.NewChain(s, "requests", requestCodec, nil),
		cache:    newCache(s, r), domains: newDomains(s, r), usage: newUsage(s),
	}
}

// Attach gives Portal its siblings.
func (d *Daemon) Attach(s *world.Siblings) { d.nexus, d.mint = s.Nexus, s.Mint }

// System names the daemon.
func (d *Daemon) System() wire.System { return sys }

// State is Portal's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	if q, ok := req.(*wire.WebRequest); ok {
		return d.request(c, q)
	}
	return c.RefuseCode(wire.CodeUnknownType, wire.CategoryInvalidRequest, "unknown_type")
}

// Restored rebuilds what does not follow from single records.
func (d *Daemon) Restored() { d.cache.restored() }

// CycleEnd drops old pages from the cache and resets the agents' quotas.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.cache.evict(c)
	d.usage.endCycle(c.Tick)
}
