package oracle

import (
	"bytes"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// EntryReward is due to an author whose entry two agents found accurate, in ⚡.
const EntryReward = 10

// Quarters of a contribution that Nexus adds for a verification given and for an entry
// that somebody found accurate.
const (
	verifierQuarters = 1
	authorQuarters   = 4
)

func (d *Daemon) verify(c *world.Context, q *wire.EntryVerify) wire.Reply {
	e := d.entries.Get(q.EntryID)
	switch {
	case e == nil:
		return refuse(c, wire.CategoryNotFound, "entry", world.Field("entry_id"))
	case q.EntryID == EntryZero:
		return refuse(c, wire.CategoryConflict, "immutable", world.Field("entry_id"))
	case e.Head.Author == c.Source:
		return refuse(c, wire.CategoryUnauthorized, "own_entry")
	case !e.live():
		return d.review(c, e, q.Verdict)
	}
	if d.votes.judged(q.EntryID, e.Head.Version, c.Source) {
		return refuse(c, wire.CategoryConflict, "already")
	}
	if no := d.counters.mayAdd(c, len(q.Evidence)); no != nil {
		return c.Relay(wire.SystemOracle, no)
	}
	d.counters.added(c, len(q.Evidence))
	d.votes.Append(&Verification{
		EntryID: q.EntryID, Version: e.Head.Version, Verifier: c.Source, Verdict: q.Verdict,
		Weight:   uint64(det.QuantiseInt(d.roster.Reputation(c.Source))),
		Evidence: bytes.Clone(q.Evidence), References: slices.Clone(q.References), Tick: c.Tick, MsgID: c.Msg,
	})
	e = d.entries.Edit(q.EntryID)
	t := d.votes.tally(q.EntryID)
	e.Head.Accuracy = float32(t.accuracy())
	d.entries.rate(e)
	e.Head.VerifiedBy = slices.Clip(t.agree) // the tally may grow behind it
	emit(c, wire.KindEntryVerified, c.Source, &wire.EntryVerifiedEvent{
		EntryID: q.EntryID, Verifier: c.Source, Verdict: q.Verdict, NewAccuracy: e.Head.Accuracy, Tick: c.Tick,
	})
	d.counters.verified(c, d, e.Head.Author)
	d.credit(c, e)
	return c.Ack(nil)
}

// credit gives an author what one and two ACCURATE verdicts earn; two whose word for the
// author still counts. Systems earn nothing.
func (d *Daemon) credit(c *world.Context, e *Entry) {
	h := &e.Head
	if wire.IsSystem(h.Author) {
		return
	}
	if n := len(h.VerifiedBy); !e.Valued && n > 0 && d.ledger.UsePair(c, world.PairMerit, h.VerifiedBy[n-1], h.Author) {
		e.Valued = true
		d.roster.Valued(c, h.Author, authorQuarters)
	}
	if e.Rewarded {
		return
	}
	var counting []wire.AgentID
	for _, v := range h.VerifiedBy {
		if free, _ := d.ledger.PairFree(world.PairReward, v, h.Author, c.Cycle); free && len(counting) < 2 {
			counting = append(counting, v)
		}
	}
	if len(counting) == 2 {
		e.Rewarded = d.ledger.Note(c, world.Reward{
			Label: "entry", Subject: h.ID, Payee: h.Author,
			Amount:    uint64(max(0, d.roster.Param("mint.reward.entry", EntryReward))),
			Approvers: counting,
		})
	}
}
