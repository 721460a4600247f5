package nexus

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// selfID is NEXUS_0, author of what the daemon does by itself.
var selfID = wire.SystemID(wire.SystemNexus)

// Daemon is NEXUS_0. Its exported methods, which the realm and other daemons call, belong to parts that keep their
// own tables and indexes.
type Daemon struct {
	*siblings
	rules *world.Rules
	state *world.State

	clock
	roster
	governance
	milestones
	budgets *world.Table[wire.AgentID, Budget]
	params
	subscriptions
	spawning spawning
}

var (
	_ world.Daemon     = (*Daemon)(nil)
	_ world.Roster     = (*Daemon)(nil)
	_ world.Votes      = (*Daemon)(nil)
	_ world.Merits     = (*Daemon)(nil)
	_ world.Milestones = (*Daemon)(nil)
	_ world.Params     = (*Daemon)(nil)
)

var (
	clockCodec        = codec.New[Clock]()
	agentCodec        = codec.New[Agent]()
	proposalCodec     = codec.New[Proposal]()
	voteCodec         = codec.New[Vote]()
	milestoneCodec    = codec.New[Milestone]()
	budgetCodec       = codec.New[Budget]()
	paramCodec        = codec.New[Param]()
	subscriptionCodec = codec.New[Subscription]()
)

// New returns Nexus before its bootstrap: an empty roster at tick 0, in the epoch of the rules.
// Attach must follow.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemNexus)
	d := &Daemon{siblings: &siblings{}, rules: r, state: s}
	d.clock = clock{rules: r, table: world.NewTable[string](s, "clock", clockCodec)}
	d.roster = roster{siblings: d.siblings, rules: r, subscriptions: &d.subscriptions, agents: world.NewTable[wire.AgentID](s, "agents", agentCodec), hidden: map[wire.AgentID]struct{}{}}
	d.governance = newGovernance(r, s)
	d.votes = world.NewChain(s, "votes", voteCodec, d.indexVote)
	d.milestones.table = world.NewTable[string](s, "milestones", milestoneCodec)
	d.budgets = world.NewTable[wire.AgentID](s, "budgets", budgetCodec)
	d.params.rules, d.params.table = r, world.NewTable[string](s, "params", paramCodec)
	d.subscriptions.table = world.NewTable[string](s, "subscriptions", subscriptionCodec)
	d.subscriptions.restore()
	d.spawning = spawning{siblings: d.siblings, rules: r, clock: &d.clock, roster: &d.roster, params: &d.params}
	d.governance.siblings = d.siblings
	d.governance.roster, d.governance.clock, d.governance.params = &d.roster, &d.clock, &d.params
	d.governance.milestones, d.governance.spawning = &d.milestones, &d.spawning
	d.clock.table.Put("", &Clock{Epoch: r.Epoch, NextSpawn: 1})
	return d
}

// Attach gives Nexus the siblings it calls.
func (d *Daemon) Attach(s *world.Siblings) {
	d.mint, d.forum, d.forge, d.portal = s.Mint, s.Agora, s.Forge, s.Portal
}

// System is NEXUS.
func (d *Daemon) System() wire.System { return wire.SystemNexus }

// State is the daemon's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request of an agent or its runtime.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	switch q := req.(type) {
	case *wire.AgentStatusMsg:
		return d.roster.status(c, q)
	case *wire.ProposalSubmit:
		return d.governance.submit(c, q)
	case *wire.ProposalVote:
		return d.governance.vote(c, q)
	case *wire.Subscribe:
		return d.subscribe(c, q)
	case *wire.Unsubscribe:
		return d.unsubscribe(c, q)
	}
	panic(fmt.Sprintf("nexus: request type %T is not served here; the receive pipeline must refuse it", req))
}

// Restored rebuilds the indexes over the tables.
func (d *Daemon) Restored() {
	d.roster.restore()
	d.governance.restore()
	d.subscriptions.restore()
}

func refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(wire.SystemNexus, cat, reason, details...)
}
