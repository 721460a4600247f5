package program

import (
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

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
	return nil, faultf(InvalidAddress, "%s has no .%s field or method", x.Type(), truncate(name))
}

// index is x[i].
func (g *guard) index(x, i starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case *starlark.List: // the most frequent first
		at, err := checkedIndex(i, x.Len(), x)
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
	at, err := checkedIndex(i, seq.Len(), x)
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

// checkedIndex returns the position that i names among n elements; a negative i counts from the end.
func checkedIndex(i starlark.Value, n int, x starlark.Value) (int, error) {
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
		at, err := checkedIndex(i, x.Len(), x)
		if err != nil {
			return err
		}
		return x.SetIndex(at, v)
	case *starlark.Dict:
		return g.keys.set(x, i, v)
	}
	return faultf(InvalidInstruction, "%s value does not support item assignment", x.Type())
}

// assignTarget stands for x in a target x[i] that the interpreter assigns to.
type assignTarget struct {
	g *guard
	starlark.Value
}

func (s assignTarget) SetKey(k, v starlark.Value) error { return s.g.setIndex(s.Value, k, v) }

func (s assignTarget) Get(starlark.Value) (starlark.Value, bool, error) {
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
			if err := g.chargeAlloc(boxSize + 2*uint64(count)); err != nil {
				return nil, err
			}
		}
		if by == 1 {
			return own(s[first:last], n), nil
		}
		return starlark.String(every(string(s), first, by, count)), nil
	case starlark.Bytes:
		if by != 1 || 2*count < n {
			if err := g.chargeAlloc(boxSize + uint64(count)); err != nil {
				return nil, err
			}
		}
		if by == 1 {
			return starlark.Bytes(own(starlark.String(s[first:last]), n)), nil
		}
		return starlark.Bytes(every(string(s), first, by, count)), nil
	case *starlark.List:
		if err := g.chargeAlloc(listSize + product(count, slotSize)); err != nil {
			return nil, err
		}
	default: // a range, or the elements of a text
		if n <= 1 { // the step of a range of one element must not grow beyond what an int holds
			return seq.Slice(first, first+count, 1), nil
		}
	case starlark.Tuple:
		if err := g.chargeAlloc(listSize + product(count, slotSize)); err != nil {
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
