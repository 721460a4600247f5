package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// sets creates, combines and compares sets. It uses only the operations of tables, which charge.
type sets struct{ *guard }

// newSet returns a set of the elements of v.
func (g sets) newSet(v starlark.Value) (*starlark.Set, error) {
	s := new(starlark.Set)
	if err := g.chargeAlloc(tableSize); err != nil {
		return nil, err
	}
	return s, g.addAll(s, v)
}

func (g sets) addAll(s *starlark.Set, v starlark.Value) error {
	if v == starlark.Value(s) {
		return nil
	}
	return g.each(v, func(e starlark.Value) error { return g.keys.add(s, e) })
}

// each calls f for each element of v and charges for the iteration.
func (g *guard) each(v starlark.Value, f func(starlark.Value) error) error {
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return faultf(InvalidInstruction, "got %s, want iterable", v.Type())
	}
	if _, err := g.chargeIteration(v); err != nil {
		return err
	}
	for e := range starlark.Elements(seq) {
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

func (g sets) union(a *starlark.Set, others ...starlark.Value) (starlark.Value, error) {
	z, err := g.newSet(a)
	for _, o := range others {
		if err == nil {
			err = g.addAll(z, o)
		}
	}
	return z, err
}

func (g sets) intersection(a *starlark.Set, b starlark.Value) (starlark.Value, error) {
	z, err := g.newSet(starlark.Tuple(nil))
	if err != nil {
		return nil, err
	}
	return z, g.each(b, func(e starlark.Value) error {
		found, err := g.keys.has(a, e)
		if err != nil || !found {
			return err
		}
		return g.keys.add(z, e)
	})
}

func (g sets) difference(a *starlark.Set, b starlark.Value) (starlark.Value, error) {
	z, err := g.newSet(a)
	if err != nil {
		return nil, err
	}
	return z, g.each(b, func(e starlark.Value) error {
		_, err := g.keys.remove(z, e)
		return err
	})
}

func (g sets) symmetricDifference(a *starlark.Set, b starlark.Value) (starlark.Value, error) {
	z, err := g.newSet(a)
	if err != nil {
		return nil, err
	}
	return z, g.each(b, func(e starlark.Value) error {
		found, err := g.keys.remove(z, e)
		if err != nil || found {
			return err
		}
		return g.keys.add(z, e)
	})
}

// holdsAll reports whether s contains all elements of v.
func (g sets) holdsAll(s *starlark.Set, v starlark.Value) (bool, error) {
	all := true
	err := g.each(v, func(e starlark.Value) error {
		if !all {
			return nil
		}
		found, err := g.keys.has(s, e)
		all = found
		return err
	})
	return all, err
}

// compareSets is x op y. The interpreter's own looks at every bucket that the table of x ever
// had.
func (g sets) compareSets(op syntax.Token, x, y *starlark.Set) (bool, error) {
	switch op {
	case syntax.EQL, syntax.NEQ:
		if x.Len() != y.Len() {
			return op == syntax.NEQ, nil
		}
		same, err := g.holdsAll(y, x)
		return same == (op == syntax.EQL), err
	case syntax.LE, syntax.LT:
		if x.Len() > y.Len() || op == syntax.LT && x.Len() == y.Len() {
			return false, nil
		}
		return g.holdsAll(y, x)
	default:
		if x.Len() < y.Len() || op == syntax.GT && x.Len() == y.Len() {
			return false, nil
		}
		return g.holdsAll(x, y)
	}
}

func setAdd(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var k starlark.Value
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &k); err != nil {
		return nil, err
	}
	return starlark.None, g.keys.add(recv.(*starlark.Set), k)
}

func setClear(_ *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	return starlark.None, clearSet(recv.(*starlark.Set))
}

func setDiscard(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var k starlark.Value
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &k); err != nil {
		return nil, err
	}
	_, err := g.keys.remove(recv.(*starlark.Set), k)
	return starlark.None, err
}

func setRemove(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var k starlark.Value
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &k); err != nil {
		return nil, err
	}
	found, err := g.keys.remove(recv.(*starlark.Set), k)
	if err == nil && !found {
		err = faultf(InvalidAddress, "remove: missing key")
	}
	return starlark.None, err
}

func setPop(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	s := recv.(*starlark.Set)
	if s.Len() == 0 {
		return nil, faultf(InvalidAddress, "pop: empty set")
	}
	var k starlark.Value
	for first := range s.Elements() {
		k = first
		break
	}
	_, err := g.keys.remove(s, k)
	return k, err
}

// other unpacks the one iterable of a method of sets.
func other(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Iterable
	err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &v)
	return v, err
}

func setDifference(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return sets{g}.difference(recv.(*starlark.Set), v)
}

func setIntersection(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return sets{g}.intersection(recv.(*starlark.Set), v)
}

func setSymmetric(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return sets{g}.symmetricDifference(recv.(*starlark.Set), v)
}

func setSubset(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	all, err := sets{g}.newSet(v)
	if err != nil {
		return nil, err
	}
	ok, err := sets{g}.holdsAll(all, recv)
	return starlark.Bool(ok), err
}

func setSuperset(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	ok, err := sets{g}.holdsAll(recv.(*starlark.Set), v)
	return starlark.Bool(ok), err
}

func setUnion(g *guard, recv starlark.Value, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, faultf(InvalidInstruction, "union: does not accept keyword arguments")
	}
	return sets{g}.union(recv.(*starlark.Set), args...)
}

func setUpdate(g *guard, recv starlark.Value, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, faultf(InvalidInstruction, "update: does not accept keyword arguments")
	}
	for _, v := range args {
		if err := (sets{g}).addAll(recv.(*starlark.Set), v); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}
