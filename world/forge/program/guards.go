package program

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// define adds the host functions that rewritten programs call, and the guarded builtin functions under their own names.
func (g *guard) define(names starlark.StringDict) {
	host := func(name string, f func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)) {
		names[hostPrefix+name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return f(args, kwargs)
		})
	}
	for _, op := range operators {
		host(guardBinary(op), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return g.binary(op, a[0], a[1]) })
		host(guardAugment(op), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return g.augment(op, a[0], a[1]) })
		host(guardStore(op), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			r := a[0].(indexRef)
			v, err := g.augment(op, r.old, a[1])
			if err == nil {
				err = g.setIndex(r.x, r.i, v)
			}
			return starlark.None, err
		})
	}
	for _, op := range comparisons {
		host(guardBinary(op), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			ok, err := g.compare(op, a[0], a[1])
			return starlark.Bool(ok), err
		})
	}
	for _, op := range []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.TILDE} {
		host(guardUnary(op), func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return g.unary(op, a[0]) })
	}
	for name := range methodNames { //house:sorted into a map
		host(guardMethod(name), func(a starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return g.callMethod(name, a[0], a[1:], kwargs)
		})
	}
	for name, f := range universe { //house:sorted into a map
		native := starlark.Universe[name].(*starlark.Builtin)
		names[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return f(g, native, args, kwargs)
		})
	}
	for _, name := range constants {
		names[name] = starlark.Universe[name]
	}
	names[hostPrefix+guardNone] = starlark.None
	host(guardAttr, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return g.attribute(a[0], string(a[1].(starlark.String)))
	})
	host(guardIndex, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return g.index(a[0], a[1]) })
	host(guardSetIndex, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, g.setIndex(a[1], a[2], a[0])
	})
	host(guardSlot, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return assignTarget{g, a[0]}, nil })
	host(guardRef, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		old, err := g.index(a[0], a[1])
		return indexRef{starlark.None, a[0], a[1], old}, err
	})
	host(guardSlice, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return g.slice(a[0], a[1], a[2], a[3])
	})
	host(guardDict, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return g.newDict(a) })
	host(guardPairs, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		d := new(starlark.Dict)
		if err := g.chargeAlloc(tableSize); err != nil {
			return nil, err
		}
		return d, g.fillFrom(d, a[0])
	})
	host(guardList, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		all, err := g.concat(a)
		return starlark.NewList(all), err
	})
	host(guardTuple, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		all, err := g.concat(a)
		return starlark.Tuple(all), err
	})
	host(guardMade, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return a[0], g.chargeAlloc(2*bytesPerStep - 1 + product(max(0, starlark.Len(a[0])), slotSize))
	})
	host(guardStar, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		n, _, ok := elements(a[0])
		if !ok {
			return nil, faultf(InvalidInstruction, "argument after * must be iterable, not %s", a[0].Type())
		}
		if _, err := g.chargeIteration(a[0]); err != nil {
			return nil, err
		}
		return a[0], g.chargeAlloc(product(n, 4*slotSize))
	})
	host(guardStarStar, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		d, ok := a[0].(*starlark.Dict)
		if !ok {
			return nil, faultf(InvalidInstruction, "argument after ** must be a mapping, not %s", a[0].Type())
		}
		if err := g.keys.chargeLookups(d.Len(), d.Len()); err != nil {
			return nil, err
		}
		if err := g.chargeRead(product(d.Len(), maxParams)); err != nil { // each is compared with all parameters
			return nil, err
		}
		return d, g.chargeAlloc(product(d.Len(), 4*slotSize+entrySize))
	})
	host(guardEnter, func(a starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		n, _ := a[0].(starlark.Int).Int64()
		return starlark.None, g.chargeRead(product(int(n), slotSize))
	})
}

// indexRef stands for x[i] while the right side of x[i] op= y is evaluated.
type indexRef struct {
	starlark.Value
	x, i, old starlark.Value
}

// callMethod is x.name(args) without making a value of the method in between.
func (g *guard) callMethod(name string, x starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if m := methods[x.Type()][name]; m != nil {
		return m(g, x, starlark.NewBuiltin(name, nil), args, kwargs)
	}
	f, err := g.attribute(x, name)
	if err != nil {
		return nil, err
	}
	return starlark.Call(g.thread, f, args, kwargs)
}

func (g *guard) newDict(kv starlark.Tuple) (starlark.Value, error) {
	if err := g.chargeAlloc(tableSize); err != nil {
		return nil, err
	}
	d := new(starlark.Dict)
	for i := 0; i < len(kv); i += 2 {
		if err := g.keys.set(d, kv[i], kv[i+1]); err != nil {
			return nil, err
		}
		if d.Len() != i/2+1 {
			return nil, faultf(InvalidInstruction, "duplicate key in a dict")
		}
	}
	return d, nil
}

// concat joins the parts of a long literal.
func (g *guard) concat(parts starlark.Tuple) ([]starlark.Value, error) {
	n := 0
	for _, p := range parts {
		n += p.(*starlark.List).Len()
	}
	if err := g.chargeAlloc(listSize + product(n, 2*slotSize)); err != nil {
		return nil, err
	}
	all := make([]starlark.Value, 0, n)
	for _, p := range parts {
		for e := range p.(*starlark.List).Elements() {
			all = append(all, e)
		}
	}
	return all, nil
}
