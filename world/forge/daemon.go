package forge

import (
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

const sys = wire.SystemForge

// me is FORGE_0.
var me = wire.SystemID(sys)

// Daemon is FORGE_0. It implements world.Daemon and world.Forge.
type Daemon struct {
	*shared
	state *world.State

	sandboxes *sandboxes
	services  *services
	language  *language
}

// shared is what all parts of Forge use: the other daemons, the forge ticks of agents and the cache of programs.
type shared struct {
	siblings
	rules    *world.Rules
	cpu      *cpu
	programs program.Cache // not part of the state
}

var (
	_ world.Daemon          = (*Daemon)(nil)
	_ world.Forge           = (*Daemon)(nil)
	_ world.Proofs          = (*Daemon)(nil)
	_ world.Preparer        = (*Daemon)(nil)
	_ world.Maintainer      = (*Daemon)(nil)
	_ world.Bootstrapper    = (*Daemon)(nil)
	_ world.PartyLister     = (*Daemon)(nil)
	_ world.SubjectReporter = (*Daemon)(nil)
)

// New returns an empty Forge.
func New(r *world.Rules) *Daemon {
	s := world.NewState(sys)
	sh := &shared{rules: r}
	sh.cpu = newCPU(s, &sh.siblings)
	boxes := newSandboxes(s, sh)
	return &Daemon{
		shared: sh, state: s, sandboxes: boxes,
		services: newServices(s, sh, boxes), language: newLanguage(s, sh),
	}
}

// Attach gives Forge its siblings.
func (d *Daemon) Attach(s *world.Siblings) {
	d.roster, d.ledger, d.code, d.library = s.Nexus, s.Mint, s.Objects, s.Entries
}

// System names the daemon.
func (d *Daemon) System() wire.System { return sys }

// State is Forge's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	if refusal := world.CheckBounds(req); refusal != nil {
		return c.Relay(sys, refusal)
	}
	switch q := req.(type) {
	case *wire.SandboxCreate:
		return d.sandboxes.create(c, q)
	case *wire.SandboxStatus:
		return d.sandboxes.status(c, q)
	case *wire.SandboxKill:
		return d.kill(c, q)
	case *wire.ExecStart:
		return d.sandboxes.start(c, q)
	case *wire.ProofRequest:
		return d.sandboxes.prove(c, q)
	case *wire.ServiceCreate:
		return d.services.create(c, q)
	case *wire.ServiceCall:
		return d.services.call(c, q)
	case *wire.LinkResolve:
		return d.shared.link(c, q)
	}
	return c.RefuseCode(wire.CodeUnknownType, wire.CategoryInvalidRequest, "unknown_type")
}

func refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(sys, cat, reason, details...)
}

func refusal(cat wire.Category, reason string, details ...world.Detail) *world.Refusal {
	return &world.Refusal{Category: cat, Reason: reason, Details: details}
}

// emit reports what the sender of the request did.
func emit(c *world.Context, kind wire.EventKind, payload any) {
	c.Emit(sys, kind, c.Source, payload, nil)
}

// Restored rebuilds the indexes.
func (d *Daemon) Restored() {
	d.sandboxes.restored()
	d.services.restored()
}
