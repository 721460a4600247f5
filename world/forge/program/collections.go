package program

import (
	"go.starlark.net/starlark"
)

func toList(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		n, err := g.chargeIteration(args[0])
		if err != nil {
			return nil, err
		}
		room := 1
		if starlark.Len(args[0]) < 0 {
			room = 3 // without a known length it grows as it goes
		}
		if err := g.chargeAlloc(listSize + product(n, room*slotSize)); err != nil {
			return nil, err
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func toDict(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 1 {
		return nil, faultf(InvalidInstruction, "dict: got %d arguments, want at most 1", len(args))
	}
	d := new(starlark.Dict)
	if err := g.chargeAlloc(tableSize); err != nil {
		return nil, err
	}
	return d, g.fill(d, args, kwargs)
}

func toSet(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Iterable = starlark.Tuple(nil)
	if err := starlark.UnpackPositionalArgs("set", args, kwargs, 0, &v); err != nil {
		return nil, err
	}
	return sets{g}.newSet(v)
}

// enumerate makes each pair by itself: one must not keep all others in memory.
func enumerate(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Iterable
	var start int
	if err := starlark.UnpackPositionalArgs("enumerate", args, kwargs, 1, &v, &start); err != nil {
		return nil, err
	}
	n, _, _ := elements(v)
	if err := g.chargeAlloc(listSize + product(n, 5*slotSize)); err != nil {
		return nil, err
	}
	var pairs []starlark.Value
	err := g.each(v, func(e starlark.Value) error {
		pairs = append(pairs, starlark.Tuple{starlark.MakeInt(start + len(pairs)), e})
		return nil
	})
	return starlark.NewList(pairs), err
}

func zip(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, faultf(InvalidInstruction, "zip does not accept keyword arguments")
	}
	rows := -1
	for i, v := range args {
		n, _, ok := elements(v)
		if !ok {
			return nil, faultf(InvalidInstruction, "zip: argument #%d is not iterable: %s", i+1, v.Type())
		}
		if rows < 0 || n < rows {
			rows = n
		}
	}
	rows = max(rows, 0)
	if err := g.chargeAlloc(listSize + product(rows, len(args)*(slotSize+boxSize)+slotSize+boxSize)); err != nil {
		return nil, err
	}
	var from []starlark.Iterator
	for _, v := range args {
		it := starlark.Iterate(v)
		defer it.Done()
		from = append(from, it)
	}
	var result []starlark.Value
	for range rows {
		row := make(starlark.Tuple, len(from))
		for i, it := range from {
			if !it.Next(&row[i]) { // code points are fewer than bytes
				return starlark.NewList(result), nil
			}
		}
		result = append(result, row)
	}
	return starlark.NewList(result), nil
}

func (g *guard) collect(v starlark.Value) ([]starlark.Value, error) {
	n, _, ok := elements(v)
	if !ok {
		return nil, faultf(InvalidInstruction, "%s value is not iterable", v.Type())
	}
	if err := g.chargeAlloc(listSize + product(n, slotSize)); err != nil {
		return nil, err
	}
	values := make([]starlark.Value, 0, n)
	err := g.each(v, func(e starlark.Value) error {
		values = append(values, e)
		return nil
	})
	return values, err
}
