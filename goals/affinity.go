package goals

import (
	"kingdom/wire"
	"kingdom/wire/action"
)

// affinity returns how well a domain suits a role, in [0,1]: 1 in the two home domains of the role, 0.3 in the two most
// distant ones, 0.5 in the others. A generalist has 0.6 in all.
func affinity(r wire.Role, d action.Domain) float64 {
	switch r {
	case wire.RoleGeneralist:
		return 0.6
	case wire.RoleCompilerSmith:
		return affinityOf(d, action.DomainLanguage, action.DomainLanguage, action.DomainSocial, action.DomainGovernance)
	case wire.RoleLibrarian:
		return affinityOf(d, action.DomainLibrary, action.DomainDocumentation, action.DomainExperiment, action.DomainEconomy)
	case wire.RoleArchitect:
		return affinityOf(d, action.DomainDesign, action.DomainReview, action.DomainEconomy, action.DomainExperiment)
	case wire.RoleExplorer:
		return affinityOf(d, action.DomainExperiment, action.DomainExperiment, action.DomainGovernance, action.DomainDocumentation)
	}
	panic("goals: affinity of unknown role " + r.String())
}

func affinityOf(d, home1, home2, far1, far2 action.Domain) float64 {
	switch d {
	case home1, home2:
		return 1
	case far1, far2:
		return 0.3
	default:
		return 0.5
	}
}

// domain is the field that a goal is about; the tables of this package are indexed by it.
type domain = action.Domain

// domains is the number of domains.
const domains = int(action.DomainSocial)

// Domain returns the usual domain of goals of a kind; a description may name another.
func (v Kind) Domain() action.Domain { return kindDomains[v-1] }

var kindDomains = [kinds]action.Domain{
	KindEarn - 1:              action.DomainEconomy,
	KindClaimBounty - 1:       action.DomainLanguage,
	KindDoReview - 1:          action.DomainReview,
	KindFixDependency - 1:     action.DomainLibrary,
	KindExplore - 1:           action.DomainExperiment,
	KindImproveReputation - 1: action.DomainSocial,
	KindMentor - 1:            action.DomainSocial,
	KindBuildLibrary - 1:      action.DomainLibrary,
	KindRaiseCoverage - 1:     action.DomainDocumentation,
	KindDesignSystem - 1:      action.DomainDesign,
	KindTryNovel - 1:          action.DomainExperiment,
	KindLearn - 1:             action.DomainDocumentation,
	KindVote - 1:              action.DomainGovernance,
	KindAnswer - 1:            action.DomainSocial,
	KindOwn - 1:               action.DomainExperiment,
	KindOperator - 1:          action.DomainGovernance,
}
