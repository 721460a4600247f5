package memory

import "strconv"

// Outcome is how an action ended. The ordinal stored in SQL is the value minus one.
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

// EnumNames lists the names in ordinal order.
func (Outcome) EnumNames() []string { return outcomeNames }

// String returns the name.
func (v Outcome) String() string { return nameOf(outcomeNames, uint8(v)) }

// nameOf names a value; values outside the list show their number.
func nameOf(names []string, v uint8) string {
	if v == 0 || int(v) > len(names) {
		return "INVALID(" + strconv.Itoa(int(v)) + ")"
	}
	return names[v-1]
}
