package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func (g *guard) in(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	var err error
	found := false
	switch c := y.(type) {
	case *starlark.Dict:
		if err := g.keys.chargeLookup(x, c.Len()); err != nil {
			return nil, err
		}
		_, found, _ = c.Get(x) // what is unhashable is no key
	case *starlark.Set:
		found, err = g.keys.has(c, x)
	case starlark.String:
		if s, ok := x.(starlark.String); ok {
			if err := g.chargeRead(searchCost(len(c), len(s))); err != nil {
				return nil, err
			}
		}
		found, err = c.Has(x)
	case starlark.Bytes:
		if s, ok := x.(starlark.Bytes); ok {
			err = g.chargeRead(searchCost(len(c), len(s)))
		} else {
			err = g.chargeRead(uint64(len(c)))
		}
		if err != nil {
			return nil, err
		}
		found, err = c.Has(x)
	case *starlark.List, starlark.Tuple:
		if err := g.chargeScan(c, x); err != nil {
			return nil, err
		}
		found, err = c.(starlark.Container).Has(x)
	default:
		return starlark.Binary(op, x, y) // a range, or an error
	}
	if err != nil {
		return nil, err
	}
	return starlark.Bool(found == (op == syntax.IN)), nil
}

// chargeScan charges for comparing x with the elements of a list or tuple.
func (g *guard) chargeScan(seq, x starlark.Value) error {
	if _, err := g.chargeTree(seq); err != nil {
		return err
	}
	size, err := g.chargeTree(x)
	if err != nil {
		return err
	}
	if hasNumber(x, 0) && hasNumber(seq, 0) { // of different types they are compared as rationals
		return g.chargeRead(product(starlark.Len(seq), mixedCompareCost/16) + size)
	}
	return nil
}

// searchCost returns the charge in bytes for searching m bytes in n.
func searchCost(n, m int) uint64 {
	work := uint64(n + m)
	if m > 1 && n > m {
		work += product(n-m, m) / 16
	}
	return work
}

// compare is x op y for the comparisons.
func (g *guard) compare(op syntax.Token, x, y starlark.Value) (bool, error) {
	switch a := x.(type) {
	case starlark.Int:
		switch b := y.(type) {
		case starlark.Int:
			if isSmall(a) && isSmall(b) {
				break
			}
			if err := g.chargeRead(intSize(a) + intSize(b)); err != nil {
				return false, err
			}
		case starlark.Float:
			if err := g.chargeRead(mixedCompareCost + intSize(a)); err != nil {
				return false, err
			}
		}
	case starlark.Float:
		if b, ok := y.(starlark.Int); ok {
			if err := g.chargeRead(mixedCompareCost + intSize(b)); err != nil {
				return false, err
			}
		}
	case starlark.String:
		if b, ok := y.(starlark.String); ok {
			if err := g.chargeRead(uint64(min(len(a), len(b)))); err != nil {
				return false, err
			}
		}
	case starlark.Bytes:
		if b, ok := y.(starlark.Bytes); ok {
			if err := g.chargeRead(uint64(min(len(a), len(b)))); err != nil {
				return false, err
			}
		}
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		if err := g.chargeComparison(op, x, y); err != nil {
			return false, err
		}
		if a, ok := x.(*starlark.Set); ok {
			if b, ok := y.(*starlark.Set); ok {
				return sets{g}.compareSets(op, a, b)
			}
		}
	}
	return starlark.Compare(op, x, y)
}

// chargeComparison charges for comparing containers. An ordered comparison compares the deciding elements once more on
// each level.
func (g *guard) chargeComparison(op syntax.Token, x, y starlark.Value) error {
	if x.Type() != y.Type() {
		return nil
	}
	a, err := g.chargeTree(x)
	if err != nil {
		return err
	}
	b, err := g.chargeTree(y)
	if err != nil {
		return err
	}
	if op != syntax.EQL && op != syntax.NEQ {
		if err := g.chargeRead(4 * min(a, b)); err != nil {
			return err
		}
	}
	// Numbers of different types within are compared as rationals, keys that clash with each other.
	n := min(a, b) / slotSize
	if g.keys.maxCollisions > 0 {
		if err := g.chargeSteps(n * min(g.keys.maxCollisions, 1<<20)); err != nil {
			return err
		}
	}
	if hasNumber(x, 0) && hasNumber(y, 0) {
		return g.chargeRead(n * mixedCompareCost / 16)
	}
	return nil
}

// hasNumber reports a float or a great integer among the elements of a value that was
// measured.
func hasNumber(v starlark.Value, depth int) bool {
	switch v := v.(type) {
	case starlark.Float:
		return true
	case starlark.Int:
		return !isSmall(v)
	case *starlark.Dict:
		for _, e := range v.Entries() {
			if hasNumber(e, depth+1) {
				return true
			}
		}
	case *starlark.List:
		for e := range v.Elements() {
			if hasNumber(e, depth+1) {
				return true
			}
		}
	case starlark.Tuple:
		for _, e := range v {
			if hasNumber(e, depth+1) {
				return true
			}
		}
	}
	return false
}
