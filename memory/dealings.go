package memory

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// dealingsMax is how many dealings of each sort are kept; the oldest is dropped first.
const dealingsMax = 8

// Dealings are an agent's lasting relations: the other side of bounties that it created or claimed, its requests for
// review, acquaintances that became dormant, its stakes, and the proposals that it knows. They are stored in the agent's
// state.
type Dealings struct {
	Deals    []Deal         `kdom:"deals"`
	Reviews  []wire.Hash    `kdom:"reviews"`  // own requests for review
	Sleepers []wire.AgentID `kdom:"sleepers"` // dormant acquaintances that the agent has not tried to wake
	Stakes   []wire.Hash    `kdom:"stakes"`   // proposals that it bet on

	Awaited   []AwaitedReview `kdom:"awaited"`   // own requests for review that may get verdicts yet; oldest first
	Proposals []ProposalNote  `kdom:"proposals"` // proposals that it made or saw; oldest first
}

// AwaitedReview is a request for review by this agent that is not closed as far as it knows.
type AwaitedReview struct {
	ID       wire.Hash `kdom:"i"`
	At       wire.Tick `kdom:"t"` // of the request
	Wants    uint32    `kdom:"w"` // verdicts that close it
	Verdicts uint32    `kdom:"v"` // so far
}

// ProposalNote is a proposal that the agent made or saw.
type ProposalNote struct {
	ID     wire.Hash    `kdom:"i"`
	Author wire.AgentID `kdom:"a"`
	Text   []byte       `kdom:"x"` // beginning of what it asks for, in its author's words
}

// proposalText is how many bytes are kept of what a proposal asks for.
const proposalText = 96

// Deal is a bounty between this agent and another.
type Deal struct {
	Bounty wire.Hash    `kdom:"b"`
	Peer   wire.AgentID `kdom:"a"` // its claimer if this agent created it, else its creator
}

// DealKind is a sort of interaction with a peer. The stored form is the number.
type DealKind uint8

// Values of [DealKind].
const (
	// DealAnswer: the peer answered an own question.
	DealAnswer DealKind = iota + 1
	// DealVerdict: the peer judged an own entry.
	DealVerdict
	// DealSignal: the peer sent a signal to an own message.
	DealSignal
	// DealReview: the peer reviewed an own change.
	DealReview
	// DealBounty: a bounty between the two ended.
	DealBounty
	// DealBefore: the two knew each other from the start.
	DealBefore
)

var dealNames = []string{"answer", "verdict", "signal", "review", "bounty", "before the world began"}

// String returns the lower-case name.
func (k DealKind) String() string { return codec.EnumString(dealNames, uint8(k)) }

// Deal notes the other side of a bounty.
func (d *Dealings) Deal(bounty wire.Hash, peer wire.AgentID) {
	d.EndDeal(bounty)
	d.Deals = appendNewest(d.Deals, Deal{bounty, peer})
}

// Other returns the other side of a bounty.
func (d *Dealings) Other(bounty wire.Hash) (wire.AgentID, bool) {
	for i := range d.Deals {
		if d.Deals[i].Bounty == bounty {
			return d.Deals[i].Peer, true
		}
	}
	return wire.AgentID{}, false
}

// EndDeal forgets the other side of a bounty.
func (d *Dealings) EndDeal(bounty wire.Hash) {
	d.Deals = slices.DeleteFunc(d.Deals, func(x Deal) bool { return x.Bounty == bounty })
}

// AskedReview notes a request for review by this agent.
func (d *Dealings) AskedReview(id wire.Hash) {
	if !d.OwnReview(id) {
		d.Reviews = appendNewest(d.Reviews, id)
	}
}

// OwnReview reports whether this agent asked for a review, as far as it remembers.
func (d *Dealings) OwnReview(id wire.Hash) bool { return slices.Contains(d.Reviews, id) }

// AwaitReview notes a request by this agent until it has the verdicts that close it.
func (d *Dealings) AwaitReview(r AwaitedReview) {
	if r.Wants > 0 && !slices.ContainsFunc(d.Awaited, func(x AwaitedReview) bool { return x.ID == r.ID }) {
		d.Awaited = appendNewest(d.Awaited, r)
	}
}

// CountVerdict counts a verdict on a request by this agent. The last one closes it.
func (d *Dealings) CountVerdict(id wire.Hash) {
	for i := range d.Awaited {
		if r := &d.Awaited[i]; r.ID == id {
			if r.Verdicts++; r.Verdicts >= r.Wants {
				d.Awaited = slices.Delete(d.Awaited, i, i+1)
			}
			return
		}
	}
}

// NoteProposal notes a proposal, of whose text it keeps the beginning. At the limit the oldest one of another author
// than me is dropped: what became of an own one concerns the agent.
func (d *Dealings) NoteProposal(n ProposalNote, me wire.AgentID) {
	if d.Proposal(n.ID) != nil {
		return
	}
	if len(d.Proposals) >= dealingsMax {
		i := max(0, slices.IndexFunc(d.Proposals, func(x ProposalNote) bool { return x.Author != me }))
		d.Proposals = slices.Delete(d.Proposals, i, i+1)
	}
	n.Text = slices.Clone(n.Text[:cutLength(n.Text, proposalText)])
	d.Proposals = append(d.Proposals, n)
}

// Proposal returns the note of a proposal, or nil. It is valid until the next NoteProposal.
func (d *Dealings) Proposal(id wire.Hash) *ProposalNote {
	for i := range d.Proposals {
		if d.Proposals[i].ID == id {
			return &d.Proposals[i]
		}
	}
	return nil
}

// Stake notes that this agent has a stake on a proposal, or may not have one.
func (d *Dealings) Stake(proposal wire.Hash) { d.Stakes = appendNewest(d.Stakes, proposal) }

// Staked reports whether this agent has a stake on a proposal, or may not have one, as far as it remembers.
func (d *Dealings) Staked(proposal wire.Hash) bool { return slices.Contains(d.Stakes, proposal) }

// AddSleeper notes a dormant acquaintance that could be woken.
func (d *Dealings) AddSleeper(peer wire.AgentID) {
	d.RemoveSleeper(peer)
	d.Sleepers = appendNewest(d.Sleepers, peer)
}

// RemoveSleeper removes a sleeper that woke, died or was called.
func (d *Dealings) RemoveSleeper(peer wire.AgentID) {
	d.Sleepers = slices.DeleteFunc(d.Sleepers, func(id wire.AgentID) bool { return id == peer })
}

// appendNewest appends to a list, of which it keeps the newest dealingsMax.
func appendNewest[T any](list []T, x T) []T {
	if len(list) >= dealingsMax {
		list = slices.Delete(list, 0, 1+len(list)-dealingsMax)
	}
	return append(list, x)
}
