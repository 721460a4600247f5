package oracle

import (
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Self is ORACLE_0.
var Self = wire.SystemID(wire.SystemOracle)

var (
	entryCodec        = codec.New[Entry]()
	versionCodec      = codec.New[Version]()
	verificationCodec = codec.New[Verification]()
	approvalCodec     = codec.New[Approval]()
	citationCodec     = codec.New[Citation]()
	gapCodec          = codec.New[Gap]()
)

// Daemon is ORACLE_0. It implements world.Daemon and world.Library.
type Daemon struct {
	rules  *world.Rules
	roster nexus
	ledger mint
	forum  world.Forum

	state         *world.State
	entries       *world.Table[wire.Hash, Entry]
	versions      *world.Chain[Version]
	verifications *world.Chain[Verification]
	approvals     *world.Table[string, Approval] // entry ‖ agent
	citations     *world.Chain[Citation]
	gaps          *world.Table[wire.Hash, Gap] // question

	shelf
	votes
	graph
}

var (
	_ world.Daemon  = (*Daemon)(nil)
	_ world.Library = (*Daemon)(nil)
)

// New returns an Oracle without entries.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemOracle)
	d := &Daemon{rules: r, state: s, votes: newVotes(), graph: newGraph()}
	d.shelf.clear()
	d.entries = world.NewTable[wire.Hash](s, "entries", entryCodec)
	d.versions = world.NewChain(s, "versions", versionCodec, func(_ uint64, v *Version) { d.shelf.keep(v) })
	d.verifications = world.NewChain(s, "verifications", verificationCodec, func(_ uint64, v *Verification) { d.votes.cast(v) })
	d.approvals = world.NewTable[string](s, "approvals", approvalCodec)
	d.citations = world.NewChain(s, "citations", citationCodec, func(_ uint64, e *Citation) { d.graph.link(e) })
	d.gaps = world.NewTable[wire.Hash](s, "gaps", gapCodec)
	return d
}

// Attach gives Oracle its siblings.
func (d *Daemon) Attach(s *world.Siblings) {
	d.roster, d.ledger, d.forum = s.Nexus, s.Mint, s.Forum
}

// System names the daemon.
func (d *Daemon) System() wire.System { return wire.SystemOracle }

// State is Oracle's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	switch q := req.(type) {
	case *wire.EntryPublish:
		return d.publish(c, q)
	case *wire.EntryUpdate:
		return d.update(c, q)
	case *wire.EntryQuery:
		return d.query(c, q)
	case *wire.EntryVerify:
		return d.verify(c, q)
	case *wire.EntryGet:
		return d.get(c, q)
	case *wire.CitationAdd:
		return d.citationAdd(c, q)
	case *wire.CitationQuery:
		return d.citationQuery(c, q)
	}
	return c.RefuseCode(wire.CodeUnknownType, wire.CategoryInvalidRequest, "unknown_type")
}

func (d *Daemon) refuse(c *world.Context, cat wire.Category, reason string) wire.Reply {
	return c.Refuse(wire.SystemOracle, cat, reason)
}

// origin is the agent that caused an event: the sender of the request; for what a daemon
// does by itself the agent it is about, else Oracle.
func origin(c *world.Context, about wire.AgentID) wire.AgentID {
	switch {
	case !c.Source.IsZero() && !wire.IsSystem(c.Source):
		return c.Source
	case !about.IsZero() && !wire.IsSystem(about):
		return about
	}
	return Self
}

func (d *Daemon) emit(c *world.Context, kind wire.EventKind, about wire.AgentID, payload any) {
	c.Emit(wire.SystemOracle, kind, origin(c, about), payload, nil)
}
