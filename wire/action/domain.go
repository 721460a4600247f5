package action

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

// EnumNames lists the wire names in ordinal order.
func (Domain) EnumNames() []string { return domainNames }

// String returns the wire name.
func (d Domain) String() string {
	if d == 0 || int(d) > len(domainNames) {
		return "INVALID"
	}
	return domainNames[d-1]
}
