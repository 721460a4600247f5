package nexus

import (
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Limits of governance (docs/WORLD.md, governance). Times are ticks.
const (
	openPerAuthor   = 2
	bond            = 5 // ⚡ of an agent's CUSTOM proposal
	minFund         = 50
	defaultVoteTime = 512
	maxVoteTime     = 2560
)

// submit opens an agent's proposal: PROPOSAL_SUBMIT.
func (d *Daemon) submit(c *world.Context, q *wire.ProposalSubmit) wire.Reply {
	deadline := q.VoteDeadline
	if deadline == 0 {
		deadline = c.Tick + defaultVoteTime
	}
	if deadline <= c.Tick || deadline > c.Tick+maxVoteTime {
		return d.refuse(c, wire.CategoryInvalidRequest, "deadline")
	}
	text, locked, ok := d.describe(q.Kind, q.Description, c.Cycle)
	if !ok {
		return d.refuse(c, wire.CategoryInvalidRequest, "description")
	}
	if q.Kind == wire.ProposalKindSpawnAgent && locked < minFund {
		return d.refuse(c, wire.CategoryInvalidRequest, "fund_below_50")
	}
	if d.governance.opened[q.Author] >= openPerAuthor {
		return d.refuse(c, wire.CategoryQuotaExceeded, "two_open")
	}
	if locked > 0 {
		if d.mint.Lock(c, q.Author, locked) != nil {
			return d.refuse(c, wire.CategoryQuotaExceeded, "funds")
		}
	}
	d.enter(c, &Proposal{
		ID: c.Msg, Author: q.Author, Kind: q.Kind, Description: text, VoteDeadline: deadline, Bond: locked,
	})
	return c.Ack(&wire.ProposalSubmitAck{ProposalID: c.Msg})
}

// describe checks a description and returns its canonical form and the ⚡ that are
// locked for it.
func (d *Daemon) describe(kind wire.ProposalKind, b []byte, now wire.Cycle) (text []byte, locked uint64, ok bool) {
	switch kind {
	case wire.ProposalKindSpawnAgent:
		var s wire.SpawnProposal
		var g wire.Genome
		if wire.SpawnProposalCodec.Decode(b, &s) != nil || wire.GenomeCodec.Decode(s.Genome, &g) != nil || !validGenome(&g) || g.Role != s.Role {
			return nil, 0, false
		}
		s.Genome = wire.GenomeCodec.Append(nil, &g)
		return wire.SpawnProposalCodec.Append(nil, &s), s.InitialFund, true
	case wire.ProposalKindKillAgent:
		var k wire.KillProposal
		if wire.KillProposalCodec.Decode(b, &k) != nil {
			return nil, 0, false
		}
		r := d.agents.Get(k.AgentID)
		return wire.KillProposalCodec.Append(nil, &k), 0, r != nil && r.Status != wire.StatusDead
	case wire.ProposalKindChangeParam:
		var p wire.ParamProposal
		if wire.ParamProposalCodec.Decode(b, &p) != nil {
			return nil, 0, false
		}
		return wire.ParamProposalCodec.Append(nil, &p), 0, changeable(p.Param) && p.Value >= 0
	case wire.ProposalKindEpochAdvance:
		var e wire.EpochProposal
		if wire.EpochProposalCodec.Decode(b, &e) != nil {
			return nil, 0, false
		}
		return wire.EpochProposalCodec.Append(nil, &e), 0, d.mayAdvance(e.Epoch, now)
	case wire.ProposalKindCustom:
		return b, bond, codec.CheckFreeMap(b) == nil
	}
	return nil, 0, false
}
