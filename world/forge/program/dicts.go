package program

import (
	"go.starlark.net/starlark"
)

// The methods of dicts. They use only the operations of tables, which charge.

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
	if err := g.chargeAlloc(listSize + product(d.Len(), 3*slotSize+boxSize)); err != nil {
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
			return g.chargeRead(product(d.Len(), entrySize))
		}
		return g.copyInto(d, other)
	}
	pairs, ok := from.(starlark.Iterable)
	if !ok {
		return faultf(InvalidInstruction, "dict: got %s, want iterable", from.Type())
	}
	if _, err := g.chargeIteration(from); err != nil {
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
