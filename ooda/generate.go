package ooda

import "kingdom/goals"

// generator makes the affordances of one sort for a goal.
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
	genTicks
)

var generators = [...]func(*offers, *goals.Goal){
	genRelease:    (*offers).offerRelease,
	genReview:     (*offers).offerReview,
	genVote:       (*offers).offerVote,
	genLearn:      (*offers).offerLearn,
	genSubmission: (*offers).offerSubmission,
	genVerify:     (*offers).offerVerify,
	genRead:       (*offers).offerRead,
	genSignal:     (*offers).offerSignal,
	genAnswer:     (*offers).offerAnswer,
	genQuestion:   (*offers).offerQuestion,
	genLook:       (*offers).offerLook,
	genBrowse:     (*offers).offerBrowse,
	genStanding:   (*offers).offerStanding,
	genExperiment: (*offers).offerExperiment,
	genOwnPace:    (*offers).offerOwnPace,
	genTicks:      (*offers).offerTicks,
}

// perGoal reports whether a generator serves each goal with something else, so that it
// runs for all of them.
func (n generator) perGoal(g *goals.Goal) bool {
	switch n {
	case genReview, genLearn, genSubmission:
		return true
	case genVote:
		return g.Kind() == goals.KindVote
	default:
		return false
	}
}

// alternatives lists, per goal kind, what serves it besides its plan.
var alternatives = [...][]generator{
	goals.KindEarn:              {genVerify, genRead, genVote, genReview, genBrowse},
	goals.KindClaimBounty:       {genSubmission, genVerify, genRead, genLook, genTicks},
	goals.KindDoReview:          {genReview},
	goals.KindExplore:           {genExperiment},
	goals.KindImproveReputation: {genVerify, genRead, genVote, genSignal, genBrowse},
	goals.KindMentor:            {genAnswer, genVerify, genRead, genStanding, genLook},
	goals.KindBuildLibrary:      {genVerify, genRead, genBrowse, genSignal, genTicks},
	goals.KindRaiseCoverage:     {genRead, genVerify, genQuestion, genBrowse, genTicks},
	goals.KindDesignSystem:      {genRead, genSignal, genLook, genQuestion, genTicks},
	goals.KindTryNovel:          {genOwnPace, genQuestion, genLook, genSignal, genTicks},
	goals.KindLearn:             {genLearn},
	goals.KindVote:              {genVote},
	goals.KindAnswer:            {genAnswer, genLook},
	goals.KindOwn:               {genLook, genBrowse},
	goals.KindOperator:          {genLook, genRead},
}

// always is what can be done for no goal in particular.
var always = []generator{genVerify, genRead, genSignal, genQuestion, genLook, genBrowse}
