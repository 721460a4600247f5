package nexus

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// me is NEXUS_0, author of what the daemon does by itself.
var me = wire.SystemID(wire.SystemNexus)

// Daemon is Nexus. It implements world.Daemon and world.Roster.
type Daemon struct {
	rules  *world.Rules
	ledger world.Ledger
	forum  world.Forum
	state  *world.State

	clock      *world.Table[string, Clock]
	agents     *world.Table[wire.AgentID, Agent]
	proposals  *world.Table[wire.Hash, Proposal]
	votes      *world.Chain[Vote]
	milestones *world.Table[string, Milestone]
	budgets    *world.Table[wire.AgentID, Budget]
	params     *world.Table[string, Param]
	subs       *world.Table[string, Subscription]

	roster roster // of agents
	ballot ballot // of open proposals
	desk   desk   // of subscriptions
	closes closes // what the running cycle end did
}

var (
	_ world.Daemon = (*Daemon)(nil)
	_ world.Roster = (*Daemon)(nil)
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

// New returns Nexus before its bootstrap: an empty roster at tick 0, epoch 0.
// Attach must follow.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemNexus)
	d := &Daemon{rules: r, state: s}
	d.clock = world.NewTable[string](s, "clock", clockCodec)
	d.agents = world.NewTable[wire.AgentID](s, "agents", agentCodec)
	d.proposals = world.NewTable[wire.Hash](s, "proposals", proposalCodec)
	d.votes = world.NewChain(s, "votes", voteCodec, d.seeVote)
	d.milestones = world.NewTable[string](s, "milestones", milestoneCodec)
	d.budgets = world.NewTable[wire.AgentID](s, "budgets", budgetCodec)
	d.params = world.NewTable[string](s, "params", paramCodec)
	d.subs = world.NewTable[string](s, "subscriptions", subscriptionCodec)
	d.ballot = newBallot()
	d.desk = newDesk()
	d.roster = newRoster()
	d.clock.Put("", &Clock{NextSpawn: 1})
	return d
}

// Attach gives Nexus the siblings it calls; the realm calls it once.
func (d *Daemon) Attach(l world.Ledger, f world.Forum) { d.ledger, d.forum = l, f }

// System is NEXUS.
func (d *Daemon) System() wire.System { return wire.SystemNexus }

// State is the daemon's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request of an agent or its runtime.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	switch q := req.(type) {
	case *wire.AgentStatusMsg:
		return d.status(c, q)
	case *wire.ProposalSubmit:
		return d.submit(c, q)
	case *wire.ProposalVote:
		return d.vote(c, q)
	case *wire.Subscribe:
		return d.subscribe(c, q)
	case *wire.Unsubscribe:
		return d.unsubscribe(c, q)
	}
	panic(fmt.Sprintf("nexus: request type %T is not served here; the receive pipeline must refuse it", req))
}

// Restored rebuilds the indices over the tables. That over votes was filled while
// the chain was loaded.
func (d *Daemon) Restored() {
	d.roster.stale = true
	d.proposals.Each(func(id wire.Hash, p *Proposal) {
		if p.Status == wire.ProposalStatusOpen {
			d.ballot.open(p)
		}
	})
	d.ballot.prune()
	d.subs.Each(func(_ string, s *Subscription) { d.desk.add(s) })
}

func (d *Daemon) refuse(c *world.Context, cat wire.Category, reason string) wire.Reply {
	return c.Refuse(wire.SystemNexus, cat, reason)
}
