package wire

import "kingdom/wire/codec"

// Difficulty is the creator's estimate of a bounty.
type Difficulty uint8

// Values of [Difficulty], in wire order.
const (
	DifficultyTrivial Difficulty = iota + 1
	DifficultyEasy
	DifficultyModerate
	DifficultyHard
	DifficultyLegendary
)

var difficultyNames = []string{"TRIVIAL", "EASY", "MODERATE", "HARD", "LEGENDARY"}

func (Difficulty) EnumNames() []string { return difficultyNames }
func (v Difficulty) String() string    { return codec.EnumString(difficultyNames, v) }

// BountyStatus is the status of a bounty (docs/WORLD.md, bounties).
type BountyStatus uint8

// Values of [BountyStatus], in wire order.
const (
	BountyStatusOpen BountyStatus = iota + 1
	BountyStatusClaimed
	BountyStatusSubmitted
	BountyStatusReviewing
	BountyStatusCompleted
	BountyStatusDisputed
	BountyStatusRejected
	BountyStatusExpired
)

var bountyStatusNames = []string{"OPEN", "CLAIMED", "SUBMITTED", "REVIEWING", "COMPLETED", "DISPUTED", "REJECTED", "EXPIRED"}

func (BountyStatus) EnumNames() []string { return bountyStatusNames }
func (v BountyStatus) String() string    { return codec.EnumString(bountyStatusNames, v) }

// RequirementKind is one kind of check that a bounty asks of a submission.
type RequirementKind uint8

// Values of [RequirementKind], in wire order.
const (
	RequirementKindMustCompile RequirementKind = iota + 1
	RequirementKindMustPassTests
	RequirementKindMustBeReviewed
	RequirementKindCustom
)

var requirementKindNames = []string{"MUST_COMPILE", "MUST_PASS_TESTS", "MUST_BE_REVIEWED", "CUSTOM"}

func (RequirementKind) EnumNames() []string { return requirementKindNames }
func (v RequirementKind) String() string    { return codec.EnumString(requirementKindNames, v) }

// BountyVerdict is a judgement on a submitted bounty; REJECT by the claimer releases the claim.
type BountyVerdict uint8

// Values of [BountyVerdict], in wire order.
const (
	BountyVerdictApprove BountyVerdict = iota + 1
	BountyVerdictReject
	BountyVerdictDispute
)

var bountyVerdictNames = []string{"APPROVE", "REJECT", "DISPUTE"}

func (BountyVerdict) EnumNames() []string { return bountyVerdictNames }
func (v BountyVerdict) String() string    { return codec.EnumString(bountyVerdictNames, v) }
