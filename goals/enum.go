package goals

import "kingdom/wire/codec"

// Layer is how long-term a goal is. The number stored in SQL is the value minus one.
type Layer uint8

// Values of [Layer], in ordinal order.
const (
	// LayerAspiration: long-term, such as "build a library others use".
	LayerAspiration Layer = iota + 1
	// LayerObjective: medium-term, such as "claim this bounty".
	LayerObjective
	// LayerTask: immediate, such as "answer this question".
	LayerTask
)

var layerNames = []string{"ASPIRATION", "OBJECTIVE", "TASK"}

func (Layer) EnumNames() []string { return layerNames }
func (v Layer) String() string    { return codec.EnumString(layerNames, v) }

// Source is where a goal came from. The number stored in SQL is the value minus one.
type Source uint8

// Values of [Source], in ordinal order.
const (
	// SourceSurvival: the balance is low.
	SourceSurvival Source = iota + 1
	// SourceRole: the aspirations of the genome's role; also goals that the mind sets itself.
	SourceRole
	// SourceOpportunity: an event offers something that this agent could do.
	SourceOpportunity
	// SourceCuriosity: the agent experienced nothing new for too long.
	SourceCuriosity
	// SourceSocial: reputation among peers; also goals set by an operator.
	SourceSocial
)

var sourceNames = []string{"SURVIVAL", "ROLE", "OPPORTUNITY", "CURIOSITY", "SOCIAL"}

func (Source) EnumNames() []string { return sourceNames }
func (v Source) String() string    { return codec.EnumString(sourceNames, v) }

// Status is the state of a goal. The number stored in SQL is the value minus one.
type Status uint8

// Values of [Status], in ordinal order. The last two are final.
const (
	StatusPending Status = iota + 1
	StatusActive
	StatusCompleted
	StatusAbandoned
)

var statusNames = []string{"PENDING", "ACTIVE", "COMPLETED", "ABANDONED"}

func (Status) EnumNames() []string { return statusNames }
func (v Status) String() string    { return codec.EnumString(statusNames, v) }

// Final reports whether the goal is over.
func (v Status) Final() bool { return v == StatusCompleted || v == StatusAbandoned }

// Kind is what a goal is about. It decides when the goal is completed and its value to others. It is part of a goal's
// id, so the list is append-only.
type Kind uint8

// Values of [Kind].
const (
	KindEarn Kind = iota + 1
	KindClaimBounty
	KindDoReview
	KindFixDependency
	KindExplore
	KindImproveReputation
	KindMentor
	KindBuildLibrary
	KindRaiseCoverage
	KindDesignSystem
	KindTryNovel
	KindLearn
	KindVote
	KindAnswer
	// KindOwn is a goal the mind set itself.
	KindOwn
	// KindOperator is a goal somebody outside the world set.
	KindOperator
)

// kinds is the number of kinds.
const kinds = int(KindOperator)

var kindNames = []string{
	"earn", "claim_bounty", "do_review", "fix_dependency", "explore", "improve_reputation", "mentor",
	"build_library", "raise_coverage", "design_system", "try_novel", "learn", "vote", "answer", "own", "operator",
}

func (Kind) EnumNames() []string { return kindNames }
func (v Kind) String() string    { return codec.EnumString(kindNames, v) }

// Subject is the kind of thing that an action was done to. Together with the action and its domain it decides whether
// an experience is new.
type Subject uint8

// Values of [Subject].
const (
	SubjectNone Subject = iota + 1
	SubjectAgent
	SubjectBounty
	SubjectReview
	SubjectProposal
	SubjectChannel
	SubjectMessage
	SubjectEntry
	SubjectAccount
	SubjectEscrow
	SubjectStake
	SubjectRepo
	SubjectSnap
	SubjectObject
	SubjectSandbox
	SubjectService
	SubjectPage
)

var subjectNames = []string{
	"none", "agent", "bounty", "review", "proposal", "channel", "message", "entry", "account", "escrow", "stake",
	"repo", "snap", "object", "sandbox", "service", "page",
}

func (Subject) EnumNames() []string { return subjectNames }
func (v Subject) String() string    { return codec.EnumString(subjectNames, v) }
