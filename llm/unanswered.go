package llm

import (
	"fmt"
	"strings"
)

// Unanswered counts slots that passed without an answer, by how the request for it ended.
type Unanswered struct {
	RefusedBudget uint64 `json:"refused_budget,omitempty"`
	TimedOut      uint64 `json:"timed_out,omitempty"`
	ProviderError uint64 `json:"provider_error,omitempty"`
	Interrupted   uint64 `json:"interrupted,omitempty"`
}

// Add counts a slot. An answer counts as nothing.
func (u *Unanswered) Add(o Outcome) {
	switch o {
	case RefusedBudget:
		u.RefusedBudget++
	case TimedOut:
		u.TimedOut++
	case ProviderError:
		u.ProviderError++
	case Interrupted:
		u.Interrupted++
	case Answered:
	}
}

// Sum returns the counts of two together.
func (u Unanswered) Sum(o Unanswered) Unanswered {
	return Unanswered{u.RefusedBudget + o.RefusedBudget, u.TimedOut + o.TimedOut, u.ProviderError + o.ProviderError, u.Interrupted + o.Interrupted}
}

// All returns how many slots there were.
func (u Unanswered) All() uint64 {
	return u.RefusedBudget + u.TimedOut + u.ProviderError + u.Interrupted
}

// String says why in words, such as "300 refused by a cap, 2 timed out"; "" if there was no slot.
func (u Unanswered) String() string {
	var says []string
	for _, c := range []struct {
		n    uint64
		what string
	}{{u.RefusedBudget, "refused by a cap"}, {u.TimedOut, "timed out"}, {u.ProviderError, "failed at the endpoint"}, {u.Interrupted, "interrupted"}} {
		if c.n > 0 {
			says = append(says, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(says, ", ")
}
