package wire

import "kingdom/wire/codec"

// EntryKind is the kind of an Oracle entry.
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

func (EntryKind) EnumNames() []string { return entryKindNames }
func (v EntryKind) String() string    { return codec.EnumString(entryKindNames, v) }

// ReviewMode says whether an entry goes live at once or after two approvals.
type ReviewMode uint8

// Values of [ReviewMode], in wire order.
const (
	ReviewModeImmediate ReviewMode = iota + 1
	ReviewModePeerReview
)

var reviewModeNames = []string{"IMMEDIATE", "PEER_REVIEW"}

func (ReviewMode) EnumNames() []string { return reviewModeNames }
func (v ReviewMode) String() string    { return codec.EnumString(reviewModeNames, v) }

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

func (Verdict) EnumNames() []string { return verdictNames }
func (v Verdict) String() string    { return codec.EnumString(verdictNames, v) }

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

func (CitationKind) EnumNames() []string { return citationKindNames }
func (v CitationKind) String() string    { return codec.EnumString(citationKindNames, v) }

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

func (OracleSort) EnumNames() []string { return oracleSortNames }
func (v OracleSort) String() string    { return codec.EnumString(oracleSortNames, v) }

// WarningLevel is the severity of a WARNING block.
type WarningLevel uint8

// Values of [WarningLevel], in wire order.
const (
	WarningLevelNote WarningLevel = iota + 1
	WarningLevelCaution
	WarningLevelCritical
)

var warningLevelNames = []string{"NOTE", "CAUTION", "CRITICAL"}

func (WarningLevel) EnumNames() []string { return warningLevelNames }
func (v WarningLevel) String() string    { return codec.EnumString(warningLevelNames, v) }
