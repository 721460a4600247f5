package nexus

import (
	"math"

	"kingdom/wire"
	"kingdom/world"
)

// Limits of governance (docs/WORLD.md, governance). Times are ticks.
const (
	openPerAuthor   = 2
	bond            = 5 // ⚡ of each proposal of an agent
	minVoteTime     = 256
	defaultVoteTime = 512
	maxVoteTime     = 2560
	maxKillVoteTime = 512 // while one vote on the end of an agent is open, nobody can ask for another
)

// cooldown is how many cycles pass between two votes on the end of one agent that one house asks for, two changes of
// one parameter, two newcomers of one sponsor, and a change of epoch and a vote on the next.
const cooldown wire.Cycle = 16

// submit opens an agent's proposal: PROPOSAL_SUBMIT.
func (g *governance) submit(c *world.Context, q *wire.ProposalSubmit) wire.Reply {
	at := q.VoteDeadline
	if at == 0 {
		at = c.Tick + defaultVoteTime
	}
	x, refusal := g.draft(q.Kind, q.Description)
	refusal = world.FirstRefusal(refusal, checkDeadline(q.Kind, c.Tick, at))
	if refusal == nil {
		refusal = world.FirstRefusal(g.checkOpenLimit(q.Author), g.checkCooldown(c, q.Author, x.asks))
	}
	if refusal == nil {
		refusal = g.mint.Lock(c, q.Author, bond+min(x.fund, math.MaxUint64-bond)) // the sum of a huge fund must not come out small
	}
	if refusal != nil {
		return c.Relay(wire.SystemNexus, refusal)
	}
	g.enter(c, &Proposal{
		ID: c.Msg, Author: q.Author, Kind: q.Kind, Description: x.text, VoteDeadline: at, Bond: bond, Fund: x.fund,
	})
	return c.Ack(&wire.ProposalSubmitAck{ProposalID: c.Msg})
}

// checkDeadline refuses a deadline so near that who thinks once a cycle may miss it, or so far that
// nobody knows what the vote will be about.
func checkDeadline(kind wire.ProposalKind, now, at wire.Tick) *world.Refusal {
	longest := wire.Tick(maxVoteTime)
	if kind == wire.ProposalKindKillAgent {
		longest = maxKillVoteTime
	}
	var bound world.Detail
	switch {
	case at < now+minVoteTime:
		bound = world.Need(uint64(now + minVoteTime))
	case at > now+longest:
		bound = world.Limit(uint64(now + longest))
	default:
		return nil
	}
	return &world.Refusal{
		Category: wire.CategoryInvalidRequest, Reason: "deadline",
		Details: []world.Detail{world.Field("vote_deadline"), bound, world.Have(uint64(at))},
	}
}

// checkOpenLimit refuses a third open proposal of an author.
func (g *governance) checkOpenLimit(author wire.AgentID) *world.Refusal {
	if g.opened[author] < openPerAuthor {
		return nil
	}
	return &world.Refusal{
		Category: wire.CategoryQuotaExceeded, Reason: "two_open",
		Details: []world.Detail{world.Limit(openPerAuthor), world.Have(uint64(g.opened[author]))},
	}
}

// checkCooldown refuses what is being asked already, or was too short a time ago.
func (g *governance) checkCooldown(c *world.Context, author wire.AgentID, asks any) *world.Refusal {
	var until wire.Cycle
	switch x := asks.(type) {
	case *wire.KillProposal:
		if g.underKillVote[x.AgentID] {
			return &world.Refusal{
				Category: wire.CategoryConflict, Reason: "exists", Details: []world.Detail{world.Status(wire.ProposalStatusOpen)},
			}
		}
		until = g.killVoteFrom[killVote{x.AgentID, g.roster.agents.Get(author).House}]
	case *wire.ParamProposal:
		until = g.params.until(changeKey(x))
	case *wire.EpochProposal:
		until = g.clock.Clock().Changed + cooldown
	case *wire.SpawnProposal:
		until = g.roster.agents.Get(author).nextNewcomer()
	}
	if c.Cycle >= until {
		return nil
	}
	return &world.Refusal{Category: wire.CategoryConflict, Reason: "too_soon", Details: []world.Detail{c.UntilCycle(until)}}
}
