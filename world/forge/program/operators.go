package program

import (
	"math"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// guard performs the native work of the interpreter for a program: it charges for the work and refuses what is too large
// before it calls the interpreter.
type guard struct {
	*meter
	keys tables
}

// binary is x op y for every operator but and, or and the comparisons.
func (g *guard) binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.IN, syntax.NOT_IN:
		return g.in(op, x, y)
	case syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			return g.interpolate(string(s), y)
		}
	case syntax.LTLT, syntax.GTGT:
		return g.shift(op, x, y)
	}
	switch a := x.(type) {
	case starlark.Int:
		switch b := y.(type) {
		case starlark.Int:
			return g.integers(op, a, b)
		case starlark.Float:
			return starlark.Binary(op, x, y)
		}
		if op == syntax.STAR {
			return g.repeat(y, a)
		}
	case starlark.String:
		if b, ok := y.(starlark.String); ok && op == syntax.PLUS {
			if err := g.chargeAlloc(uint64(len(a) + len(b))); err != nil {
				return nil, err
			}
		} else if n, ok := y.(starlark.Int); ok && op == syntax.STAR {
			return g.repeat(x, n)
		}
	case starlark.Bytes:
		if b, ok := y.(starlark.Bytes); ok && op == syntax.PLUS {
			if err := g.chargeAlloc(uint64(len(a) + len(b))); err != nil {
				return nil, err
			}
		} else if n, ok := y.(starlark.Int); ok && op == syntax.STAR {
			return g.repeat(x, n)
		}
	case *starlark.List, starlark.Tuple:
		if n, ok := y.(starlark.Int); ok && op == syntax.STAR {
			return g.repeat(x, n)
		}
		if op == syntax.PLUS {
			if err := g.chargeAlloc(listSize + product(max(0, starlark.Len(x))+max(0, starlark.Len(y)), slotSize)); err != nil {
				return nil, err
			}
		}
	case *starlark.Set:
		if b, ok := y.(*starlark.Set); ok {
			switch op {
			case syntax.PIPE:
				return sets{g}.union(a, b)
			case syntax.AMP:
				return sets{g}.intersection(a, b)
			case syntax.CIRCUMFLEX:
				return sets{g}.symmetricDifference(a, b)
			case syntax.MINUS:
				return sets{g}.difference(a, b)
			}
		}
	case *starlark.Dict:
		if b, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			z := new(starlark.Dict)
			if err := g.chargeAlloc(tableSize); err != nil {
				return nil, err
			}
			if err := g.copyInto(z, a); err != nil {
				return nil, err
			}
			return z, g.copyInto(z, b)
		}
	}
	return starlark.Binary(op, x, y)
}

// integers charges for arithmetic on large integers and keeps the result within bounds.
func (g *guard) integers(op syntax.Token, x, y starlark.Int) (starlark.Value, error) {
	if isSmall(x) && isSmall(y) {
		return starlark.Binary(op, x, y) // at most 62 bits
	}
	a, b := x.BigInt().BitLen(), y.BigInt().BitLen()
	bits := max(a, b) + 1
	work := uint64(bits / 8)
	switch op {
	case syntax.STAR:
		bits = a + b
		work += product(a, b) / 512
	case syntax.SLASHSLASH, syntax.PERCENT:
		work += product(a, b) / 128
	case syntax.SLASH:
		return starlark.Binary(op, x, y)
	}
	if bits > intBits+1 {
		return nil, g.trip(OutOfMemory, "integer of more than 4096 bits")
	}
	if err := g.chargeAlloc(32 + work); err != nil {
		return nil, err
	}
	z, err := starlark.Binary(op, x, y)
	return g.integer(z, err)
}

// integer refuses a result of more than 4,096 bits.
func (g *guard) integer(z starlark.Value, err error) (starlark.Value, error) {
	if i, ok := z.(starlark.Int); ok && err == nil && !isSmall(i) && i.BigInt().BitLen() > intBits {
		return nil, g.trip(OutOfMemory, "integer of more than 4096 bits")
	}
	return z, err
}

func (g *guard) shift(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if i, ok := x.(starlark.Int); ok {
		if err := g.chargeAlloc(96 + intSize(i)); err != nil {
			return nil, err
		}
	}
	z, err := starlark.Binary(op, x, y)
	return g.integer(z, err)
}

// repeat is seq * n.
func (g *guard) repeat(seq starlark.Value, n starlark.Int) (starlark.Value, error) {
	times := 0
	if n.Sign() > 0 {
		if v, ok := n.Int64(); ok && v <= math.MaxInt32 {
			times = int(v)
		} else {
			times = math.MaxInt32
		}
	}
	var err error
	switch s := seq.(type) {
	case starlark.String:
		err = g.chargeAlloc(product(len(s), times))
	case starlark.Bytes:
		err = g.chargeAlloc(product(len(s), times))
	case *starlark.List:
		err = g.chargeAlloc(listSize + product(s.Len(), times)*slotSize)
	case starlark.Tuple:
		err = g.chargeAlloc(listSize + product(len(s), times)*slotSize)
	}
	if err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.STAR, seq, n)
}

func (g *guard) unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	if i, ok := x.(starlark.Int); ok && !isSmall(i) {
		if err := g.chargeAlloc(32 + intSize(i)); err != nil {
			return nil, err
		}
	}
	z, err := starlark.Unary(op, x)
	return g.integer(z, err)
}

// augment is x op= y: lists and dicts change in place.
func (g *guard) augment(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch a := x.(type) {
	case *starlark.List:
		if _, _, ok := elements(y); ok && op == syntax.PLUS {
			return a, g.extend(a, y)
		}
	case *starlark.Dict:
		if b, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			if b == a {
				return a, mutable(a.SetKey(starlark.NewList(nil), starlark.None))
			}
			return a, g.copyInto(a, b)
		}
	}
	return g.binary(op, x, y)
}

// extend is x += y.
func (g *guard) extend(x *starlark.List, y starlark.Value) error {
	n, each, _ := elements(y)
	if err := g.chargeAlloc(product(n, slotSize+each)); err != nil {
		return err
	}
	_, err := g.native(x, "extend", starlark.Tuple{y}, nil)
	return err
}
