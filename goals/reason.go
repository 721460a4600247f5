package goals

import "strings"

// Reason is why a goal was abandoned, as one lower-case word. If its subject was closed, it names the subject's
// status: subject_expired, subject_claimed, subject_answered (see [Closed]).
type Reason string

// The reasons that are not about a subject.
const (
	ReasonDeadline   Reason = "deadline"     // its deadline has passed
	ReasonReplaced   Reason = "replaced"     // its layer was full and a better one came
	ReasonPlans      Reason = "plans_failed" // two plans for it failed
	ReasonExhausted  Reason = "exhausted"    // nothing new is left to try
	ReasonOutpaid    Reason = "outpaid"      // work for another aspiration of the role brings more
	ReasonOutOfSight Reason = "out_of_sight" // the agent is not shown its subject any more
	ReasonDropped    Reason = "dropped"      // the mind that set it has dropped it
)

// subjectReason begins the reasons that are about a subject.
const subjectReason = "subject_"

// Closed returns the reason of a goal whose subject got a status, such as EXPIRED.
func Closed(status string) Reason { return Reason(subjectReason + strings.ToLower(status)) }

// SubjectClosed reports whether a goal ended because its subject was closed to the agent.
func (r Reason) SubjectClosed() bool { return strings.HasPrefix(string(r), subjectReason) }
