package agora

import (
	"bytes"
	"encoding/hex"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of BOUNTY_CREATE, in ticks where they are times (docs/WORLD.md, bounties).
const (
	maxTitle        = 256  // bytes
	maxOpen         = 1000 // OPEN bounties, times the world's scale
	defaultDeadline = 2_560
	maxDeadline     = 256_000
	escrowGrace     = 512 // the escrow outlives the bounty, so that Agora decides first
)

// createBounty carries out BOUNTY_CREATE.
func (d *Daemon) createBounty(c *world.Context, q *wire.BountyCreate) wire.Reply {
	if reason := d.badOffer(c, q); reason != "" {
		return refuse(c, wire.CategoryInvalidRequest, reason)
	}
	t, malformed, absurd := readTerms(q.Requirements)
	switch {
	case malformed:
		return c.RefuseCode(wire.CodeBadBody, wire.CategoryInvalidRequest, "bad_body")
	case absurd:
		return refuse(c, wire.CategoryInvalidRequest, "bad_requirements")
	case t.program: // nobody could run it
		return refuse(c, wire.CategoryInvalidRequest, "no_forge")
	}
	if d.board.full() {
		return refuse(c, wire.CategoryQuotaExceeded, "too_many_open")
	}
	funds := d.ledger.Available(c.Source)
	if funds < 0 || q.Reward > uint64(funds) {
		return refuse(c, wire.CategoryQuotaExceeded, "funds")
	}
	b := &Bounty{
		ID: c.Msg, Creator: c.Source, Title: q.Title, Specification: q.Specification,
		Reward: q.Reward, Deadline: q.Deadline, Difficulty: q.Difficulty,
		Requirements: q.Requirements, Reviewers: q.Reviewers,
	}
	if no := d.board.fund(c, b, c.Source, max(1, q.Reward*5/100)); no != nil {
		return c.Relay(sys, no)
	}
	d.offer(c, c.Source, b)
	return c.Ack(&wire.BountyCreateAck{BountyID: b.ID})
}

// badOffer names what is wrong with a bounty besides its requirements' params.
func (d *Daemon) badOffer(c *world.Context, q *wire.BountyCreate) string {
	switch {
	case len(q.Title) == 0 || len(q.Title) > maxTitle:
		return "bad_title"
	case len(q.Specification) > maxSpecification:
		return "bad_specification"
	case q.Reward == 0:
		return "bad_reward"
	case q.Deadline != 0 && (q.Deadline <= c.Tick || q.Deadline > c.Tick+maxDeadline):
		return "bad_deadline"
	case len(q.Requirements) > maxRequirements:
		return "bad_requirements"
	case !d.goodReviewers(q.Reviewers):
		return "bad_reviewers"
	}
	return ""
}

// offer puts a funded bounty on the board, opens its channel and announces it.
func (d *Daemon) offer(c *world.Context, origin wire.AgentID, b *Bounty) {
	b.Status, b.CreatedAt, b.Bars = wire.BountyStatusOpen, c.Tick, []Bar{}
	if b.Requirements == nil {
		b.Requirements = []wire.BountyRequirement{}
	}
	if b.Reviewers == nil {
		b.Reviewers = []wire.AgentID{}
	}
	d.board.bounties.Put(b.ID, b)
	d.board.index(b)
	made := c.Emit(sys, wire.KindBountyCreated, origin, &wire.BountyCreatedEvent{
		BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward,
		Difficulty: b.Difficulty, Deadline: b.Deadline, Tick: c.Tick,
	}, nil)
	d.open(c, origin, &made, &Channel{
		ID: world.Derived("channel:", b.ID), Kind: wire.ChannelKindBounty,
		Name:    hex.AppendEncode([]byte(bountyPrefix), b.ID[:]),
		Creator: me, Access: wire.Access{Public: true},
	})
	kind, title := wire.ContentBounty, bytes.Clone(b.Title)
	d.say(c, origin, &made, &wire.Message{
		ID: world.Derived("announcement:", b.ID), Channel: ChannelID("bounties"), Author: me,
		Kind: wire.MessageKindStatement, Confidence: 1,
		Content: contentOf(wire.Content{
			BountyID: &b.ID, Deadline: &b.Deadline, Reward: &b.Reward, Title: &title, Type: &kind,
		}),
	})
}

// Bounty returns the bounty id or nil; read-only.
func (d *Daemon) Bounty(id wire.Hash) *Bounty { return d.board.bounties.Get(id) }

// Totals counts the OPEN bounties and those ever COMPLETED.
func (d *Daemon) Totals() (open, completed uint32) {
	return uint32(len(d.board.open)), d.board.completed
}
