package ooda

import (
	"kingdom/goals"
	"kingdom/wire/action"
)

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
	genDelivery
	genModule
	genService
	genShutdown
	genCall
	genUpdate
	genCite
	genFix
	genFund
	genTip
	genPledge
	genPropose
	genArgue
	genStake
	genReviewRequest
)

var generators = [...]func(*offers, *goals.Goal){
	genRelease:    func(o *offers, g *goals.Goal) { worker{o}.offerRelease(g) },
	genReview:     func(o *offers, g *goals.Goal) { worker{o}.offerReview(g) },
	genVote:       func(o *offers, g *goals.Goal) { citizen{o}.offerVote(g) },
	genLearn:      func(o *offers, g *goals.Goal) { reader{o}.offerLearn(g) },
	genSubmission: func(o *offers, g *goals.Goal) { worker{o}.offerSubmission(g) },
	genVerify:     func(o *offers, g *goals.Goal) { reader{o}.offerVerify(g) },
	genRead:       func(o *offers, g *goals.Goal) { reader{o}.offerRead(g) },
	genSignal:     func(o *offers, g *goals.Goal) { talker{o}.offerSignal(g) },
	genAnswer:     func(o *offers, g *goals.Goal) { talker{o}.offerAnswer(g) },
	genQuestion:   func(o *offers, g *goals.Goal) { talker{o}.offerQuestion(g) },
	genLook:       func(o *offers, g *goals.Goal) { talker{o}.offerLook(g) },
	genBrowse:     func(o *offers, g *goals.Goal) { reader{o}.offerBrowse(g) },
	genStanding:   func(o *offers, g *goals.Goal) { mentor{o}.offerStanding(g) },
	genExperiment: func(o *offers, g *goals.Goal) { explorer{o}.offerExperiment(g) },
	genOwnPace:    func(o *offers, g *goals.Goal) { explorer{o}.offerOwnPace(g) },
	genTicks:      func(o *offers, g *goals.Goal) { worker{o}.offerTicks(g) },
	genDelivery:   func(o *offers, g *goals.Goal) { programmer{o}.delivery(g) },
	genModule:     func(o *offers, g *goals.Goal) { programmer{o}.module(g) },
	genFix:        func(o *offers, g *goals.Goal) { programmer{o}.fix(g) },
	genCall:       func(o *offers, g *goals.Goal) { programmer{o}.call(g) },
	genUpdate: func(o *offers, g *goals.Goal) {
		scribe{o}.offerVeto(g)
		scribe{o}.offerUpdate(g)
		scribe{o}.offerCorrection(g)
	},
	genCite:          func(o *offers, g *goals.Goal) { scribe{o}.offerCite(g) },
	genFund:          func(o *offers, g *goals.Goal) { buyer{o}.offerFund(g) },
	genTip:           func(o *offers, g *goals.Goal) { buyer{o}.offerTip(g) },
	genPledge:        func(o *offers, g *goals.Goal) { buyer{o}.offerPledge(g) },
	genPropose:       func(o *offers, g *goals.Goal) { citizen{o}.offerPropose(g) },
	genArgue:         func(o *offers, g *goals.Goal) { citizen{o}.offerArgue(g) },
	genStake:         func(o *offers, g *goals.Goal) { citizen{o}.offerStake(g) },
	genReviewRequest: func(o *offers, g *goals.Goal) { programmer{o}.offerReviewRequest(g) },
	genService:       func(o *offers, g *goals.Goal) { programmer{o}.service(g) },
	genShutdown:      func(o *offers, g *goals.Goal) { programmer{o}.offerShutdown(g) },
}

// perGoal reports whether a generator offers something else for each goal, so that it runs for all of them.
func (n generator) perGoal(g *goals.Goal) bool {
	switch n {
	case genReview, genLearn, genSubmission, genDelivery, genFix:
		return true
	case genVote:
		return g.Kind() == goals.KindVote
	case genAnswer:
		return g.Kind() == goals.KindAnswer
	default:
		return false
	}
}

// alternatives lists, by goal kind, the generators of what serves it besides its plan.
var alternatives = [...][]generator{
	goals.KindEarn:              {genUpdate, genVerify, genRead, genVote, genReview, genBrowse, genService},
	goals.KindClaimBounty:       {genDelivery, genSubmission, genTicks}, // what others wrote is judged and read for other goals: it brings no bounty nearer
	goals.KindDoReview:          {genReview},
	goals.KindFixDependency:     {genFix},
	goals.KindExplore:           {genExperiment, genCall},
	goals.KindImproveReputation: {genReviewRequest, genUpdate, genCite, genVerify, genRead, genVote, genSignal, genLook, genBrowse},
	goals.KindMentor:            {genAnswer, genVerify, genRead, genStanding, genLook, genCall},
	goals.KindBuildLibrary:      {genReviewRequest, genUpdate, genCite, genModule, genService, genCall, genVerify, genRead, genBrowse, genSignal, genLook, genTicks},
	goals.KindRaiseCoverage:     {genUpdate, genCite, genRead, genVerify, genQuestion, genLook, genBrowse, genTicks},
	goals.KindDesignSystem:      {genReviewRequest, genUpdate, genCite, genVerify, genModule, genCall, genRead, genSignal, genLook, genQuestion, genTicks},
	goals.KindTryNovel:          {genOwnPace, genModule, genService, genCall, genQuestion, genLook, genSignal, genTicks},
	goals.KindLearn:             {genLearn},
	goals.KindVote:              {genVote, genStake},
	goals.KindAnswer:            {genAnswer, genLook},
	goals.KindOwn:               {genLook, genBrowse},
	goals.KindOperator:          {genLook, genRead},
}

// domainWork is how a goal of an operator is served that names a domain. Without one it has the
// usual domain of its kind, GOVERNANCE, and is served like any goal of its kind.
var domainWork = map[action.Domain]struct {
	plan   goals.Kind // whose plan it gets; 0: none
	offers []generator
}{
	action.DomainLanguage:      {0, []generator{genDelivery, genSubmission, genVerify, genRead, genLook, genTicks}},
	action.DomainLibrary:       {goals.KindBuildLibrary, alternatives[goals.KindBuildLibrary]},
	action.DomainDocumentation: {goals.KindRaiseCoverage, alternatives[goals.KindRaiseCoverage]},
	action.DomainDesign:        {goals.KindDesignSystem, alternatives[goals.KindDesignSystem]},
	action.DomainReview:        {0, []generator{genReview, genVerify, genRead, genBrowse}},
	action.DomainExperiment:    {0, []generator{genExperiment, genLook}},
	action.DomainEconomy:       {goals.KindEarn, alternatives[goals.KindEarn]},
	action.DomainSocial:        {0, []generator{genAnswer, genQuestion, genSignal, genStanding, genLook}},
}

// served returns the kind of goal whose plan a goal gets, and the generators of what serves it besides.
func served(g *goals.Goal) (plan goals.Kind, offers []generator) {
	if g.Kind() == goals.KindOperator {
		if w, ok := domainWork[g.Domain()]; ok {
			return w.plan, w.offers
		}
	}
	return g.Kind(), alternatives[g.Kind()]
}

// always lists the generators of what can be done for no goal in particular.
var always = []generator{genModule, genUpdate, genCite, genVerify, genRead, genSignal, genQuestion, genLook, genBrowse}
