package nexus

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// execute does what a tallied proposal leads to.
func (g *governance) execute(c *world.Context, p *Proposal, passed bool) {
	switch p.Kind {
	case wire.ProposalKindSpawnAgent:
		g.executeSpawn(c, p, passed)
	case wire.ProposalKindKillAgent:
		if passed {
			g.executeKill(c, p)
		}
	case wire.ProposalKindChangeParam:
		if passed {
			var q wire.ParamProposal
			mustDecode(wire.ParamProposalCodec, p.Description, &q)
			g.executeChange(c, &q)
		}
	case wire.ProposalKindEpochAdvance:
		if passed {
			var q wire.EpochProposal
			mustDecode(wire.EpochProposalCodec, p.Description, &q)
			g.milestones.RecordMilestone(c, advanceName(q.Epoch))
		}
	case wire.ProposalKindCustom:
		g.executeCustom(c, p, passed)
	}
}

// executeSpawn makes the newcomer, or gives the sponsor its fund back when the vote failed, the
// population is full, enough were born at this cycle end, or the sponsor had a newcomer too
// recently. A sponsor that died has lost the fund to the treasury, and the newcomer with it.
func (g *governance) executeSpawn(c *world.Context, p *Proposal, passed bool) {
	sponsor := g.roster.agents.Get(p.Author)
	switch {
	case sponsor.Status == wire.StatusDead:
	case passed && g.spawning.checkPopulation() == nil && g.spawning.sponsored < g.rules.Scale() && c.Cycle >= sponsor.nextNewcomer():
		var s wire.SpawnProposal
		var genome wire.Genome
		mustDecode(wire.SpawnProposalCodec, p.Description, &s)
		mustDecode(wire.GenomeCodec, s.Genome, &genome)
		g.spawning.spawnSponsored(c, p, genome)
	default:
		g.mint.Unlock(c, p.Author, p.Fund)
	}
}

func (g *governance) executeKill(c *world.Context, p *Proposal) {
	var k wire.KillProposal
	mustDecode(wire.KillProposalCodec, p.Description, &k)
	if s, _ := g.roster.Status(k.AgentID); s == wire.StatusActive || s == wire.StatusDormant {
		g.roster.kill(c, k.AgentID, "governance", wire.KillReason{GovernanceVote: &wire.KilledByVote{ProposalID: p.ID}})
	}
}

// executeCustom does what a daemon asked: a dispute of Agora's ends either way, an
// intervention of Mint's needs a majority. Those of agents say something and do nothing.
func (g *governance) executeCustom(c *world.Context, p *Proposal, passed bool) {
	switch p.Author {
	case wire.SystemID(wire.SystemAgora):
		var q wire.DisputeProposal
		mustDecode(wire.DisputeProposalCodec, p.Description, &q)
		g.forum.DisputeDecided(c, q.BountyID, p.Status)
	case wire.SystemID(wire.SystemMint):
		var q wire.InterventionProposal
		mustDecode(wire.InterventionProposalCodec, p.Description, &q)
		if passed {
			g.mint.Intervene(c, q.Kind)
		}
	}
}

// mustDecode reads a description that was checked when its proposal was opened.
func mustDecode[T any](codec *codec.Codec[T], b []byte, v *T) {
	if err := codec.Decode(b, v); err != nil {
		panic(fmt.Sprintf("nexus: description of an open proposal: %v", err))
	}
}
