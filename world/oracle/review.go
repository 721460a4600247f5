package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// peerAccuracy is the accuracy with which a peer-reviewed entry starts.
const peerAccuracy = 0.5

// review takes a verdict on an entry under peer review: two ACCURATE publish it, two
// INACCURATE or OUTDATED discard it, and the author's fee goes to the two who agreed.
func (d *Daemon) review(c *world.Context, e *Entry, verdict wire.Verdict) wire.Reply {
	id := e.Head.ID
	key := approvalKey(id, c.Source)
	if d.approvals.Get(key) != nil {
		return d.refuse(c, wire.CategoryConflict, "already")
	}
	d.approvals.Put(key, &Approval{Verdict: verdict, Tick: c.Tick, MsgID: c.Msg})
	d.seat(id, c.Source)
	yes, no := d.sides(id)
	if verdict == wire.VerdictAccurate {
		d.emit(c, wire.KindPeerReviewApproved, c.Source, &wire.PeerReviewApprovedEvent{
			EntryID: id, Reviewer: c.Source, ApprovalCount: uint32(len(yes)), Tick: c.Tick,
		})
	} else {
		d.emit(c, wire.KindEntryVerified, c.Source, &wire.EntryVerifiedEvent{
			EntryID: id, Verifier: c.Source, Verdict: verdict, Tick: c.Tick,
		})
	}
	switch {
	case len(yes) == ReviewFee:
		d.pay(c, e.Head.Author, yes)
		d.clearDesk(id)
		d.entries.Edit(id).Head.Accuracy = peerAccuracy
		d.emit(c, wire.KindPeerReviewComplete, e.Head.Author, &wire.PeerReviewCompleteEvent{EntryID: id, Tick: c.Tick})
		d.release(c, e)
	case len(no) == ReviewFee:
		d.pay(c, e.Head.Author, no)
		d.clearDesk(id)
		d.entries.Delete(id)
	}
	return c.Ack(nil)
}

// sides sorts the reviewers so far into those for and against publication.
func (d *Daemon) sides(id wire.Hash) (yes, no []wire.AgentID) {
	for _, a := range d.desk[id] {
		switch d.approvals.Get(approvalKey(id, a)).Verdict {
		case wire.VerdictAccurate:
			yes = append(yes, a)
		case wire.VerdictInaccurate, wire.VerdictOutdated:
			no = append(no, a)
		}
	}
	return yes, no
}

func (d *Daemon) pay(c *world.Context, author wire.AgentID, reviewers []wire.AgentID) {
	for _, a := range reviewers {
		d.ledger.PayLocked(c, author, a, 1, wire.TransferKindDirect)
	}
}

// clearDesk forgets the approvals of a decided review.
func (d *Daemon) clearDesk(id wire.Hash) {
	for _, a := range d.desk[id] {
		d.approvals.Delete(approvalKey(id, a))
	}
	delete(d.desk, id)
}

func approvalKey(id wire.Hash, a wire.AgentID) string { return string(id[:]) + string(a[:]) }
