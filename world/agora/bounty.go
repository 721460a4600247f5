package agora

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of BOUNTY_CREATE, in ticks where they are times (docs/WORLD.md, bounties).
const (
	maxOpen         = 1000 // OPEN bounties per unit of the world's scale
	defaultDeadline = 2_560
	maxDeadline     = 25_600
	escrowGrace     = 8_192 // the escrow outlives the bounty, so that Agora decides first
	maxCreated      = 32    // bounties of one creator that are neither COMPLETED nor EXPIRED
)

// create carries out BOUNTY_CREATE.
func (x *board) create(c *world.Context, q *wire.BountyCreate) wire.Reply {
	if refusal := x.checkOffer(c, q); refusal != nil {
		return c.Relay(sys, refusal)
	}
	t, malformed, invalid := readTerms(q.Requirements)
	switch {
	case malformed:
		return badBody(c, "requirements")
	case invalid, t.answers(): // only a documentation bounty says when an entry answers its question
		return c.Relay(sys, world.InvalidIf(true, "requirements"))
	case len(t.programs) > 0 && x.forge == nil: // nobody could run it
		return refuse(c, wire.CategoryInvalidRequest, "no_forge", world.Field("requirements"))
	}
	switch {
	case len(x.createdBy[c.Source]) >= maxCreated:
		return refuse(c, wire.CategoryQuotaExceeded, "too_many_open", world.Limit(maxCreated))
	case x.full():
		return refuse(c, wire.CategoryQuotaExceeded, "too_many_open", world.Limit(maxOpen*x.rules.Scale()))
	}
	b := &Bounty{
		ID: c.Msg, Creator: c.Source, Title: q.Title, Specification: q.Specification,
		Reward: q.Reward, Deadline: q.Deadline, Difficulty: q.Difficulty,
		Requirements: canonical(q.Requirements), Reviewers: q.Reviewers,
	}
	if refusal := x.counters.mayWrite(c, len(q.Specification)); refusal != nil {
		return c.Relay(sys, refusal)
	}
	fee := listingFee(q.Reward)
	if tests := t.tests(); len(tests) > 0 {
		// Reading costs Forge time, so all that can refuse the bounty without it comes first.
		if slices.ContainsFunc(tests, func(id wire.Hash) bool { return !x.code.Public(id) }) { // failing a test bars the claimer, so everybody must be able to read it
			return refuse(c, wire.CategoryUnauthorized, "read", world.Field("requirements.test"))
		}
		price := fee + min(q.Reward, math.MaxUint64-fee) // the sum of a huge reward must not come out small
		if refusal := x.ledger.CanLock(c.Source, price); refusal != nil {
			return c.Relay(sys, refusal)
		}
		ticks, refusal := x.forge.ReadCost(c, "requirements.test", tests)
		if refusal != nil {
			return c.Relay(sys, refusal)
		}
		x.forge.Charge(c.Source, ticks)
	}
	if refusal := x.fund(c, b, c.Source, fee); refusal != nil {
		return c.Relay(sys, refusal)
	}
	x.counters.countText(c, len(q.Specification))
	x.publish(c, c.Source, b)
	return c.Ack(&wire.BountyCreateAck{BountyID: b.ID})
}

// listingFee is ⌊5 %⌋ of a reward, at least 1 ⚡.
func listingFee(reward uint64) uint64 { return max(1, reward/20) }

// checkOffer returns why a bounty is refused, or nil. It does not look at the params of the requirements.
func (s *siblings) checkOffer(c *world.Context, q *wire.BountyCreate) *world.Refusal {
	return world.FirstRefusal(
		world.InvalidIf(q.Reward == 0, "reward"),
		world.InvalidIf(q.Deadline != 0 && (q.Deadline <= c.Tick || q.Deadline > c.Tick+maxDeadline), "deadline"),
		world.InvalidIf(!s.validReviewers(q.Reviewers), "reviewers"),
	)
}

// publish adds a funded bounty to the board, opens its channel and announces it.
func (x *board) publish(c *world.Context, origin wire.AgentID, b *Bounty) {
	b.Status, b.CreatedAt, b.Silent = wire.BountyStatusOpen, c.Tick, []Silence{}
	b.use(documents{})
	if b.Requirements == nil {
		b.Requirements = []wire.BountyRequirement{}
	}
	if b.Reviewers == nil {
		b.Reviewers = []wire.AgentID{}
	}
	x.bounties.Put(b.ID, b)
	x.index(b)
	made := c.Emit(sys, wire.KindBountyCreated, origin, &wire.BountyCreatedEvent{
		BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward,
		Difficulty: b.Difficulty, Deadline: b.Deadline, Tick: c.Tick,
	}, nil)
	x.channels.open(c, origin, &made, &Channel{
		ID: world.Derived("channel:", b.ID), Kind: wire.ChannelKindBounty,
		Name:    hex.AppendEncode([]byte(bountyPrefix), b.ID[:]),
		Creator: me, Access: wire.Access{Public: true},
	})
	kind, title := wire.ContentBounty, bytes.Clone(b.Title)
	x.channels.appendMessage(c, origin, &made, &wire.Message{
		ID: world.Derived("announcement:", b.ID), Channel: wire.ChannelID("bounties"), Author: me,
		Kind: wire.MessageKindStatement, Confidence: 1,
		Content: contentOf(wire.Content{
			BountyID: &b.ID, Deadline: &b.Deadline, Reward: &b.Reward, Title: &title, Type: &kind,
		}),
	})
}

// Bounty returns the bounty id or nil; read-only.
func (d *Daemon) Bounty(id wire.Hash) *Bounty { return d.board.bounties.Get(id) }

// Totals returns the number of OPEN bounties and the number ever COMPLETED.
func (d *Daemon) Totals() (open, completed uint32) {
	return uint32(len(d.board.open)), d.board.completed
}
