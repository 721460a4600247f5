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
// not met. It only reads.
func (t *terms) documented(s *siblings, b *Bounty, now wire.Cycle) (work documents, unmet *wire.FailedCheck) {
	for i := range t.entries {
		v := &t.entries[i]
		why := ""
		if v.Check == wire.CheckOracleAnswered {
			e, ok := s.library.Answer(*b.Claimer, *v.Question)
			if ok {
				work.entries = append(work.entries, e)
				continue
			}
			why = "you have no entry that references the question and that two others verified"
		} else {
			have := work.verified(s, v, b, now)
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
func (work *documents) verified(s *siblings, v *entryCheck, b *Bounty, now wire.Cycle) (have uint32) {
	for _, e := range s.library.Verified(nil, *b.Claimer, *v.Kind, b.ClaimedAt) {
		if have == *v.Count {
			break
		}
		if !slices.ContainsFunc(e.By, func(a wire.AgentID) bool { return slices.Contains(work.vouchers, a) }) {
			i := slices.IndexFunc(e.By, func(a wire.AgentID) bool {
				free, _ := s.ledger.PairFree(world.PairJudge, a, *b.Claimer, now)
				return free
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
