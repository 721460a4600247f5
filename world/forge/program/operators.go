package program

import (
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// guard is what stands between a program and the native work of the interpreter: it charges
// for it, refuses what is too large, and then has it done.
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
			if err := g.grow(uint64(len(a) + len(b))); err != nil {
				return nil, err
			}
		} else if n, ok := y.(starlark.Int); ok && op == syntax.STAR {
			return g.repeat(x, n)
		}
	case starlark.Bytes:
		if b, ok := y.(starlark.Bytes); ok && op == syntax.PLUS {
			if err := g.grow(uint64(len(a) + len(b))); err != nil {
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
			if err := g.grow(listSize + product(max(0, starlark.Len(x))+max(0, starlark.Len(y)), slotSize)); err != nil {
				return nil, err
			}
		}
	case *starlark.Set:
		if b, ok := y.(*starlark.Set); ok {
			switch op {
			case syntax.PIPE:
				return g.union(a, b)
			case syntax.AMP:
				return g.intersection(a, b)
			case syntax.CIRCUMFLEX:
				return g.symmetricDifference(a, b)
			case syntax.MINUS:
				return g.difference(a, b)
			}
		}
	case *starlark.Dict:
		if b, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			z := new(starlark.Dict)
			if err := g.grow(tableSize); err != nil {
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
	if err := g.grow(32 + work); err != nil {
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
		if err := g.grow(96 + intSize(i)); err != nil {
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
		err = g.grow(product(len(s), times))
	case starlark.Bytes:
		err = g.grow(product(len(s), times))
	case *starlark.List:
		err = g.grow(listSize + product(s.Len(), times)*slotSize)
	case starlark.Tuple:
		err = g.grow(listSize + product(len(s), times)*slotSize)
	}
	if err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.STAR, seq, n)
}

func (g *guard) in(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	var err error
	found := false
	switch c := y.(type) {
	case *starlark.Dict:
		if err := g.keys.key(x, c.Len()); err != nil {
			return nil, err
		}
		_, found, _ = c.Get(x) // what is unhashable is no key
	case *starlark.Set:
		found, err = g.keys.has(c, x)
	case starlark.String:
		if s, ok := x.(starlark.String); ok {
			if err := g.walk(searching(len(c), len(s))); err != nil {
				return nil, err
			}
		}
		found, err = c.Has(x)
	case starlark.Bytes:
		if s, ok := x.(starlark.Bytes); ok {
			err = g.walk(searching(len(c), len(s)))
		} else {
			err = g.walk(uint64(len(c)))
		}
		if err != nil {
			return nil, err
		}
		found, err = c.Has(x)
	case *starlark.List, starlark.Tuple:
		if err := g.scan(c, x); err != nil {
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

// scan charges for comparing x with the elements of a list or tuple.
func (g *guard) scan(seq, x starlark.Value) error {
	if _, err := g.tree(seq); err != nil {
		return err
	}
	size, err := g.tree(x)
	if err != nil {
		return err
	}
	if hasNumber(x, 0) && hasNumber(seq, 0) { // of different types they are compared as rationals
		return g.walk(product(starlark.Len(seq), mixedSize/16) + size)
	}
	return nil
}

// searching is the work of looking for m bytes in n.
func searching(n, m int) uint64 {
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
			if err := g.walk(intSize(a) + intSize(b)); err != nil {
				return false, err
			}
		case starlark.Float:
			if err := g.walk(mixedSize + intSize(a)); err != nil {
				return false, err
			}
		}
	case starlark.Float:
		if b, ok := y.(starlark.Int); ok {
			if err := g.walk(mixedSize + intSize(b)); err != nil {
				return false, err
			}
		}
	case starlark.String:
		if b, ok := y.(starlark.String); ok {
			if err := g.walk(uint64(min(len(a), len(b)))); err != nil {
				return false, err
			}
		}
	case starlark.Bytes:
		if b, ok := y.(starlark.Bytes); ok {
			if err := g.walk(uint64(min(len(a), len(b)))); err != nil {
				return false, err
			}
		}
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		if err := g.comparison(op, x, y); err != nil {
			return false, err
		}
		if a, ok := x.(*starlark.Set); ok {
			if b, ok := y.(*starlark.Set); ok {
				return g.compareSets(op, a, b)
			}
		}
	}
	return starlark.Compare(op, x, y)
}

// comparison charges for comparing containers. An ordered comparison looks at the elements
// that decide once more on each level.
func (g *guard) comparison(op syntax.Token, x, y starlark.Value) error {
	if x.Type() != y.Type() {
		return nil
	}
	a, err := g.tree(x)
	if err != nil {
		return err
	}
	b, err := g.tree(y)
	if err != nil {
		return err
	}
	if op != syntax.EQL && op != syntax.NEQ {
		if err := g.walk(4 * min(a, b)); err != nil {
			return err
		}
	}
	// Numbers of different types within are compared as rationals, keys that clash with each other.
	n := min(a, b) / slotSize
	if g.keys.most > 0 {
		if err := g.steps(n * min(g.keys.most, 1<<20)); err != nil {
			return err
		}
	}
	if hasNumber(x, 0) && hasNumber(y, 0) {
		return g.walk(n * mixedSize / 16)
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

func (g *guard) unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	if i, ok := x.(starlark.Int); ok && !isSmall(i) {
		if err := g.grow(32 + intSize(i)); err != nil {
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
	if err := g.grow(product(n, slotSize+each)); err != nil {
		return err
	}
	_, err := g.native(x, "extend", starlark.Tuple{y}, nil)
	return err
}

// attribute is x.name.
func (g *guard) attribute(x starlark.Value, name string) (starlark.Value, error) {
	if m, ok := x.(*starlarkstruct.Module); ok {
		if v := m.Members[name]; v != nil {
			return v, nil
		}
	}
	if m := methods[x.Type()][name]; m != nil {
		return g.bind(x, name, m), nil
	}
	return nil, faultf(InvalidAddress, "%s has no .%s field or method", x.Type(), short(name))
}

// index is x[i].
func (g *guard) index(x, i starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case *starlark.List: // the most frequent first
		at, err := place32(i, x.Len(), x)
		if err != nil {
			return nil, err
		}
		return x.Index(at), nil
	case *starlark.Dict:
		v, found, err := g.keys.get(x, i)
		if err == nil && !found {
			err = faultf(InvalidAddress, "key not in dict")
		}
		return v, err
	}
	seq, ok := x.(starlark.Indexable)
	if !ok {
		return nil, faultf(InvalidInstruction, "%s has no elements to be taken by index", x.Type())
	}
	at, err := place32(i, seq.Len(), x)
	if err != nil {
		return nil, err
	}
	switch s := x.(type) {
	case starlark.String:
		return oneByte[s[at]], nil
	case starlark.Bytes:
		return oneByteData[s[at]], nil
	}
	return seq.Index(at), nil
}

var oneByteData = func() (s [256]starlark.Value) {
	for i := range s {
		s[i] = starlark.Bytes([]byte{byte(i)})
	}
	return s
}()

// place32 reads an index into n elements; negative ones count from the end.
func place32(i starlark.Value, n int, x starlark.Value) (int, error) {
	k, ok := i.(starlark.Int)
	if !ok {
		return 0, faultf(InvalidInstruction, "%s index: got %s, want int", x.Type(), i.Type())
	}
	v, ok := k.Int64()
	if ok && v < 0 {
		v += int64(n)
	}
	if !ok || v < 0 || v >= int64(n) {
		return 0, faultf(InvalidAddress, "%s index out of range: it has %d elements", x.Type(), n)
	}
	return int(v), nil
}

// setIndex is x[i] = v.
func (g *guard) setIndex(x, i, v starlark.Value) error {
	switch x := x.(type) {
	case *starlark.List:
		at, err := place32(i, x.Len(), x)
		if err != nil {
			return err
		}
		return x.SetIndex(at, v)
	case *starlark.Dict:
		return g.keys.set(x, i, v)
	}
	return faultf(InvalidInstruction, "%s value does not support item assignment", x.Type())
}

// slot stands for x in a target x[i] that the interpreter assigns to.
type slot struct {
	g *guard
	starlark.Value
}

func (s slot) SetKey(k, v starlark.Value) error { return s.g.setIndex(s.Value, k, v) }

func (s slot) Get(starlark.Value) (starlark.Value, bool, error) {
	return nil, false, faultf(InvalidInstruction, "a target is not read")
}

// slice is x[lo:hi:step].
func (g *guard) slice(x, lo, hi, step starlark.Value) (starlark.Value, error) {
	seq, ok := x.(starlark.Sliceable)
	if !ok {
		return nil, faultf(InvalidInstruction, "%s cannot be sliced", x.Type())
	}
	n := seq.Len()
	by, err := bound(step, 1)
	if err != nil {
		return nil, err
	}
	if by == 0 {
		return nil, faultf(InvalidInstruction, "zero is not a valid slice step")
	}
	first, last := 0, n
	if by < 0 {
		first, last = n-1, -1
	}
	if first, err = sliceEnd(lo, first, n, by); err != nil {
		return nil, err
	}
	if last, err = sliceEnd(hi, last, n, by); err != nil {
		return nil, err
	}
	count := 0
	if by > 0 && last > first {
		count = (last-first-1)/by + 1
	} else if by < 0 && last < first {
		count = (first-last-1)/-by + 1
	} else {
		last = first
	}
	switch s := x.(type) {
	case starlark.String:
		if by != 1 || 2*count < n {
			if err := g.grow(boxSize + 2*uint64(count)); err != nil {
				return nil, err
			}
		}
		if by == 1 {
			return own(s[first:last], n), nil
		}
		return starlark.String(every(string(s), first, by, count)), nil
	case starlark.Bytes:
		if by != 1 || 2*count < n {
			if err := g.grow(boxSize + uint64(count)); err != nil {
				return nil, err
			}
		}
		if by == 1 {
			return starlark.Bytes(own(starlark.String(s[first:last]), n)), nil
		}
		return starlark.Bytes(every(string(s), first, by, count)), nil
	case *starlark.List:
		if err := g.grow(listSize + product(count, slotSize)); err != nil {
			return nil, err
		}
	default: // a range, or the elements of a text
		if n <= 1 { // the step of a range of one element must not grow beyond what an int holds
			return seq.Slice(first, first+count, 1), nil
		}
	case starlark.Tuple:
		if err := g.grow(listSize + product(count, slotSize)); err != nil {
			return nil, err
		}
		if by == 1 {
			return append(starlark.Tuple(nil), s[first:last]...), nil
		}
	}
	return seq.Slice(first, last, by), nil
}

// every returns count bytes of s, from first on, by bytes apart.
func every(s string, first, by, count int) string {
	out := make([]byte, count)
	for i := range out {
		out[i] = s[first+i*by]
	}
	return string(out)
}

// own returns s as a string that does not keep a text of n bytes, of which it is a part, in
// memory, unless it is most of it.
func own(s starlark.String, n int) starlark.String {
	if 2*len(s) >= n {
		return s
	}
	return starlark.String(strings.Clone(string(s)))
}

// sliceEnd reads one end of a slice of n elements.
func sliceEnd(v starlark.Value, def, n, by int) (int, error) {
	i, err := bound(v, def)
	if err != nil || v == starlark.None {
		return def, err
	}
	if i < 0 {
		i += n
	}
	if by > 0 {
		return min(max(i, 0), n), nil
	}
	return min(max(i, -1), n-1), nil
}

// bound reads an int of a slice; None is def. Ints beyond 32 bits are refused, as the
// interpreter does.
func bound(v starlark.Value, def int) (int, error) {
	if v == starlark.None {
		return def, nil
	}
	i, err := starlark.AsInt32(v)
	if err != nil {
		return 0, faultf(InvalidInstruction, "slice: want int of 32 bits, got %s", v.Type())
	}
	return i, nil
}
