package oracle

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// peerAccuracy is the accuracy with which a peer-reviewed entry starts.
const peerAccuracy = 0.5

// review takes a verdict on an entry under peer review: two ACCURATE or PARTIALLY_ACCURATE publish it, two INACCURATE
// or OUTDATED discard it, and the author's fee goes to the two who agreed. Every verdict counts for one of the sides, so
// the third decides at the latest. A verdict uses up a PEER pair, so that two friends cannot live off the fees of others.
func (d *Daemon) review(c *world.Context, e *packedEntry, q *wire.EntryVerify) wire.Reply {
	id, author, verdict := d.entries.idOf(e), d.entries.author(e), q.Verdict
	if d.reviews.reviewed(id, c.Source) {
		return refuse(c, wire.CategoryConflict, "already")
	}
	if free, until := d.ledger.PairFree(world.PairPeer, c.Source, author, c.Cycle); !free {
		if until == 0 {
			return refuse(c, wire.CategoryConflict, "pair_used")
		}
		return refuse(c, wire.CategoryConflict, "pair_used", c.UntilCycle(until))
	}
	if refusal := d.counters.mayAdd(c, len(q.Evidence)); refusal != nil {
		return c.Relay(wire.SystemOracle, refusal)
	}
	d.counters.countText(c, len(q.Evidence))
	d.ledger.UsePair(c, world.PairPeer, c.Source, author)
	d.reviews.Put(approvalKey(id, c.Source), &Approval{Verdict: verdict, Tick: c.Tick, MsgID: c.Msg})
	d.reviews.add(id, c.Source)
	yes, no := d.reviews.sides(id)
	if approves(verdict) {
		emit(c, wire.KindPeerReviewApproved, c.Source, &wire.PeerReviewApprovedEvent{
			EntryID: id, Reviewer: c.Source, ApprovalCount: uint32(len(yes)), Evidence: wire.EventText(q.Evidence), Tick: c.Tick,
		})
	} else {
		emit(c, wire.KindEntryVerified, c.Source, &wire.EntryVerifiedEvent{
			EntryID: id, Verifier: c.Source, Verdict: verdict, Evidence: wire.EventText(q.Evidence), Tick: c.Tick,
		})
	}
	switch {
	case len(yes) == ReviewFee:
		d.pay(c, author, yes)
		d.reviews.remove(id)
		e.accuracy = peerAccuracy
		emit(c, wire.KindPeerReviewComplete, author, &wire.PeerReviewCompleteEvent{EntryID: id, Tick: c.Tick})
		d.writer.makeLive(c, e)
	case len(no) == ReviewFee:
		d.pay(c, author, no)
		d.reviews.remove(id)
		gone := &Entry{}
		d.entries.fillRecord(e, gone, &listBuffers{})
		d.discarded.Put(id, gone)
		d.entries.remove(e)
	}
	return c.Ack(nil)
}

// reviewCycles is for how many cycles after its own a hidden entry waits for the verdicts that decide about it.
const reviewCycles = 16

// endReviews publishes the entries that too few have reviewed in time, as if they had asked for no review, and gives their
// authors the fee back. Otherwise an entry for which no two agents care, or whose author's pairs are all used, would be lost.
func (d *Daemon) endReviews(c *world.Context) {
	for _, id := range d.entries.hidden.Take(c.Cycle) {
		e := d.entries.find(id)
		if e == nil || e.live() {
			continue
		}
		author := d.entries.author(e)
		d.ledger.Unlock(c, author, ReviewFee)
		d.reviews.remove(id)
		emit(c, wire.KindPeerReviewComplete, author, &wire.PeerReviewCompleteEvent{EntryID: id, Tick: c.Tick})
		d.writer.makeLive(c, e)
	}
}

func (d *Daemon) pay(c *world.Context, author wire.AgentID, reviewers []wire.AgentID) {
	for _, a := range reviewers {
		d.ledger.PayLocked(c, author, a, 1, wire.TransferKindDirect)
	}
}

// peerReviews holds the verdicts on entries under peer review.
type peerReviews struct {
	*world.Table[string, Approval]                              // entry ‖ agent
	reviewers                      map[wire.Hash][]wire.AgentID // index: who has reviewed an entry, ascending
}

func newPeerReviews(s *world.State) *peerReviews {
	return &peerReviews{Table: world.NewTable[string](s, "approvals", approvalCodec), reviewers: map[wire.Hash][]wire.AgentID{}}
}

// add adds a reviewer of a hidden entry to the index.
func (x *peerReviews) add(id wire.Hash, a wire.AgentID) {
	i, _ := slices.BinarySearchFunc(x.reviewers[id], a, wire.AgentID.Compare)
	x.reviewers[id] = slices.Insert(x.reviewers[id], i, a)
}

// reviewed reports whether an agent has reviewed a hidden entry. It uses the index, because it is called for
// everything that agents look at and a key would be allocated.
func (x *peerReviews) reviewed(id wire.Hash, a wire.AgentID) bool {
	_, ok := slices.BinarySearchFunc(x.reviewers[id], a, wire.AgentID.Compare)
	return ok
}

// sides returns the reviewers so far that are for and against publication.
func (x *peerReviews) sides(id wire.Hash) (yes, no []wire.AgentID) {
	for _, a := range x.reviewers[id] {
		if approves(x.Get(approvalKey(id, a)).Verdict) {
			yes = append(yes, a)
		} else {
			no = append(no, a)
		}
	}
	return yes, no
}

// approves reports whether a verdict is for the publication of an entry.
func approves(v wire.Verdict) bool {
	return v == wire.VerdictAccurate || v == wire.VerdictPartiallyAccurate
}

// remove deletes the verdicts of a decided review.
func (x *peerReviews) remove(id wire.Hash) {
	for _, a := range x.reviewers[id] {
		x.Delete(approvalKey(id, a))
	}
	delete(x.reviewers, id)
}

func (x *peerReviews) restored() {
	x.Each(func(k string, _ *Approval) { x.add(wire.Hash([]byte(k[:32])), wire.AgentID([]byte(k[32:]))) })
}

func approvalKey(id wire.Hash, a wire.AgentID) string { return string(id[:]) + string(a[:]) }
