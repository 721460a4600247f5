package nexus

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// execute does what a tallied proposal leads to.
func (d *Daemon) execute(c *world.Context, p *Proposal, passed, quorum bool) {
	switch p.Kind {
	case wire.ProposalKindSpawnAgent:
		d.executeSpawn(c, p, passed)
	case wire.ProposalKindKillAgent:
		if passed {
			d.executeKill(c, p)
		}
	case wire.ProposalKindChangeParam:
		if passed {
			var q wire.ParamProposal
			mustDecode(wire.ParamProposalCodec, p.Description, &q)
			d.params.set(q.Param, q.Value)
		}
	case wire.ProposalKindEpochAdvance:
		if passed {
			var q wire.EpochProposal
			mustDecode(wire.EpochProposalCodec, p.Description, &q)
			d.Milestone(c, advanceName(q.Epoch))
		}
	case wire.ProposalKindCustom:
		d.executeCustom(c, p, passed, quorum)
	}
}

// executeSpawn makes the newcomer, or gives the sponsor its fund back when the
// vote failed or the population is full. A sponsor that died has lost the fund to
// the treasury, and the newcomer with it.
func (d *Daemon) executeSpawn(c *world.Context, p *Proposal, passed bool) {
	switch {
	case d.agents.Get(p.Author).Status == wire.StatusDead:
	case passed && uint64(d.Count().Living()) < d.populationCap():
		var s wire.SpawnProposal
		var g wire.Genome
		mustDecode(wire.SpawnProposalCodec, p.Description, &s)
		mustDecode(wire.GenomeCodec, s.Genome, &g)
		d.governed(c, p, &s, g)
	default:
		d.mint.Unlock(c, p.Author, p.Bond)
	}
}

func (d *Daemon) executeKill(c *world.Context, p *Proposal) {
	var k wire.KillProposal
	mustDecode(wire.KillProposalCodec, p.Description, &k)
	if s, _ := d.Status(k.AgentID); s == wire.StatusActive || s == wire.StatusDormant {
		d.kill(c, k.AgentID, "governance", wire.KillReason{GovernanceVote: &wire.KilledByVote{ProposalID: p.ID}})
	}
}

// executeCustom settles the bond of an agent's proposal, or what a daemon asked:
// a dispute of Agora's ends either way, an intervention of Mint's needs a majority.
func (d *Daemon) executeCustom(c *world.Context, p *Proposal, passed, quorum bool) {
	switch p.Author {
	case wire.SystemID(wire.SystemAgora):
		var q wire.DisputeProposal
		mustDecode(wire.DisputeProposalCodec, p.Description, &q)
		d.forum.DisputeDecided(c, q.BountyID, p.Status)
	case wire.SystemID(wire.SystemMint):
		var q wire.InterventionProposal
		mustDecode(wire.InterventionProposalCodec, p.Description, &q)
		if passed {
			d.mint.Intervene(c, q.Kind)
		}
	default:
		d.settleBond(c, p, quorum)
	}
}

func (d *Daemon) settleBond(c *world.Context, p *Proposal, quorum bool) {
	switch {
	case d.agents.Get(p.Author).Status == wire.StatusDead: // swept with the rest
	case quorum:
		d.mint.Unlock(c, p.Author, p.Bond)
	default:
		d.mint.PayLocked(c, p.Author, wire.SystemID(wire.SystemMint), p.Bond, wire.TransferKindDirect)
	}
}

// mustDecode reads a description that was checked when its proposal was opened.
func mustDecode[T any](codec *codec.Codec[T], b []byte, v *T) {
	if err := codec.Decode(b, v); err != nil {
		panic(fmt.Sprintf("nexus: description of an open proposal: %v", err))
	}
}
