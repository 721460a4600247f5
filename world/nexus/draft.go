package nexus

import (
	"errors"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Bounds of a proposal's description.
const (
	maxDescription = 4096 // bytes of its canonical form
	maxSeeds       = 16   // knowledge seeds of a newcomer
)

// draft is what an agent's proposal asks for.
type draft struct {
	text []byte // the description in its canonical form
	asks any    // the description decoded; nil for CUSTOM
	fund uint64 // ⚡ to lock for a newcomer
}

// draft reads the description of a proposal and refuses what no vote can bring about.
func (g *governance) draft(kind wire.ProposalKind, b []byte) (x draft, refusal *world.Refusal) {
	switch kind {
	case wire.ProposalKindSpawnAgent:
		x, refusal = draftSpawn(b)
	case wire.ProposalKindKillAgent:
		x, refusal = g.roster.draftKill(b)
	case wire.ProposalKindChangeParam:
		x, refusal = g.draftChange(b)
	case wire.ProposalKindEpochAdvance:
		x, refusal = g.clock.draftEpoch(b)
	case wire.ProposalKindCustom:
		var err error
		x.text, err = codec.CanonicalFreeMap(b)
		refusal = malformed("description", "description", err)
	default:
		refusal = refused("kind")
	}
	return x, world.FirstRefusal(refusal, world.MaxBytes("description", len(x.text), maxDescription))
}

// refused is the refusal of a description because of one of its fields.
func refused(field string, more ...world.Detail) *world.Refusal {
	return invalid("description", field, more...)
}

func invalid(reason, field string, more ...world.Detail) *world.Refusal {
	return &world.Refusal{
		Category: wire.CategoryInvalidRequest, Reason: reason, Details: append([]world.Detail{world.Field(field)}, more...),
	}
}

// malformed returns the refusal of a description that does not decode, with the field that err names; nil if err is nil.
func malformed(reason, field string, err error) *world.Refusal {
	if err == nil {
		return nil
	}
	if e := (*codec.DecodeError)(nil); errors.As(err, &e) && e.Field != "" {
		field += "." + e.Field
	}
	return invalid(reason, field)
}

func draftSpawn(b []byte) (x draft, refusal *world.Refusal) {
	s := &wire.SpawnProposal{}
	if refusal = malformed("description", "description", wire.SpawnProposalCodec.Decode(b, s)); refusal != nil {
		return x, refusal
	}
	s.Genome, refusal = canonicalGenome(s.Genome, s.Role, "description")
	switch {
	case refusal != nil:
		return x, refusal
	case s.InitialFund < world.MinFund:
		return x, belowFund(s.InitialFund)
	}
	return draft{text: wire.SpawnProposalCodec.Append(nil, s), asks: s, fund: s.InitialFund}, nil
}

// canonicalGenome checks the genome of a newcomer of a role and returns its canonical form.
func canonicalGenome(b []byte, role wire.Role, reason string) ([]byte, *world.Refusal) {
	var g wire.Genome
	if refusal := malformed(reason, "genome", wire.GenomeCodec.Decode(b, &g)); refusal != nil {
		return nil, refusal
	}
	switch {
	case g.Role != role:
		return nil, invalid(reason, "genome.role")
	case !validGenome(&g):
		return nil, invalid(reason, "genome.traits")
	}
	return wire.GenomeCodec.Append(nil, &g), world.MaxItems("genome.knowledge_seeds", len(g.KnowledgeSeeds), maxSeeds)
}

func belowFund(have uint64) *world.Refusal {
	return &world.Refusal{
		Category: wire.CategoryInvalidRequest, Reason: "fund_below_50",
		Details: []world.Detail{world.Field("initial_fund"), world.Need(world.MinFund), world.Have(have)},
	}
}

func (r *roster) draftKill(b []byte) (x draft, refusal *world.Refusal) {
	k := &wire.KillProposal{}
	if refusal = malformed("description", "description", wire.KillProposalCodec.Decode(b, k)); refusal != nil {
		return x, refusal
	}
	switch rec := r.agents.Get(k.AgentID); {
	case rec == nil: // systems are not in the roster
		return x, refused("agent_id")
	case rec.Status == wire.StatusDead:
		return x, refused("agent_id", world.Status(rec.Status))
	}
	return draft{text: wire.KillProposalCodec.Append(nil, k), asks: k}, nil
}

func (g *governance) draftChange(b []byte) (x draft, refusal *world.Refusal) {
	q := &wire.ParamProposal{}
	if refusal = malformed("description", "description", wire.ParamProposalCodec.Decode(b, q)); refusal != nil {
		return x, refusal
	}
	if q.Param == domainRule {
		return draftDomain(g.portal, q)
	}
	return g.params.draftParam(q)
}

func (p *params) draftParam(q *wire.ParamProposal) (x draft, refusal *world.Refusal) {
	r, known := p.bounds(q.Param)
	switch {
	case !known:
		return x, refused("param")
	case q.Pattern != "":
		return x, refused("pattern")
	case q.Value < r.least:
		return x, refused("value", world.Need(uint64(r.least)))
	case q.Value > r.most:
		return x, refused("value", world.Limit(uint64(r.most)))
	}
	return draft{text: wire.ParamProposalCodec.Append(nil, q), asks: q}, nil
}

func (k *clock) draftEpoch(b []byte) (x draft, refusal *world.Refusal) {
	e := &wire.EpochProposal{}
	if refusal = malformed("description", "description", wire.EpochProposalCodec.Decode(b, e)); refusal != nil {
		return x, refusal
	}
	switch next := k.Epoch() + 1; {
	case next < firstOpenEpoch: // it comes by its milestone
		return x, refused("epoch")
	case e.Epoch != next:
		return x, refused("epoch", world.Need(uint64(next)))
	}
	return draft{text: wire.EpochProposalCodec.Append(nil, e), asks: e}, nil
}
