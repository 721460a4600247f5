package agora

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// board holds all bounties and carries out claims, submissions and payments. The cost of views and of the cycle end
// depends on the live bounties only, because of its indexes.
type board struct {
	*siblings
	rules    *world.Rules
	bounties *world.Table[wire.Hash, Bounty]
	verdicts *verdicts
	bars     *bars
	counters *counters
	channels *channels

	open      []*Bounty                    // OPEN, best first: reward descending, then id
	openByID  []*Bounty                    // OPEN, ascending by id
	live      map[wire.Hash]struct{}       // neither COMPLETED nor EXPIRED
	claimedBy map[wire.AgentID][]wire.Hash // live ones with this claimer, ascending
	createdBy map[wire.AgentID][]wire.Hash // live ones with this creator, ascending
	changes   uint64                       // number of changes to the set of open ones
	completed uint32
}

// pendingReview is a submission or request that waits for a review, ordered by age, then id.
type pendingReview struct {
	since wire.Tick
	id    wire.Hash
}

func newBoard(s *world.State, r *world.Rules, others *siblings, in *channels) *board {
	x := &board{
		siblings: others, counters: in.counters, channels: in, bars: newBars(s),
		rules:    r,
		bounties: world.NewTable[wire.Hash, Bounty](s, "bounties", bountyCodec),

		live:      map[wire.Hash]struct{}{},
		claimedBy: map[wire.AgentID][]wire.Hash{},
		createdBy: map[wire.AgentID][]wire.Hash{},
	}
	x.verdicts = newVerdicts(s, r, others, x.bounties)
	x.verdicts.claimedBy = x.claimedBy
	return x
}

func (b *Bounty) compare(c *Bounty) int {
	return cmp.Or(cmp.Compare(c.Reward, b.Reward), b.ID.Compare(c.ID))
}

func (b *Bounty) compareID(c *Bounty) int { return b.ID.Compare(c.ID) }

func (t pendingReview) compare(u pendingReview) int {
	return cmp.Or(cmp.Compare(t.since, u.since), t.id.Compare(u.id))
}

// insert and remove keep a list sorted by compare.
func insert[T any](list []T, v T, compare func(a, b T) int) []T {
	i, ok := slices.BinarySearchFunc(list, v, compare)
	if ok {
		return list
	}
	return slices.Insert(list, i, v)
}

func remove[T any](list []T, v T, compare func(a, b T) int) []T {
	i, ok := slices.BinarySearchFunc(list, v, compare)
	if !ok {
		return list
	}
	return slices.Delete(list, i, i+1)
}

// drop removes v from the list under k and forgets empty lists.
func drop[T any](m map[wire.AgentID][]T, k wire.AgentID, v T, compare func(a, b T) int) {
	if list := remove(m[k], v, compare); len(list) > 0 {
		m[k] = list
	} else {
		delete(m, k)
	}
}

// edit changes the bounty id with f and updates the indexes.
func (x *board) edit(id wire.Hash, f func(b *Bounty)) {
	b := x.bounties.Edit(id)
	x.unindex(b)
	f(b)
	x.index(b)
}

// index adds b to every index that it belongs in. unindex removes it; b must not have changed in between.
func (x *board) index(b *Bounty) {
	switch b.Status {
	case wire.BountyStatusCompleted:
		x.completed++
		return
	case wire.BountyStatusExpired:
		return
	case wire.BountyStatusOpen:
		x.open = insert(x.open, b, (*Bounty).compare)
		x.openByID = insert(x.openByID, b, (*Bounty).compareID)
		x.changes++
	case wire.BountyStatusReviewing:
		x.verdicts.addSubmission(b)
	default: // claimed, rejected or disputed: only its parties see it
	}
	x.live[b.ID] = struct{}{}
	if !wire.IsSystem(b.Creator) {
		x.createdBy[b.Creator] = insert(x.createdBy[b.Creator], b.ID, wire.Hash.Compare)
	}
	if b.Claimer != nil {
		x.claimedBy[*b.Claimer] = insert(x.claimedBy[*b.Claimer], b.ID, wire.Hash.Compare)
	}
}

func (x *board) unindex(b *Bounty) {
	switch b.Status {
	case wire.BountyStatusOpen:
		x.open = remove(x.open, b, (*Bounty).compare)
		x.openByID = remove(x.openByID, b, (*Bounty).compareID)
		x.changes++
	case wire.BountyStatusReviewing:
		x.verdicts.removeSubmission(b)
	default: // in neither list
	}
	delete(x.live, b.ID)
	drop(x.createdBy, b.Creator, b.ID, wire.Hash.Compare)
	if b.Claimer != nil {
		drop(x.claimedBy, *b.Claimer, b.ID, wire.Hash.Compare)
	}
}

// openClaims returns the number of claims of a that count towards the claim limit.
func (x *board) openClaims(a wire.AgentID) (n uint64) {
	for _, id := range x.claimedBy[a] {
		if x.bounties.Get(id).claimed() {
			n++
		}
	}
	return n
}

// claimed reports whether a claimer works on b or waits for a verdict.
func (b *Bounty) claimed() bool {
	switch b.Status {
	case wire.BountyStatusClaimed, wire.BountyStatusSubmitted, wire.BountyStatusReviewing:
		return true
	default:
		return false
	}
}

// full reports whether the board has the maximum number of open bounties.
func (x *board) full() bool { return uint64(len(x.open)) >= maxOpen*x.rules.Scale() }

// fund sets the bounty's default deadline and opens its escrow; tax is the listing
// fee, due when the reward is paid.
func (x *board) fund(c *world.Context, b *Bounty, owner wire.AgentID, tax uint64) *world.Refusal {
	if b.Deadline == 0 {
		b.Deadline = c.Tick + defaultDeadline
	}
	b.Escrow = world.Derived("escrow:", b.ID)
	return x.ledger.OpenEscrow(c, world.Escrow{
		ID: b.Escrow, Owner: owner, Amount: b.Reward, Tax: tax,
		Conditions: []wire.EscrowCondition{}, Deadline: b.Deadline + escrowGrace, Bounty: true,
	})
}

func (x *board) restored() {
	x.bars.restored()
	x.bounties.Each(func(_ wire.Hash, b *Bounty) { x.index(b) })
	x.verdicts.restored()
	for _, id := range sorted(x.live) { // index again, because the judges depend on the verdicts
		b := x.bounties.Get(id)
		x.unindex(b)
		x.index(b)
	}
}
