package ooda

import "kingdom/goals"

// generator makes the affordances of one sort for a goal. Each runs at most once
// per slot, for the best goal that lists it.
type generator uint8

const (
	genRelease generator = iota
	genReview
	genVote
	genLearn
	genSubmission
	genVerify
	genRead
	genSignal
	genAnswer
	genQuestion
	genLook
	genBrowse
	genStanding
	genExperiment
	genOwnPace
	genBuy
)

// alternatives lists, per goal kind, what serves it besides its plan.
var alternatives = [...][]generator{
	goals.KindEarn:              {genVerify, genRead, genVote, genReview, genBrowse},
	goals.KindClaimBounty:       {genSubmission, genVerify, genRead, genLook, genBuy},
	goals.KindDoReview:          {genReview},
	goals.KindExplore:           {genExperiment},
	goals.KindImproveReputation: {genVerify, genRead, genVote, genSignal, genBrowse},
	goals.KindMentor:            {genAnswer, genVerify, genRead, genStanding, genLook},
	goals.KindBuildLibrary:      {genVerify, genRead, genBrowse, genSignal, genBuy},
	goals.KindRaiseCoverage:     {genRead, genVerify, genQuestion, genBrowse, genBuy},
	goals.KindDesignSystem:      {genRead, genSignal, genLook, genQuestion, genBuy},
	goals.KindTryNovel:          {genOwnPace, genQuestion, genLook, genSignal, genBuy},
	goals.KindLearn:             {genLearn},
	goals.KindVote:              {genVote},
	goals.KindAnswer:            {genAnswer, genLook},
	goals.KindOwn:               {genLook, genBrowse},
	goals.KindOperator:          {genLook, genRead},
}

// always is what can be done whatever the goal.
var always = []generator{genVerify, genRead, genSignal, genQuestion, genLook, genBrowse, genBuy}

// generate runs a generator for a goal, once per slot.
func (t *Turn) generate(n generator, g *goals.Goal) {
	if t.offers.used&(1<<n) != 0 {
		return
	}
	t.offers.used |= 1 << n
	switch n {
	case genRelease:
		t.genRelease(g)
	case genReview:
		t.offers.used &^= 1 << n // one per subject
		t.genReview(g)
	case genVote:
		t.genVote(g)
	case genLearn:
		t.offers.used &^= 1 << n // one per subject
		t.genLearn(g)
	case genSubmission:
		t.offers.used &^= 1 << n // one per subject
		t.genSubmission(g)
	case genVerify:
		t.genVerify(g)
	case genRead:
		t.genRead(g)
	case genSignal:
		t.genSignal(g)
	case genAnswer:
		t.genAnswer(g)
	case genQuestion:
		t.genQuestion(g)
	case genLook:
		t.genLook(g)
	case genBrowse:
		t.genBrowse(g)
	case genStanding:
		t.genStanding(g)
	case genExperiment:
		t.genExperiment(g)
	case genOwnPace:
		t.genOwnPace(g)
	case genBuy:
		t.genBuy(g)
	}
}
