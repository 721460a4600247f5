package wire

import "kingdom/wire/codec"

// EntryKind is the genre of an Oracle entry.
type EntryKind uint8

// Values of [EntryKind], in wire order.
const (
	EntryKindSpecification EntryKind = iota + 1
	EntryKindAPI
	EntryKindTutorial
	EntryKindPattern
	EntryKindAntipattern
	EntryKindPostmortem
	EntryKindGlossary
	EntryKindFAQ
	EntryKindIndex
	EntryKindProof
	EntryKindBenchmark
)

var entryKindNames = []string{"SPECIFICATION", "API", "TUTORIAL", "PATTERN", "ANTIPATTERN", "POSTMORTEM", "GLOSSARY", "FAQ", "INDEX", "PROOF", "BENCHMARK"}

// EnumNames lists the wire names in ordinal order.
func (EntryKind) EnumNames() []string { return entryKindNames }

// String returns the wire name.
func (v EntryKind) String() string { return codec.EnumString(entryKindNames, uint8(v)) }

// ReviewMode says whether an entry goes live at once or after two approvals.
type ReviewMode uint8

// Values of [ReviewMode], in wire order.
const (
	ReviewModeImmediate ReviewMode = iota + 1
	ReviewModePeerReview
)

var reviewModeNames = []string{"IMMEDIATE", "PEER_REVIEW"}

// EnumNames lists the wire names in ordinal order.
func (ReviewMode) EnumNames() []string { return reviewModeNames }

// String returns the wire name.
func (v ReviewMode) String() string { return codec.EnumString(reviewModeNames, uint8(v)) }

// Verdict is a verifier's judgement of an Oracle entry.
type Verdict uint8

// Values of [Verdict], in wire order.
const (
	VerdictAccurate Verdict = iota + 1
	VerdictInaccurate
	VerdictPartiallyAccurate
	VerdictOutdated
)

var verdictNames = []string{"ACCURATE", "INACCURATE", "PARTIALLY_ACCURATE", "OUTDATED"}

// EnumNames lists the wire names in ordinal order.
func (Verdict) EnumNames() []string { return verdictNames }

// String returns the wire name.
func (v Verdict) String() string { return codec.EnumString(verdictNames, uint8(v)) }

// CitationKind labels an edge of the citation graph.
type CitationKind uint8

// Values of [CitationKind], in wire order.
const (
	CitationKindUses CitationKind = iota + 1
	CitationKindExtends
	CitationKindContradicts
	CitationKindSupersedes
	CitationKindImplements
	CitationKindReferences
)

var citationKindNames = []string{"USES", "EXTENDS", "CONTRADICTS", "SUPERSEDES", "IMPLEMENTS", "REFERENCES"}

// EnumNames lists the wire names in ordinal order.
func (CitationKind) EnumNames() []string { return citationKindNames }

// String returns the wire name.
func (v CitationKind) String() string { return codec.EnumString(citationKindNames, uint8(v)) }

// OracleSort orders the answers to ENTRY_QUERY.
type OracleSort uint8

// Values of [OracleSort], in wire order.
const (
	OracleSortRelevant OracleSort = iota + 1
	OracleSortRecent
	OracleSortQuality
	OracleSortCitations
)

var oracleSortNames = []string{"RELEVANT", "RECENT", "QUALITY", "CITATIONS"}

// EnumNames lists the wire names in ordinal order.
func (OracleSort) EnumNames() []string { return oracleSortNames }

// String returns the wire name.
func (v OracleSort) String() string { return codec.EnumString(oracleSortNames, uint8(v)) }

// WarningLevel is the severity of a WARNING block.
type WarningLevel uint8

// Values of [WarningLevel], in wire order.
const (
	WarningLevelNote WarningLevel = iota + 1
	WarningLevelCaution
	WarningLevelCritical
)

var warningLevelNames = []string{"NOTE", "CAUTION", "CRITICAL"}

// EnumNames lists the wire names in ordinal order.
func (WarningLevel) EnumNames() []string { return warningLevelNames }

// String returns the wire name.
func (v WarningLevel) String() string { return codec.EnumString(warningLevelNames, uint8(v)) }
