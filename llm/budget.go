package llm

import "fmt"

// Token budgets of the sections (docs/AGENT.md, prompt). Actions, format and
// affordances share what the model's context leaves.
const (
	BudgetRules    = 2000
	BudgetIdentity = 500
	BudgetMemory   = 2000
	BudgetState    = 1500
	BudgetHistory  = 1000

	budgetFixed = BudgetRules + BudgetIdentity + BudgetMemory + BudgetState + BudgetHistory

	// DefaultContext is the context, in tokens, that is assumed of a model which does not say.
	DefaultContext = 32768
	// DefaultMaxTokens is the room, in tokens, for the answer.
	DefaultMaxTokens = 2048
)

// Tokens estimates the tokens of n UTF-8 bytes: ⌈n/4⌉.
func Tokens(n int) int { return (n + 3) / 4 }

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

// ContextError says that a model is too small to be a mind.
type ContextError struct {
	MaxContext uint64 // tokens
	Need       uint64 // tokens
}

// Error implements error.
func (e *ContextError) Error() string {
	return fmt.Sprintf("model takes %d tokens, a prompt needs %d: use a model with a larger context or allow fewer actions", e.MaxContext, e.Need)
}

// Fits refuses a model whose context cannot hold a prompt with these actions and
// an answer of maxOutput tokens. It is asked before a run, not during one.
func Fits(maxContext, actionTokens, maxOutput uint64) error {
	need := budgetFixed + actionTokens + maxOutput
	if maxContext < need {
		return &ContextError{MaxContext: maxContext, Need: need}
	}
	return nil
}

// appendItems writes items until the budget is spent and then says how many were
// left out. The note itself is part of the budget: items make room for it.
func appendItems(dst []byte, items Items, tokens int) []byte {
	const note = 32 // bytes the note may take
	start, limit := len(dst), tokens*4
	kept, end := 0, start // the longest start after which the note still fits
	n := items.Len()
	for i := range n {
		dst = items.Append(dst, i)
		dst = append(dst, '\n')
		size := len(dst) - start
		if size > limit {
			return fmt.Appendf(dst[:end], "(%d more left out)\n", n-kept)
		}
		if size <= limit-note {
			kept, end = i+1, len(dst)
		}
	}
	return dst
}
