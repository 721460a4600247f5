package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

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

	roster    roster
	ballots   map[wire.Hash]map[wire.AgentID]bool // votes on open proposals
	open      []wire.Hash                         // open proposals, by deadline, then id
	subsOf    map[wire.AgentID][]uint64           // subscription ids, ascending
	opened    map[wire.AgentID]int                // open proposals of an author
	quorum    int                                 // ACTIVE agents when this cycle end began
	changes   []Change                            // of this cycle end
	newcomers []wire.AgentID                      // of this cycle end
}

var (
	_ world.Daemon = (*Daemon)(nil)
	_ world.Roster = (*Daemon)(nil)
)

// System is NEXUS.
func (d *Daemon) System() wire.System { return wire.SystemNexus }

// State is the daemon's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Attach gives Nexus the siblings it calls; the realm calls it once.
func (d *Daemon) Attach(l world.Ledger, f world.Forum) { d.ledger, d.forum = l, f }
