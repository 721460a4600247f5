package llm

import "fmt"

// Token budgets of the sections (docs/AGENT.md, prompt), a token being four bytes. Actions,
// format and affordances have none: they take what the model's context leaves.
const (
	BudgetRules    = 2000
	BudgetIdentity = 500
	BudgetMemory   = 2000
	BudgetState    = 1500
	BudgetHistory  = 1000

	// shareOffers stands in for the budget that affordances do not have where a small context is shared out.
	shareOffers = 1500

	// LeastUser is the least room, in tokens of a model, for the part of a prompt that is about the agent itself: its
	// identity, the clock, its goal and a few affordances. Prompts usually take at least twice as much.
	LeastUser = 1500
	// UsualUser is what this part usually takes. A test compares it with the prompts of whole runs.
	UsualUser = 3500

	// DefaultContext is the context, in tokens, of a model that does not state one.
	DefaultContext = 32768
	// DefaultMaxTokens is the room, in tokens, for the answer.
	DefaultMaxTokens = 2048
)

// Tokens estimates how many tokens models need for n UTF-8 bytes: ⌈n/3⌉. Limits, caps and prices are counted in
// these.
func Tokens(n int) int { return (n + 2) / 3 }

// BudgetTokens is the unit of the budgets of sections: ⌈n/4⌉ for n UTF-8 bytes. It is a rule of the world and the
// same for every model.
func BudgetTokens(n int) int { return (n + 3) / 4 }

// budgetBytes is the length of a text of so many tokens of a section's budget.
func budgetBytes(tokens int) int { return 4 * tokens }

// budget returns the token budget of a section with a budget of its own, else 0.
func (k SectionKind) budget() int {
	switch k {
	case SectionRules:
		return BudgetRules
	case SectionIdentity:
		return BudgetIdentity
	case SectionMemory:
		return BudgetMemory
	case SectionState:
		return BudgetState
	case SectionHistory:
		return BudgetHistory
	default:
		return 0
	}
}

// ContextError says that the context of a model is too small.
type ContextError struct {
	MaxContext uint64 // tokens
	Need       uint64 // tokens
}

// Error implements error.
func (e *ContextError) Error() string {
	return fmt.Sprintf("model takes %d tokens, a prompt and its answer need %d: use a model with a larger context or allow fewer actions", e.MaxContext, e.Need)
}

// Fits returns an error if the context of a model (maxContext) is too small for a system message of this many tokens,
// the least that an agent has to be told about itself ([LeastUser]), and an answer of maxOutput tokens. It is called
// before a run. What else a prompt has is cut to the context during the run.
func Fits(maxContext, system, maxOutput uint64) error {
	if need := system + LeastUser + maxOutput; maxContext < need {
		return &ContextError{MaxContext: maxContext, Need: need}
	}
	return nil
}

// noteRoom is how many bytes the note about what was left out may take.
const noteRoom = 32

// appendItems writes n items, a line each, until the room is spent and then says how many were
// left out. The note itself is part of the room: items are dropped to make room for it, and if even
// the note does not fit, nothing is written.
func appendItems(dst []byte, n, room int, item func(dst []byte, i int) []byte) []byte {
	start := len(dst)
	kept, end := 0, start // the longest start after which the note still fits
	for i := range n {
		dst = append(item(dst, i), '\n')
		size := len(dst) - start
		if size > room && room < noteRoom {
			return dst[:start]
		}
		if size > room {
			return fmt.Appendf(dst[:end], "(%d more left out)\n", n-kept)
		}
		if size <= room-noteRoom {
			kept, end = i+1, len(dst)
		}
	}
	return dst
}
