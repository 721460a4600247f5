package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// verdicts are what agents said of the work on bounties, who judges the current claim of one,
// and who has still to.
type verdicts struct {
	*siblings
	*world.Table[string, Verdict]
	rules    *world.Rules
	bounties *world.Table[wire.Hash, Bounty]

	ballots map[wire.Hash][]ballot           // on the current claim, while it has any
	anyone  []wire.Hash                      // bounties REVIEWING that anyone may judge, ascending
	juries  *juries                          // of bounties REVIEWING whose judges are dead or asleep
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

// note counts v if it is about the current claim of a live bounty.
func (x *verdicts) note(v *Verdict) {
	b := x.bounties.Get(v.Bounty)
	if b.live() && b.Claimer != nil && b.Claim == v.Claim {
		x.ballots[v.Bounty] = append(x.ballots[v.Bounty], ballot{v.Reviewer, v.Verdict})
	}
}

// forget drops the verdicts on a claim that has ended.
func (x *verdicts) forget(bounty wire.Hash) { delete(x.ballots, bounty) }

// voted says whether a already judged the current claim of bounty id.
func (x *verdicts) voted(id wire.Hash, a wire.AgentID) bool {
	return slices.ContainsFunc(x.ballots[id], func(v ballot) bool { return v.reviewer == a })
}

// addSubmission enters a submission that waits for its judges; awaited takes it out again.
func (x *verdicts) addSubmission(b *Bounty) {
	j := x.judgesOf(b)
	switch {
	case j.open && wire.IsSystem(b.Creator):
		x.anyone = insert(x.anyone, b.ID, wire.Hash.Compare)
	case j.open:
		x.juries.add(x.drawFor(b))
	}
	for _, a := range j.named {
		x.asked[a] = insert(x.asked[a], pendingReview{b.SubmittedAt, b.ID}, pendingReview.compare)
	}
}

func (x *verdicts) removeSubmission(b *Bounty) { // who was a judge when it was entered may be dead by now
	t := pendingReview{b.SubmittedAt, b.ID}
	x.anyone = remove(x.anyone, b.ID, wire.Hash.Compare)
	x.juries.remove(b.ID)
	drop(x.asked, b.Creator, t, pendingReview.compare)
	for _, a := range b.Reviewers {
		drop(x.asked, a, t, pendingReview.compare)
	}
}

// judges are the agents who may judge a claim: each of the named ones, or in an open
// review anybody but the claimer.
type judges struct {
	named []wire.AgentID
	open  bool
}

// judgesOf names who judges the current claim of b: the reviewers whom its creator
// lists, or else the creator itself. Neither systems nor the DEAD judge, beyond what they
// said while they lived, nor who sleeps through a delivery; if nobody is left, everybody may.
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

// overslept says whether a judge has been asleep at so many cycle ends since the submission that
// others judge in its place: who takes work and goes to sleep is not done with it.
func (b *Bounty) overslept(a wire.AgentID) bool {
	return slices.ContainsFunc(b.Silent, func(s Silence) bool { return s.Judge == a && s.Asleep >= maxSilentCycles })
}

// mayJudge says whether a may judge b, of which j are the judges: who is named; of a system's bounty anybody; else, where all
// judges are dead or asleep, who is drawn. If anybody might, the claimer's friends would be the first, and the money is another's.
func (x *verdicts) mayJudge(j judges, b *Bounty, a wire.AgentID) bool {
	if !j.open {
		return slices.Contains(j.named, a)
	}
	return a != *b.Claimer && (wire.IsSystem(b.Creator) || x.juries.drawn(b.ID, a))
}

// drawFor is the draw of those who judge b in place of others, from the cycle on in which its judge was given up.
func (x *verdicts) drawFor(b *Bounty) juryDraw {
	slept := uint32(0) // cycle ends that went by before
	for _, s := range b.Silent {
		slept = max(slept, s.Cycles+s.Asleep)
	}
	return juryDraw{thing: b.ID, by: *b.Claimer, at: b.SubmittedAt, since: x.rules.Calendar.Cycle(b.SubmittedAt) + wire.Cycle(slept)}
}

// outcome is what the verdicts on a claim amount to.
type outcome uint8

const (
	undecided outcome = iota
	approved
	rejected
)

// outcomeOf weighs the verdicts on the current claim of b. Named judges must all have
// answered, and all have approved. An open review is decided at the end of a cycle only,
// by more than half of at least two verdicts, so that no single friend or foe decides.
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
