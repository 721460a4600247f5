package agora

import (
	"slices"

	"kingdom/wire"
)

// judges are the agents who may judge a claim: each of the named ones, or in an open
// review anybody but the claimer.
type judges struct {
	named []wire.AgentID
	open  bool
}

// judgesOf names who judges the current claim of b: the reviewers whom its creator
// lists, or else the creator itself. Neither systems nor the DEAD judge, beyond what they
// said while they lived, nor who sleeps through a delivery; if nobody is left, everybody may.
func (x *board) judgesOf(b *Bounty) judges {
	list := b.Reviewers
	if len(list) == 0 {
		list = []wire.AgentID{b.Creator}
	}
	var j judges
	for _, a := range list {
		if s, known := x.roster.Status(a); known && s != wire.StatusDead && !b.overslept(a) || x.voted(b.ID, a) {
			j.named = append(j.named, a)
		}
	}
	j.open = len(j.named) == 0
	return j
}

// overslept says whether a judge has been asleep at so many cycle ends since the submission that
// others judge in its place: who takes work and goes to sleep is not done with it.
func (b *Bounty) overslept(a wire.AgentID) bool {
	return slices.ContainsFunc(b.Silent, func(s Silence) bool { return s.Judge == a && s.Asleep >= silence })
}

// admits says whether a may judge b.
func (j judges) admits(b *Bounty, a wire.AgentID) bool {
	return slices.Contains(j.named, a) || j.open && a != *b.Claimer
}

// outcome is what the verdicts on a claim amount to.
type outcome uint8

const (
	undecided outcome = iota
	approved
	rejected
)

// weigh weighs the verdicts on the current claim of b. Named judges must all have
// answered, and all have approved. An open review is decided at the end of a cycle only,
// by more than half of at least two verdicts, so that no single friend or foe decides.
func (x *board) weigh(b *Bounty, cycleEnd bool) outcome {
	j := x.judgesOf(b)
	var yes, no uint32
	answered := 0
	for _, v := range x.ballots[b.ID] {
		if slices.Contains(j.named, v.reviewer) {
			answered++
		}
		if v.verdict == wire.BountyVerdictApprove {
			yes++
		} else {
			no++
		}
	}
	if !j.open {
		switch {
		case answered < len(j.named):
			return undecided
		case no > 0:
			return rejected
		}
		return approved
	}
	need := termsOf(b).reviews
	switch {
	case !cycleEnd:
		return undecided
	case yes >= need && yes > no:
		return approved
	case no >= need && no > yes:
		return rejected
	}
	return undecided
}
