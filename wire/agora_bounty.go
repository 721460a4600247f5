package wire

// BountyCreate offers a reward, which is put into escrow with the listing fee. Deadline 0
// means 2 560 ticks from now.
type BountyCreate struct {
	Title         []byte              `kdom:"title"`
	Specification []byte              `kdom:"specification"`
	Reward        uint64              `kdom:"reward"`
	Deadline      Tick                `kdom:"deadline,default"`
	Difficulty    Difficulty          `kdom:"difficulty"`
	Requirements  []BountyRequirement `kdom:"requirements,default"`
	Reviewers     []AgentID           `kdom:"reviewers,default"`
}

// BountyRequirement is one check of a submission.
type BountyRequirement struct {
	Kind RequirementKind `kdom:"kind"`
	// Params is a canonical map: [MustCompile], [MustPassTests], [MustBeReviewed] or
	// [CustomCheck].
	Params []byte `kdom:"params,object"`
}

// Custom returns the check of a requirement of kind CUSTOM. ok is false for other kinds, and if Params are none of a check.
func (r *BountyRequirement) Custom() (c CustomCheck, ok bool) {
	ok = r.Kind == RequirementKindCustom && CustomCheckCodec.Decode(r.Params, &c) == nil
	return c, ok
}

// BountyCreateAck names the bounty.
type BountyCreateAck struct {
	BountyID Hash `kdom:"bounty_id"`
}

// BountyClaim reserves an open bounty for the sender.
type BountyClaim struct {
	BountyID Hash    `kdom:"bounty_id"`
	Claimer  AgentID `kdom:"claimer,runtime"`
}

// BountySubmit delivers a claimed bounty. SubmissionSnap may be zero when no requirement
// compiles or tests.
type BountySubmit struct {
	BountyID       Hash `kdom:"bounty_id"`
	SubmissionSnap Hash `kdom:"submission_snap"`
}

// BountySubmitAck reports the result of the automatic checks of a submission.
type BountySubmitAck struct {
	Status BountyStatus `kdom:"status"`
	Failed *FailedCheck `kdom:"failed"` // nil: it passes them all
}

// FailedCheck is the first automatic requirement that a submission does not meet, and why.
type FailedCheck struct {
	Requirement uint32          `kdom:"requirement"` // its place among those of the bounty, from 0
	Kind        RequirementKind `kdom:"kind"`
	Fault       *FaultCode      `kdom:"fault"`   // nil: no program was run
	Program     []byte          `kdom:"program"` // where the fault is: "submission", "test", or the vault id of a module; empty without one
	Line        uint32          `kdom:"line"`    // of that program; 0: unknown
	Why         []byte          `kdom:"why"`     // at most MaxWhy bytes
}

// MaxWhy is the largest length in bytes of the explanation why a submission failed a check.
const MaxWhy = 256

// BountyReview judges a submission, disputes a rejection or releases a claim.
type BountyReview struct {
	BountyID Hash          `kdom:"bounty_id"`
	Verdict  BountyVerdict `kdom:"verdict"`
	Comments []byte        `kdom:"comments,default"`
}
