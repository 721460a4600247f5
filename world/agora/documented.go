package agora

import (
	"fmt"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// documents are the entries that meet the requirements of a claimed bounty.
type documents struct {
	entries  []wire.Hash
	vouchers []wire.AgentID // agents whose verdict makes the entries count
}

// documented returns the entries that meet the Oracle requirements of b in cycle now, or the first requirement that is
// not met. What is reserved for other bounties does not count. It only reads.
func (t *terms) documented(s *siblings, b *Bounty, now wire.Cycle, reserved documents) (work documents, unmet *wire.FailedCheck) {
	for i := range t.entries {
		v := &t.entries[i]
		why := ""
		if v.Check == wire.CheckOracleAnswered {
			e, ok := s.library.Answer(*b.Claimer, *v.Question)
			if ok && !slices.Contains(reserved.entries, e) {
				work.entries = append(work.entries, e)
				continue
			}
			why = "you have no entry that references the question and that two others verified"
		} else {
			have := work.verified(s, v, b, now, reserved)
			if have == *v.Count {
				continue
			}
			why = fmt.Sprintf("since your claim others, whose word for you was not used up, have verified %d of the %d %s entries", have, *v.Count, v.Kind)
		}
		return documents{}, &wire.FailedCheck{Requirement: v.index, Kind: wire.RequirementKindCustom, Program: []byte{}, Why: []byte(why)}
	}
	return work, nil
}

// verified adds entries that meet an ORACLE_VERIFIED requirement, at most as many as it asks for, and returns how many
// it added. An entry counts if an agent whose JUDGE pair with the claimer is free found it accurate, so that one friend
// cannot verify bounty after bounty.
func (work *documents) verified(s *siblings, v *entryCheck, b *Bounty, now wire.Cycle, reserved documents) (have uint32) {
	for _, e := range s.library.Verified(nil, *b.Claimer, *v.Kind, b.ClaimedAt) {
		if have == *v.Count {
			break
		}
		if slices.Contains(reserved.entries, e.Entry) {
			continue
		}
		if !slices.ContainsFunc(e.By, func(a wire.AgentID) bool { return slices.Contains(work.vouchers, a) }) {
			i := slices.IndexFunc(e.By, func(a wire.AgentID) bool {
				free, _ := s.ledger.PairFree(world.PairJudge, a, *b.Claimer, now)
				return free && !slices.Contains(reserved.vouchers, a)
			})
			if i < 0 {
				continue
			}
			work.vouchers = append(work.vouchers, e.By[i])
		}
		work.entries = append(work.entries, e.Entry)
		have++
	}
	return have
}

// use notes what the submission to b uses up when it is paid.
func (b *Bounty) use(work documents) {
	b.Entries, b.Vouchers = append([]wire.Hash{}, work.entries...), append([]wire.AgentID{}, work.vouchers...)
}

// shares reports whether b uses an entry or a voucher of work.
func (b *Bounty) shares(work documents) bool {
	return slices.ContainsFunc(b.Entries, func(e wire.Hash) bool { return slices.Contains(work.entries, e) }) ||
		slices.ContainsFunc(b.Vouchers, func(a wire.AgentID) bool { return slices.Contains(work.vouchers, a) })
}

// reserved returns what the submissions of a claimer use that are in review or in dispute. It counts for no other bounty,
// but is used up only when it is paid for: otherwise a creator could use up a claimer's entries, and what others may say
// for it in many cycles, by rejecting its work.
func (x *verdicts) reserved(claimer wire.AgentID) (work documents) {
	for _, id := range x.claimedBy[claimer] {
		if b := x.bounties.Get(id); b.Status == wire.BountyStatusReviewing || b.Status == wire.BountyStatusDisputed {
			work.entries, work.vouchers = append(work.entries, b.Entries...), append(work.vouchers, b.Vouchers...)
		}
	}
	return work
}

// withdraw takes what the claimer of b submits from its rejected submissions, which it can no longer dispute then.
func (x *board) withdraw(claimer wire.AgentID, work documents) {
	for _, id := range slices.Clone(x.claimedBy[claimer]) {
		if b := x.bounties.Get(id); b.Status == wire.BountyStatusRejected && b.shares(work) {
			x.edit(id, func(b *Bounty) { b.use(documents{}) })
		}
	}
}

// withdrawn reports whether the claimer of b has used for another bounty what it submitted.
func (b *Bounty) withdrawn() bool { return len(b.Entries) == 0 && len(termsOf(b).entries) > 0 }

// useUp uses up what a submission is paid for. An entry fulfils one bounty only, and the JUDGE pairs of the agents that
// found the entries accurate are used.
func (x *board) useUp(c *world.Context, b *Bounty) {
	for _, e := range b.Entries {
		x.library.Fulfil(c, e)
	}
	for _, a := range b.Vouchers {
		x.ledger.UsePair(c, world.PairJudge, a, *b.Claimer)
	}
}
