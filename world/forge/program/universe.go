package program

import (
	"math/bits"
	"slices"
	"sort"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A function does what the builtin function of that name does, and charges for it. native is
// the interpreter's own.
type function func(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// universe is the closed list of the builtin functions: what is not in it is refused. A test
// holds it against the interpreter's own.
var universe map[string]function

func init() { // the table refers to functions that refer to it
	universe = map[string]function{
		// cost no more than the call
		"bool": plain, "chr": plain, "len": plain, "type": plain,
		// the first argument is walked, if it is a text
		"hash": ofText, "ord": ofText, "float": ofText,
		"abs": absolute, "int": integer, "range": ranged, "dir": listNames,
		"getattr": getattr, "hasattr": hasattr,
		// an iterable is taken whole
		"any": iterated, "all": iterated, "bytes": toBytes, "list": toList, "reversed": toList, "tuple": toList,
		"dict": toDict, "set": toSet, "enumerate": enumerate, "zip": zip,
		"sorted": sorted, "min": extreme, "max": extreme,
		// a value becomes text
		"repr": toRepr, "str": toStr, "print": printed, "fail": failed,
	}
}

// constants of the universe, which are no functions.
var constants = []string{"None", "True", "False"}

func plain(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return native.CallInternal(g.thread, args, kwargs)
}

func ofText(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		n := 0
		switch v := args[0].(type) {
		case starlark.String:
			n = len(v)
		case starlark.Bytes:
			n = len(v)
		case starlark.Int:
			n = int(intSize(v))
		}
		if err := g.walk(4 * uint64(n)); err != nil {
			return nil, err
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func absolute(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if i, ok := args[0].(starlark.Int); ok && !isSmall(i) {
			if err := g.grow(32 + intSize(i)); err != nil {
				return nil, err
			}
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

// integer is int(x, base): texts of many digits take time that grows with their square.
func integer(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	check := func(v starlark.Value) error {
		switch v := v.(type) {
		case starlark.String:
			if len(v) > intDigits {
				return g.trip(OutOfMemory, "int: text of more than 1300 digits")
			}
			if len(v) > 9 {
				return g.grow(64 + uint64(len(v)) + product(len(v), len(v))/64)
			}
		case starlark.Float:
			return g.walk(256)
		}
		return nil
	}
	for _, v := range args {
		if err := check(v); err != nil {
			return nil, err
		}
	}
	for _, kv := range kwargs {
		if err := check(kv[1]); err != nil {
			return nil, err
		}
	}
	return g.integer(native.CallInternal(g.thread, args, kwargs))
}

// ranged is range. Its arguments keep to 32 bits, so that no step of a slice of a slice of it
// overflows.
func ranged(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	for _, v := range args {
		if i, ok := v.(starlark.Int); ok && !isSmall(i) {
			return nil, faultf(InvalidInstruction, "range: want ints of 32 bits")
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func listNames(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.grow(4_096); err != nil {
		return nil, err
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func getattr(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, def starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs("getattr", args, kwargs, 2, &x, &name, &def); err != nil {
		return nil, err
	}
	if err := g.walk(uint64(len(name))); err != nil {
		return nil, err
	}
	v, err := g.attribute(x, name)
	if err != nil && def != nil {
		return def, nil
	}
	return v, err
}

func hasattr(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs("hasattr", args, kwargs, 2, &x, &name); err != nil {
		return nil, err
	}
	if err := g.walk(uint64(len(name))); err != nil {
		return nil, err
	}
	_, err := g.attribute(x, name)
	return starlark.Bool(err == nil), nil
}

func iterated(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if _, err := g.iterable(args[0]); err != nil {
			return nil, err
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func toBytes(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		n, err := g.iterable(args[0])
		if err != nil {
			return nil, err
		}
		if s, ok := args[0].(starlark.String); ok {
			if n = len(s); !utf8.ValidString(string(s)) {
				n *= 3 // each byte that is none becomes U+FFFD
			}
		}
		if err := g.grow(boxSize + uint64(n)); err != nil {
			return nil, err
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

func toList(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		n, err := g.iterable(args[0])
		if err != nil {
			return nil, err
		}
		room := 1
		if starlark.Len(args[0]) < 0 {
			room = 3 // without a known length it grows as it goes
		}
		if err := g.grow(listSize + product(n, room*slotSize)); err != nil {
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
	if err := g.grow(tableSize); err != nil {
		return nil, err
	}
	return d, g.fill(d, args, kwargs)
}

func toSet(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Iterable = starlark.Tuple(nil)
	if err := starlark.UnpackPositionalArgs("set", args, kwargs, 0, &v); err != nil {
		return nil, err
	}
	return g.newSet(v)
}

// enumerate makes each pair by itself: one must not keep all others in memory.
func enumerate(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Iterable
	var start int
	if err := starlark.UnpackPositionalArgs("enumerate", args, kwargs, 1, &v, &start); err != nil {
		return nil, err
	}
	n, _, _ := elements(v)
	if err := g.grow(listSize + product(n, 5*slotSize)); err != nil {
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
	if err := g.grow(listSize + product(rows, len(args)*(slotSize+boxSize)+slotSize+boxSize)); err != nil {
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

// keyed returns what the elements are compared by, and charges for comparing all of them: not
// while key is being called, which may change the value that it returned before.
func (g *guard) keyed(values []starlark.Value, key starlark.Callable, times int) ([]starlark.Value, error) {
	by := values
	if key != nil {
		if err := g.grow(product(len(values), slotSize)); err != nil {
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
		n, err := g.tree(k)
		if err != nil {
			return nil, err
		}
		if !mixed {
			mixed = hasNumber(k, 0)
		}
		size += n
	}
	if mixed { // of different types they are compared as rationals
		size += product(len(by), mixedSize/16)
	}
	if g.keys.most > 0 {
		size *= min(g.keys.most+1, 1<<20)
	}
	if size > 1<<40 {
		return nil, g.steps(1 << 40)
	}
	return by, g.walk(2 * size * uint64(times))
}

func (g *guard) collect(v starlark.Value) ([]starlark.Value, error) {
	n, _, ok := elements(v)
	if !ok {
		return nil, faultf(InvalidInstruction, "%s value is not iterable", v.Type())
	}
	if err := g.grow(listSize + product(n, slotSize)); err != nil {
		return nil, err
	}
	values := make([]starlark.Value, 0, n)
	err := g.each(v, func(e starlark.Value) error {
		values = append(values, e)
		return nil
	})
	return values, err
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
	by, err := g.keyed(values, key, rounds)
	if err != nil {
		return nil, err
	}
	if err := g.walk(product(len(values), slotSize/4*rounds*rounds)); err != nil {
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

// extreme is min and max.
func extreme(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
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
	by, err := g.keyed(values, key, 1)
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

func toRepr(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	if err := starlark.UnpackPositionalArgs("repr", args, kwargs, 1, &v); err != nil {
		return nil, err
	}
	w := writer{g: g}
	err := w.repr(v, nil)
	return starlark.String(w.String()), err
}

func toStr(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		switch v := args[0].(type) {
		case starlark.String:
			return v, nil
		case starlark.Bytes:
			n := uint64(len(v))
			if !utf8.ValidString(string(v)) {
				n *= 3 // each byte that is none becomes U+FFFD
			}
			if err := g.grow(boxSize + n); err != nil {
				return nil, err
			}
		default:
			return toRepr(g, native, args, kwargs)
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

// texts writes arguments as print and fail do.
func texts(g *guard, name string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	sep := " "
	if err := starlark.UnpackArgs(name, nil, kwargs, "sep?", &sep); err != nil {
		return "", err
	}
	w := writer{g: g}
	for i, v := range args {
		if i > 0 {
			if err := w.text(sep); err != nil {
				return "", err
			}
		}
		var err error
		if b, ok := v.(starlark.Bytes); ok && name == "print" {
			err = w.text(string(b))
		} else {
			err = w.str(v)
		}
		if err != nil {
			return "", err
		}
	}
	return w.String(), nil
}

func printed(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s, err := texts(g, "print", args, kwargs)
	if err == nil {
		g.thread.Print(g.thread, s)
	}
	return starlark.None, err
}

func failed(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s, err := texts(g, "fail", args, kwargs)
	if err == nil {
		err = g.trip(UserFault, "fail: "+short(s))
	}
	return nil, err
}

// inUniverse reports whether a name is the universe's.
func inUniverse(name string) bool {
	return universe[name] != nil || slices.Contains(constants, name)
}
