package goals

import (
	"fmt"
	"strconv"
	"strings"

	"kingdom/det"
	"kingdom/wire/action"
)

// Predicate says when a goal set by an operator or by the mind itself is reached: when something is at least a
// number. Its text in a Description is balance>=200, reputation>=0.4, or the name of an action and how often it must
// be done from now on, such as entry_verify>=5.
type Predicate struct {
	Quantity string // balance, reputation, or the name of an action that a mind may take
	Min      float64
}

// What a predicate may be about beside actions.
const (
	PredicateBalance    = "balance"    // own ⚡
	PredicateReputation = "reputation" // own, 0 to 1
)

// maxPredicate is the greatest number that a predicate asks for.
const maxPredicate = 1_000_000_000

// ParsePredicate reads a predicate; spaces around its parts are ignored. The error says what would be right.
func ParsePredicate(s string) (Predicate, error) {
	of, least, ok := strings.Cut(s, ">=")
	if !ok {
		return Predicate{}, fmt.Errorf("has no >=; want balance>=N, reputation>=X, or an action and how often it must be done, such as entry_verify>=5")
	}
	p := Predicate{Quantity: strings.TrimSpace(of)}
	least = strings.TrimSpace(least)
	if p.Quantity == PredicateReputation {
		x, err := strconv.ParseFloat(least, 64)
		if err != nil || !(x > 0 && x <= 1) {
			return p, fmt.Errorf("asks for a reputation of %q; want a number above 0, at most 1", least)
		}
		p.Min = x
		return p, nil
	}
	if row, known := action.ByName(p.Quantity); p.Quantity != PredicateBalance && (!known || !row.LLM || row.Type == 0) {
		return p, fmt.Errorf("is about %q; want balance, reputation, or an action that sends a message (kingdom actions lists them)", p.Quantity)
	}
	n, err := strconv.ParseUint(least, 10, 64)
	if err != nil || n == 0 || n > maxPredicate {
		return p, fmt.Errorf("asks for %q; want a whole number from 1 to %d", least, maxPredicate)
	}
	p.Min = float64(n)
	return p, nil
}

// Quantities lists what a predicate may be about.
func Quantities() []string {
	out := []string{PredicateBalance, PredicateReputation}
	for _, row := range action.All() {
		if row.LLM && row.Type != 0 {
			out = append(out, row.Name)
		}
	}
	return out
}

// ReachedAtBirth reports whether a goal ends before its agent has done anything, because the agent begins with a
// balance that is enough. Nothing else can be reached by then: reputation begins at 0, and acts are counted from then on.
func (d *Description) ReachedAtBirth(balance int64) bool {
	if d.Kind == KindEarn {
		return balance >= earnTarget
	}
	p, err := ParsePredicate(d.Predicate)
	return err == nil && d.Kind == KindOperator && p.Quantity == PredicateBalance && float64(balance) >= p.Min
}

// String returns the predicate in the form that [ParsePredicate] reads.
func (p Predicate) String() string {
	return p.Quantity + ">=" + strconv.FormatFloat(p.Min, 'f', -1, 64)
}

// predicate is the goal's stated predicate; ok is false if it has none.
func (g *Goal) predicate() (p Predicate, ok bool) {
	if g.Description.Predicate == "" {
		return p, false
	}
	p, err := ParsePredicate(g.Description.Predicate)
	return p, err == nil
}

// judgePredicate counts an act towards the stated predicate of a goal.
func (g *Goal) judgePredicate(f *Fact) Status {
	p, ok := g.predicate()
	if !ok {
		return 0
	}
	if row, known := action.ByName(p.Quantity); !known || row.Type != f.Action {
		return 0
	}
	return g.countProgress(uint32(p.Min))
}

// Reached returns the living goals with a predicate that holds for the agent now, except predicates that count acts,
// which [Stack.ApplyFact] follows.
func (s *Stack) Reached(balance int64, reputation float64) []*Goal {
	var out []*Goal
	for i, k := range s.kinds {
		if k != KindOperator && k != KindOwn {
			continue
		}
		p, ok := s.living[i].predicate()
		if ok && (p.Quantity == PredicateBalance && float64(balance) >= p.Min || p.Quantity == PredicateReputation && det.QuantiseInt(reputation) >= det.QuantiseInt(p.Min)) {
			out = append(out, s.living[i])
		}
	}
	return out
}
