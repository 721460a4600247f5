package program

import (
	"math/bits"
	"sort"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// sortKeys returns the values by which the elements are compared, and charges for comparing all of them. It charges after
// all calls of key, because a call may change the value that an earlier one returned.
func (g *guard) sortKeys(values []starlark.Value, key starlark.Callable, times int) ([]starlark.Value, error) {
	by := values
	if key != nil {
		if err := g.chargeAlloc(product(len(values), slotSize)); err != nil {
			return nil, err
		}
		by = make([]starlark.Value, len(values))
		for i, v := range values {
			k, err := starlark.Call(g.thread, key, starlark.Tuple{v}, nil)
			if err != nil {
				return nil, err
			}
			by[i] = k
		}
	}
	var size uint64
	mixed := false
	for _, k := range by {
		n, err := g.chargeTree(k)
		if err != nil {
			return nil, err
		}
		if !mixed {
			mixed = hasNumber(k, 0)
		}
		size += n
	}
	if mixed { // numbers of different types are compared as rationals
		size += product(len(by), mixedCompareCost/16)
	}
	if g.keys.maxCollisions > 0 {
		size *= min(g.keys.maxCollisions+1, 1<<20)
	}
	if size > 1<<40 {
		return nil, g.chargeSteps(1 << 40)
	}
	return by, g.chargeRead(2 * size * uint64(times))
}

func sorted(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Iterable
	var key starlark.Callable
	var reverse bool
	if err := starlark.UnpackArgs("sorted", args, kwargs, "iterable", &v, "key?", &key, "reverse?", &reverse); err != nil {
		return nil, err
	}
	values, err := g.collect(v)
	if err != nil {
		return nil, err
	}
	rounds := bits.Len(uint(len(values)))
	by, err := g.sortKeys(values, key, rounds)
	if err != nil {
		return nil, err
	}
	if err := g.chargeRead(product(len(values), slotSize/4*rounds*rounds)); err != nil {
		return nil, err
	}
	s := &sorter{values: values, by: by, apart: key != nil}
	if reverse {
		sort.Stable(sort.Reverse(s))
	} else {
		sort.Stable(s)
	}
	return starlark.NewList(values), s.err
}

type sorter struct {
	values, by []starlark.Value
	apart      bool // by is a slice of its own
	err        error
}

func (s *sorter) Len() int { return len(s.values) }

func (s *sorter) Less(i, j int) bool {
	if s.err != nil {
		return false
	}
	less, err := starlark.Compare(syntax.LT, s.by[i], s.by[j])
	s.err = err
	return less
}

func (s *sorter) Swap(i, j int) {
	s.values[i], s.values[j] = s.values[j], s.values[i]
	if s.apart {
		s.by[i], s.by[j] = s.by[j], s.by[i]
	}
}

// minMax is min and max.
func minMax(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	name := native.Name()
	if len(args) == 0 {
		return nil, faultf(InvalidInstruction, "%s requires at least one positional argument", name)
	}
	var key starlark.Callable
	if err := starlark.UnpackArgs(name, nil, kwargs, "key?", &key); err != nil {
		return nil, err
	}
	var from starlark.Value = args
	if len(args) == 1 {
		from = args[0]
	}
	values, err := g.collect(from)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, faultf(InvalidInstruction, "%s: argument is an empty sequence", name)
	}
	by, err := g.sortKeys(values, key, 1)
	if err != nil {
		return nil, err
	}
	op := syntax.LT
	if name == "max" {
		op = syntax.GT
	}
	best := 0
	for i := 1; i < len(by); i++ {
		better, err := starlark.Compare(op, by[i], by[best])
		if err != nil {
			return nil, err
		}
		if better {
			best = i
		}
	}
	return values[best], nil
}
