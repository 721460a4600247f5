package oracle

import (
	"bytes"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// EntryReward is the reward in ⚡ for an author whose entry two agents found accurate.
const EntryReward = 10

// minVerifierWeight is the least weight of a verdict, so that one agent with hardly any reputation does not outweigh all
// who have none yet. Reviews of programs have the same.
const minVerifierWeight = 0.1

// Quarters of a contribution that Nexus adds for a verification that another agent
// confirms and for an entry that somebody found accurate.
const (
	verifierQuarters = 1
	authorQuarters   = 4
)

func (d *Daemon) verify(c *world.Context, q *wire.EntryVerify) wire.Reply {
	e := d.entries.find(q.EntryID)
	switch {
	case e == nil:
		return refuse(c, wire.CategoryNotFound, "entry", world.Field("entry_id"))
	case q.EntryID == EntryZero:
		return refuse(c, wire.CategoryConflict, "immutable", world.Field("entry_id"))
	case d.entries.author(e) == c.Source:
		return refuse(c, wire.CategoryUnauthorized, "own_entry")
	case !e.live():
		return d.review(c, e, q)
	case d.votes.judged(q.EntryID, e.version, c.Source):
		return refuse(c, wire.CategoryConflict, "already")
	case e.version > 1 && e.updated == world.StampOf(c.Tick): // nobody has read it yet: the verdict is on the text before
		return refuse(c, wire.CategoryConflict, "changed", world.Field("entry_id"))
	}
	if refusal := d.counters.mayAdd(c, len(q.Evidence)); refusal != nil {
		return c.Relay(wire.SystemOracle, refusal)
	}
	d.counters.countText(c, len(q.Evidence))
	confirmed, confirms := d.votes.unconfirmed(q.EntryID, e.version, q.Verdict)
	d.votes.Append(&Verification{
		EntryID: q.EntryID, Version: e.version, Verifier: c.Source, Verdict: q.Verdict,
		Weight:   uint64(det.QuantiseInt(max(d.roster.Reputation(c.Source), minVerifierWeight))),
		Evidence: bytes.Clone(q.Evidence), References: slices.Clone(q.References), Tick: c.Tick, MsgID: c.Msg,
	})
	d.entries.markChanged(e)
	t := d.votes.tally(q.EntryID)
	e.accuracy, e.verified = float32(t.accuracy()), t.agree
	d.entries.updateGrade(e)
	emit(c, wire.KindEntryVerified, c.Source, &wire.EntryVerifiedEvent{
		EntryID: q.EntryID, Verifier: c.Source, Verdict: q.Verdict, NewAccuracy: e.accuracy, Evidence: wire.EventText(q.Evidence), Tick: c.Tick,
	})
	if confirms {
		d.counters.creditVerifier(c, d, confirmed, d.entries.author(e))
	}
	d.credit(c, e)
	return c.Ack(nil)
}

// credit gives the author what ACCURATE verdicts earn: a contribution for the first whose MERIT pair is free, and a
// reward for the first two whose REWARD pairs are free. Systems earn nothing.
func (d *Daemon) credit(c *world.Context, e *packedEntry) {
	author := d.entries.author(e)
	if wire.IsSystem(author) {
		return
	}
	earned := e.rewarded || e.answers
	if e.valued && earned || e.verified == 0 {
		return
	}
	var buf [maxNamed]wire.AgentID
	by := d.entries.verifiers(buf[:0], e)
	if !e.valued && d.ledger.UsePair(c, world.PairMerit, by[len(by)-1], author) {
		e.valued = true
		d.roster.AddContribution(c, author, authorQuarters)
	}
	if earned {
		return
	}
	var approvers []wire.AgentID
	for _, v := range by {
		if free, _ := d.ledger.PairFree(world.PairReward, v, author, c.Cycle); free && len(approvers) < 2 {
			approvers = append(approvers, v)
		}
	}
	switch {
	case len(approvers) < 2:
	case d.gaps.hasBounty(d.entries.textOf(e).References): // the bounty pays for it, in place of the reward
		for _, v := range approvers {
			d.ledger.UsePair(c, world.PairReward, v, author)
		}
		e.answers = true
	default:
		e.rewarded = d.ledger.AddReward(c, world.Reward{
			Label: "entry", Subject: d.entries.idOf(e), Payee: author,
			Amount:    uint64(max(0, d.roster.Param("mint.reward.entry", EntryReward))),
			Approvers: approvers,
		})
	}
}
