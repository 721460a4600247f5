package agora

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// me is AGORA_0, author of what the daemon says by itself.
var me = wire.SystemID(wire.SystemAgora)

// Daemon is Agora. It implements world.Daemon and world.Agora.
type Daemon struct {
	*siblings
	rules *world.Rules

	state    *world.State
	channels *channels
	archive  *archive // messages and signals
	board    *board   // bounties
	reviews  *reviews
	views    *views
	counters *counters
}

var (
	_ world.Daemon = (*Daemon)(nil)
	_ world.Agora  = (*Daemon)(nil)

	_ world.Preparer = (*Daemon)(nil)
)

var (
	channelCodec = codec.New[Channel]()
	messageCodec = codec.New[wire.Message]()
	signalCodec  = codec.New[Signal]()
	bountyCodec  = codec.New[Bounty]()
	verdictCodec = codec.New[Verdict]()
	reviewCodec  = codec.New[Review]()
	postCodec    = codec.New[ReviewPost]()
	counterCodec = codec.New[Counter]()
	barCodec     = codec.New[Bar]()
)

// New returns Agora before its bootstrap. Attach must follow.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemAgora)
	d := &Daemon{siblings: &siblings{}, rules: r, state: s}
	d.channels = newChannels(s, r, d.siblings)
	d.archive = newArchive(s)
	d.counters = newCounters(s)
	d.channels.archive, d.channels.counters = d.archive, d.counters
	d.board = newBoard(s, r, d.siblings, d.channels)
	d.reviews = newReviews(s, r, d.siblings, d.channels)
	d.views = &views{rules: r, board: d.board, reviews: d.reviews}
	return d
}

// Attach gives Agora the siblings it calls.
func (d *Daemon) Attach(s *world.Siblings) {
	d.ledger, d.roster, d.library, d.code, d.forge = s.Mint, s.Nexus, s.Oracle, s.Vault, s.Forge
}

// System is AGORA.
func (d *Daemon) System() wire.System { return wire.SystemAgora }

// State is the daemon's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request of an agent.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	if refusal := world.CheckBounds(req); refusal != nil {
		return c.Relay(sys, refusal)
	}
	switch q := req.(type) {
	case *wire.ChannelCreate:
		return d.channels.create(c, q)
	case *wire.MsgPost:
		return d.channels.post(c, q)
	case *wire.MsgQuery:
		return d.query(c, q)
	case *wire.SignalSend:
		return d.signal(c, q)
	case *wire.BountyCreate:
		return d.board.create(c, q)
	case *wire.BountyClaim:
		return d.board.claim(c, q)
	case *wire.BountySubmit:
		return d.board.submit(c, q)
	case *wire.BountyReview:
		return d.board.review(c, q)
	case *wire.ReviewRequest:
		return d.reviews.request(c, q)
	case *wire.ReviewSubmit:
		return d.reviews.submit(c, q)
	}
	panic(fmt.Sprintf("agora: request type %T is not served here; the receive pipeline must refuse it", req))
}

// CycleEnd is Agora's part of step 1 of a cycle's end, in this order: bounties
// (reviews, leases, dispute windows, expiry), review requests, discussions,
// crystallization, idle channels, counters.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.board.settle(c)
	d.reviews.expire(c)
	d.channels.discuss(c)
	d.channels.crystallize(c)
	d.channels.closeIdle(c)
	d.counters.reset(c.Cycle + 1)
}

// AgentLeft reopens the claims of an agent that is no longer ACTIVE, and expires the
// unclaimed bounties of a DEAD one. Claimed ones stay funded.
func (d *Daemon) AgentLeft(c *world.Context, a wire.AgentID, status wire.AgentStatus) {
	d.board.agentLeft(c, a, status)
}

// DisputeDecided ends a dispute: PASSED completes the bounty, else it reopens.
func (d *Daemon) DisputeDecided(c *world.Context, bounty wire.Hash, outcome wire.ProposalStatus) {
	d.board.disputeDecided(c, bounty, outcome)
}

// Restored rebuilds the indices over the tables. Those over messages and signals
// were filled while the chains were loaded.
func (d *Daemon) Restored() {
	d.channels.Each(func(_ wire.Hash, ch *Channel) {
		d.channels.index(ch)
		d.archive.log(ch.ID).setChannel(d.archive, ch)
	})
	d.archive.restored()
	d.counters.restored()
	d.board.restored()
	d.reviews.restored(d.rules.Calendar)
}
