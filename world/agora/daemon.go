package agora

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// me is AGORA_0, author of what the daemon says by itself.
var me = wire.SystemID(wire.SystemAgora)

// Daemon is Agora. It implements world.Daemon and world.Forum.
type Daemon struct {
	rules   *world.Rules
	ledger  mint
	roster  nexus
	library world.Library
	code    code // nil: this world has no Vault

	state    *world.State
	channels *world.Table[wire.Hash, Channel]
	messages *world.Chain[wire.Message]
	signals  *world.Chain[Signal]
	bounties *world.Table[wire.Hash, Bounty]
	verdicts *world.Table[string, Verdict]
	reviews  *world.Table[wire.Hash, Review]
	posts    *world.Table[string, ReviewPost]
	counters *world.Table[wire.AgentID, Counter]

	archive archive // of messages and their signals
	rooms   rooms   // of channels
	board   board   // of bounties
	desk    desk    // of code reviews
	poster  poster  // of open bounties
}

// code is what Agora asks Vault about stored objects.
type code interface {
	// Stored says whether snap was stored before this tick.
	Stored(snap wire.Hash) bool
	// Holds says whether repo holds object.
	Holds(repo, object wire.Hash) bool
	// Owner names the owner of the repo that holds object and the object's author.
	Owner(object wire.Hash) (owner, author wire.AgentID, ok bool)
}

var (
	_ world.Daemon = (*Daemon)(nil)
	_ world.Forum  = (*Daemon)(nil)
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
)

// New returns Agora before its bootstrap. Attach must follow.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemAgora)
	d := &Daemon{rules: r, state: s}
	d.channels = world.NewTable[wire.Hash, Channel](s, "channels", channelCodec)
	d.messages = world.NewChain(s, "messages", messageCodec, d.seeMessage)
	d.signals = world.NewChain(s, "signals", signalCodec, d.seeSignal)
	d.bounties = world.NewTable[wire.Hash, Bounty](s, "bounties", bountyCodec)
	d.verdicts = world.NewTable[string, Verdict](s, "verdicts", verdictCodec)
	d.reviews = world.NewTable[wire.Hash, Review](s, "reviews", reviewCodec)
	d.posts = world.NewTable[string, ReviewPost](s, "review_posts", postCodec)
	d.counters = world.NewTable[wire.AgentID, Counter](s, "counters", counterCodec)
	d.archive = newArchive()
	d.rooms = newRooms()
	d.board = newBoard()
	d.desk = newDesk()
	return d
}

// Attach gives Agora the siblings it calls.
func (d *Daemon) Attach(s *world.Siblings) {
	d.ledger, d.roster, d.library = s.Mint, s.Nexus, s.Library
}

// System is AGORA.
func (d *Daemon) System() wire.System { return wire.SystemAgora }

// State is the daemon's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request of an agent.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	switch q := req.(type) {
	case *wire.ChannelCreate:
		return d.createChannel(c, q)
	case *wire.MsgPost:
		return d.post(c, q)
	case *wire.MsgQuery:
		return d.query(c, q)
	case *wire.SignalSend:
		return d.signal(c, q)
	case *wire.BountyCreate:
		return d.createBounty(c, q)
	case *wire.BountyClaim:
		return d.claim(c, q)
	case *wire.BountySubmit:
		return d.submit(c, q)
	case *wire.BountyReview:
		return d.reviewBounty(c, q)
	case *wire.ReviewRequest:
		return d.requestReview(c, q)
	case *wire.ReviewSubmit:
		return d.submitReview(c, q)
	}
	panic(fmt.Sprintf("agora: request type %T is not served here; the receive pipeline must refuse it", req))
}

// CycleEnd is Agora's part of step 1 of a cycle's end, in this order: bounties
// (expiry, leases, dispute windows), discussions, crystallization, idle channels,
// counters.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.settleBounties(c)
	d.discuss(c)
	d.crystallize(c)
	d.closeIdle(c)
	d.counters.Each(func(a wire.AgentID, _ *Counter) { d.counters.Delete(a) })
}

// Restored rebuilds the indices over the tables. Those over messages and signals
// were filled while the chains were loaded, up to signals that came too early.
func (d *Daemon) Restored() {
	early := d.archive.early
	d.archive.early = nil
	for i, s := range early {
		d.seeSignal(uint64(i), s)
	}
	if len(d.archive.early) > 0 {
		panic("agora: a restored signal is on message " + d.archive.early[0].Target.String() + ", which was not restored")
	}
	d.channels.Each(func(_ wire.Hash, ch *Channel) { d.indexChannel(ch) })
	for _, e := range d.archive.all {
		d.archive.seclude(e)
	}
	d.bounties.Each(func(_ wire.Hash, b *Bounty) { d.indexBounty(b) })
	d.verdicts.Each(func(_ string, v *Verdict) { d.indexVerdict(v) })
	d.reviews.Each(func(_ wire.Hash, r *Review) { d.indexReview(r) })
	d.posts.Each(func(_ string, p *ReviewPost) { d.indexPost(p) })
}
