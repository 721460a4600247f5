package action

import "kingdom/wire/codec"

// Domain is a field of activity; each action and each goal kind names one, and role affinity
// is defined over them (docs/AGENT.md, genome).
type Domain uint8

// All domains.
const (
	DomainLanguage Domain = iota + 1
	DomainLibrary
	DomainDocumentation
	DomainDesign
	DomainReview
	DomainExperiment
	DomainEconomy
	DomainGovernance
	DomainSocial
)

var domainNames = []string{
	"LANGUAGE", "LIBRARY", "DOCUMENTATION", "DESIGN", "REVIEW", "EXPERIMENT", "ECONOMY",
	"GOVERNANCE", "SOCIAL",
}

func (Domain) EnumNames() []string { return domainNames }
func (d Domain) String() string    { return codec.EnumString(domainNames, d) }
