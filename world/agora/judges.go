package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// verdicts holds the verdicts on submissions to bounties, and tells who may judge the current claim of a bounty and who
// has not judged it yet.
type verdicts struct {
	*siblings
	*world.Table[string, Verdict]
	rules    *world.Rules
	bounties *world.Table[wire.Hash, Bounty]

	claimedBy map[wire.AgentID][]wire.Hash // of the board

	ballots map[wire.Hash][]ballot           // verdicts on the current claim of a bounty
	juries  *juries                          // for bounties REVIEWING of systems, and for those whose judges are dead or asleep
	asked   map[wire.AgentID][]pendingReview // bounties REVIEWING that name the agent, oldest first
}

type ballot struct {
	reviewer wire.AgentID
	verdict  wire.BountyVerdict
}

func newVerdicts(s *world.State, r *world.Rules, others *siblings, about *world.Table[wire.Hash, Bounty]) *verdicts {
	return &verdicts{
		siblings: others, rules: r, bounties: about,
		Table:   world.NewTable[string, Verdict](s, "verdicts", verdictCodec),
		ballots: map[wire.Hash][]ballot{},
		juries:  newJuries(r, others),
		asked:   map[wire.AgentID][]pendingReview{},
	}
}

func (x *verdicts) restored() { x.Each(func(_ string, v *Verdict) { x.note(v) }) }

// note adds v to the ballots if it is about the current claim of a live bounty. An expired bounty has no claimer.
func (x *verdicts) note(v *Verdict) {
	b := x.bounties.Get(v.Bounty)
	if b.Status != wire.BountyStatusCompleted && b.Claimer != nil && b.Claim == v.Claim {
		x.ballots[v.Bounty] = append(x.ballots[v.Bounty], ballot{v.Reviewer, v.Verdict})
	}
}

// forget drops the ballots on a claim that has ended.
func (x *verdicts) forget(bounty wire.Hash) { delete(x.ballots, bounty) }

// voted reports whether a has judged the current claim of bounty id.
func (x *verdicts) voted(id wire.Hash, a wire.AgentID) bool {
	return slices.ContainsFunc(x.ballots[id], func(v ballot) bool { return v.reviewer == a })
}

// comments returns what judges wrote who gave this verdict on the current claim of a bounty.
func (x *verdicts) comments(bounty wire.Hash, verdict wire.BountyVerdict) []wire.JudgeComment {
	out := []wire.JudgeComment{}
	for _, v := range x.ballots[bounty] {
		if said := x.Get(pair(bounty, v.reviewer)).Comments; v.verdict == verdict && len(said) > 0 {
			out = append(out, wire.JudgeComment{Judge: v.reviewer, Comments: wire.EventText(said)})
		}
	}
	slices.SortFunc(out, func(a, b wire.JudgeComment) int { return a.Judge.Compare(b.Judge) }) // a restore changes the order of ballots
	return out[:min(len(out), wire.MaxJudgeComments)]
}

// addSubmission adds a submission that waits for its judges to the indexes.
func (x *verdicts) addSubmission(b *Bounty) {
	j := x.judgesOf(b)
	if j.open {
		x.juries.add(x.drawFor(b))
	}
	for _, a := range j.named {
		x.asked[a] = insert(x.asked[a], pendingReview{b.SubmittedAt, b.ID}, pendingReview.compare)
	}
}

// removeSubmission removes a submission from the indexes. It removes it for every possible judge, because an agent that
// was a judge when it was added may be dead now.
func (x *verdicts) removeSubmission(b *Bounty) {
	t := pendingReview{b.SubmittedAt, b.ID}
	x.juries.remove(b.ID)
	drop(x.asked, b.Creator, t, pendingReview.compare)
	for _, a := range b.Reviewers {
		drop(x.asked, a, t, pendingReview.compare)
	}
}

// judges are the agents that may judge a claim: the named ones or, in an open review, others, see mayJudge.
type judges struct {
	named []wire.AgentID
	open  bool
}

// judgesOf returns who judges the current claim of b: the reviewers that its creator lists, or else the creator.
// Systems, DEAD agents, and agents that overslept the submission are left out unless they have voted. If nobody is
// left, the review is open.
func (x *verdicts) judgesOf(b *Bounty) judges {
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

// overslept reports whether a judge has been asleep at maxSilentCycles cycle ends since the submission, so that others
// judge in its place. So a creator cannot keep work unpaid by going to sleep.
func (b *Bounty) overslept(a wire.AgentID) bool {
	return slices.ContainsFunc(b.Silent, func(s Silence) bool { return s.Judge == a && s.Asleep >= maxSilentCycles })
}

// mayJudge reports whether a may judge b, whose judges are j. If there are named judges, only they may. A system's
// bounty, and one whose judges are all dead or asleep, is judged by drawn jurors: otherwise the claimer's friends would
// be first to give away its reward, or a rival's friends to reject the work.
func (x *verdicts) mayJudge(j judges, b *Bounty, a wire.AgentID) bool {
	if !j.open {
		return slices.Contains(j.named, a)
	}
	return x.juries.drawn(b.ID, a)
}

// pairFree reports whether the JUDGE pair of a judge and a claimer is free and not reserved. If not, until is the first
// cycle in which it would be free if it were used now, 0 if it never is.
func (x *verdicts) pairFree(judge, claimer wire.AgentID, now wire.Cycle) (free bool, until wire.Cycle) {
	if free, until = x.ledger.PairFree(world.PairJudge, judge, claimer, now); free && slices.Contains(x.reserved(claimer).vouchers, judge) {
		return false, now + wire.Cycle(x.rules.PairCycles)
	}
	return free, until
}

// drawFor returns the draw of the jury that judges b in place of its judges. It begins in the cycle in which they were
// given up.
func (x *verdicts) drawFor(b *Bounty) juryDraw {
	slept := uint32(0) // cycle ends until the judges were given up
	for _, s := range b.Silent {
		slept = max(slept, s.Cycles+s.Asleep)
	}
	return juryDraw{thing: b.ID, by: *b.Claimer, at: b.SubmittedAt, since: x.rules.Calendar.Cycle(b.SubmittedAt) + wire.Cycle(slept)}
}

// outcome is the result of the verdicts on a claim.
type outcome uint8

const (
	undecided outcome = iota
	approved
	rejected
)

// outcomeOf returns the outcome of the verdicts on the current claim of b. If there are named judges, all must have
// answered, and one rejection rejects. An open review is decided at the end of a cycle only, by the majority if it has
// at least as many verdicts as the requirements ask for, two or more, so that no single agent decides.
func (x *verdicts) outcomeOf(b *Bounty, cycleEnd bool) outcome {
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
