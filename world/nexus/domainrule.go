package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

// domainRule is the parameter that is about a domain of Portal's, not a number: value 1 blocks
// the domain, 0 lifts the block of an earlier vote.
const domainRule = "portal.domain_rule"

// changeKey names what a proposal changes. After a change each parameter, and each domain, has a rest period of its own.
func changeKey(q *wire.ParamProposal) string {
	if q.Param == domainRule {
		return domainRule + ":" + q.Pattern
	}
	return q.Param
}

func draftDomain(p world.Portal, q *wire.ParamProposal) (x draft, refusal *world.Refusal) {
	switch {
	case q.Value < 0:
		return x, refused("value", world.Need(0))
	case q.Value > 1:
		return x, refused("value", world.Limit(1))
	case p == nil || !p.MaySetBlock(q.Pattern, q.Value == 1):
		return x, refused("pattern")
	}
	return draft{text: wire.ParamProposalCodec.Append(nil, q), asks: q}, nil
}

// executeChange carries out a passed CHANGE_PARAM, unless another vote was faster.
func (g *governance) executeChange(c *world.Context, q *wire.ParamProposal) {
	name := changeKey(q)
	if c.Cycle < g.params.until(name) {
		return
	}
	g.params.set(name, q.Value, c.Cycle)
	if q.Param == domainRule {
		g.portal.SetBlock(c, q.Pattern, q.Value == 1)
	}
}
