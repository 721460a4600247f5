package memory

import "kingdom/wire/codec"

// Outcome is how an action ended. The number stored in SQL is the value minus one.
type Outcome uint8

// Values of [Outcome], in ordinal order.
const (
	OutcomeSuccess Outcome = iota + 1
	OutcomeFailure
	OutcomePartial
	// OutcomeUnknown: the result of an asynchronous request is still to come.
	OutcomeUnknown
)

var outcomeNames = []string{"SUCCESS", "FAILURE", "PARTIAL", "UNKNOWN"}

func (Outcome) EnumNames() []string { return outcomeNames }
func (v Outcome) String() string    { return codec.EnumString(outcomeNames, v) }
