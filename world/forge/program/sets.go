package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The methods of dicts and sets, written with the few operations of tables, which charge.

func dictClear(_ *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	return starlark.None, clearDict(recv.(*starlark.Dict))
}

func dictGet(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var k starlark.Value
	var def starlark.Value = starlark.None
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &k, &def); err != nil {
		return nil, err
	}
	v, found, err := g.keys.get(recv.(*starlark.Dict), k)
	if err != nil || found {
		return v, err
	}
	return def, nil
}

func dictItems(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	d := recv.(*starlark.Dict)
	if err := g.grow(listSize + product(d.Len(), 3*slotSize+boxSize)); err != nil {
		return nil, err
	}
	pairs := make([]starlark.Value, 0, d.Len())
	for k, v := range d.Entries() {
		pairs = append(pairs, starlark.Tuple{k, v}) // each by itself: a pair must not keep all others
	}
	return starlark.NewList(pairs), nil
}

func dictPop(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var k, def starlark.Value
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &k, &def); err != nil {
		return nil, err
	}
	v, found, err := g.keys.delete(recv.(*starlark.Dict), k)
	if err != nil || found {
		return v, err
	}
	if def != nil {
		return def, nil
	}
	return nil, faultf(InvalidAddress, "pop: missing key")
}

func dictPopitem(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	d := recv.(*starlark.Dict)
	if d.Len() == 0 {
		return nil, faultf(InvalidAddress, "popitem: empty dict")
	}
	var k starlark.Value
	for first := range d.Entries() {
		k = first
		break
	}
	v, _, err := g.keys.delete(d, k)
	return starlark.Tuple{k, v}, err
}

func dictSetdefault(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var k starlark.Value
	var def starlark.Value = starlark.None
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &k, &def); err != nil {
		return nil, err
	}
	v, found, err := g.keys.get(recv.(*starlark.Dict), k)
	if err != nil || found {
		return v, err
	}
	return def, g.keys.set(recv.(*starlark.Dict), k, def)
}

func dictUpdate(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 1 {
		return nil, faultf(InvalidInstruction, "update: got %d arguments, want at most 1", len(args))
	}
	return starlark.None, g.fill(recv.(*starlark.Dict), args, kwargs)
}

// fill adds what dict(args, kwargs) holds.
func (g *guard) fill(d *starlark.Dict, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) == 1 {
		if err := g.fillFrom(d, args[0]); err != nil {
			return err
		}
	}
	for _, kv := range kwargs {
		if err := g.keys.set(d, kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

func (g *guard) fillFrom(d *starlark.Dict, from starlark.Value) error {
	if other, ok := from.(*starlark.Dict); ok {
		if other == d {
			return g.walk(product(d.Len(), entrySize))
		}
		return g.copyInto(d, other)
	}
	pairs, ok := from.(starlark.Iterable)
	if !ok {
		return faultf(InvalidInstruction, "dict: got %s, want iterable", from.Type())
	}
	if _, err := g.iterable(from); err != nil {
		return err
	}
	for pair := range starlark.Elements(pairs) {
		seq, ok := pair.(starlark.Iterable)
		if !ok || starlark.Len(pair) != 2 {
			return faultf(InvalidInstruction, "dict: an element is no pair, but %s", pair.Type())
		}
		var kv [2]starlark.Value
		i := 0
		for v := range starlark.Elements(seq) {
			kv[i] = v
			i++
		}
		if err := g.keys.set(d, kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

func (g *guard) copyInto(d, from *starlark.Dict) error {
	for k, v := range from.Entries() {
		if err := g.keys.set(d, k, v); err != nil {
			return err
		}
	}
	return nil
}

// newSet returns a set of what v iterates over.
func (g *guard) newSet(v starlark.Value) (*starlark.Set, error) {
	s := new(starlark.Set)
	if err := g.grow(tableSize); err != nil {
		return nil, err
	}
	return s, g.addAll(s, v)
}

func (g *guard) addAll(s *starlark.Set, v starlark.Value) error {
	if v == starlark.Value(s) {
		return nil
	}
	return g.each(v, func(e starlark.Value) error { return g.keys.add(s, e) })
}

// each calls f with what v iterates over, and charges for the iteration.
func (g *guard) each(v starlark.Value, f func(starlark.Value) error) error {
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return faultf(InvalidInstruction, "got %s, want iterable", v.Type())
	}
	if _, err := g.iterable(v); err != nil {
		return err
	}
	for e := range starlark.Elements(seq) {
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

func (g *guard) union(a *starlark.Set, others ...starlark.Value) (starlark.Value, error) {
	z, err := g.newSet(a)
	for _, o := range others {
		if err == nil {
			err = g.addAll(z, o)
		}
	}
	return z, err
}

func (g *guard) intersection(a *starlark.Set, b starlark.Value) (starlark.Value, error) {
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

func (g *guard) difference(a *starlark.Set, b starlark.Value) (starlark.Value, error) {
	z, err := g.newSet(a)
	if err != nil {
		return nil, err
	}
	return z, g.each(b, func(e starlark.Value) error {
		_, err := g.keys.remove(z, e)
		return err
	})
}

func (g *guard) symmetricDifference(a *starlark.Set, b starlark.Value) (starlark.Value, error) {
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

// holdsAll reports whether all that v iterates over is in s.
func (g *guard) holdsAll(s *starlark.Set, v starlark.Value) (bool, error) {
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
func (g *guard) compareSets(op syntax.Token, x, y *starlark.Set) (bool, error) {
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
	return g.difference(recv.(*starlark.Set), v)
}

func setIntersection(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return g.intersection(recv.(*starlark.Set), v)
}

func setSymmetric(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return g.symmetricDifference(recv.(*starlark.Set), v)
}

func setSubset(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	all, err := g.newSet(v)
	if err != nil {
		return nil, err
	}
	ok, err := g.holdsAll(all, recv)
	return starlark.Bool(ok), err
}

func setSuperset(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := other(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	ok, err := g.holdsAll(recv.(*starlark.Set), v)
	return starlark.Bool(ok), err
}

func setUnion(g *guard, recv starlark.Value, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, faultf(InvalidInstruction, "union: does not accept keyword arguments")
	}
	return g.union(recv.(*starlark.Set), args...)
}

func setUpdate(g *guard, recv starlark.Value, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, faultf(InvalidInstruction, "update: does not accept keyword arguments")
	}
	for _, v := range args {
		if err := g.addAll(recv.(*starlark.Set), v); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}
