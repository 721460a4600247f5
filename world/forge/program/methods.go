package program

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// A method does what the interpreter's method of that name does, and charges for it.
type method func(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// methods is the closed list, by type and name: what is not in it is refused. A test holds it
// against the interpreter's own.
var methods map[string]map[string]method

// methodNames are the names in methods; calls of them have a guard each.
var methodNames = map[string]bool{}

func init() { // the table refers to functions that refer to it
	methods = map[string]map[string]method{
		"string": {
			// the receiver is walked, and a copy of it made, which may be three times as long
			"capitalize": rewritten, "lower": rewritten, "title": rewritten, "upper": rewritten, "islower": rewritten, "isupper": rewritten,
			// the receiver is walked
			"isalnum": walked, "isalpha": walked, "isdigit": walked, "isspace": walked, "istitle": walked,
			// the argument is looked for
			"count": searched, "find": searched, "index": searched, "rfind": searched, "rindex": searched,
			"startswith": prefixed, "endswith": prefixed, "removeprefix": trimmed, "removesuffix": trimmed,
			"strip": stripped, "lstrip": stripped, "rstrip": stripped,
			"partition": parted, "rpartition": parted,
			"split": split, "rsplit": split, "splitlines": splitlines,
			"replace": replace, "join": join, "format": format,
			"elems": view, "elem_ords": view, "codepoints": view, "codepoint_ords": view,
		},
		"bytes": {"elems": view},
		"list": {
			"append": constant, "clear": clearList, "extend": extendList, "index": scanned, "insert": shifted, "pop": shifted, "remove": scanned,
		},
		"dict": {
			"clear": dictClear, "get": dictGet, "items": dictItems, "keys": listed, "pop": dictPop, "popitem": dictPopitem,
			"setdefault": dictSetdefault, "update": dictUpdate, "values": listed,
		},
		"set": {
			"add": setAdd, "clear": setClear, "difference": setDifference, "discard": setDiscard, "intersection": setIntersection,
			"issubset": setSubset, "issuperset": setSuperset, "pop": setPop, "remove": setRemove,
			"symmetric_difference": setSymmetric, "union": setUnion, "update": setUpdate,
		},
	}
	for _, byName := range methods { //house:sorted into a map
		for name := range byName { //house:sorted into a map
			methodNames[name] = true
		}
	}
}

// bind returns the guarded method as a value.
func (g *guard) bind(recv starlark.Value, name string, m method) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return m(g, recv, b, args, kwargs)
	}).BindReceiver(recv)
}

// native calls the interpreter's method.
func (g *guard) native(recv starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := recv.(starlark.HasAttrs).Attr(name)
	if err != nil || v == nil {
		return nil, faultf(InvalidAddress, "%s has no .%s field or method", recv.Type(), name)
	}
	return v.(*starlark.Builtin).CallInternal(g.thread, args, kwargs)
}

// constant is for what costs as much as the call of it; a list that grows is copied now and
// then, which is shared among its elements.
func constant(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.grow(2 * slotSize); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func walked(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.walk(4 * uint64(len(recv.(starlark.String)))); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func rewritten(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := uint64(len(recv.(starlark.String)))
	if !ascii(string(recv.(starlark.String))) {
		n *= 3
	}
	if err := g.grow(boxSize + n); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func searched(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.walk(searching(len(recv.(starlark.String)), textLen(args, 0))); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}

// textLen is the length of argument i if it is a string.
func textLen(args starlark.Tuple, i int) int {
	if i < len(args) {
		if s, ok := args[i].(starlark.String); ok {
			return len(s)
		}
	}
	return 0
}

func prefixed(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		n := uint64(textLen(args, 0))
		if t, ok := args[0].(starlark.Tuple); ok {
			for i := range t {
				n += slotSize + uint64(min(textLen(t, i), len(recv.(starlark.String))))
			}
		}
		if err := g.walk(n); err != nil {
			return nil, err
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

// part returns a result that is a piece of the receiver, so that it keeps no more in memory.
func (g *guard) part(v starlark.Value, recv starlark.String) (starlark.Value, error) {
	s, ok := v.(starlark.String)
	if !ok {
		return v, nil
	}
	if err := g.grow(boxSize + uint64(len(s))); err != nil {
		return nil, err
	}
	return own(s, len(recv)), nil
}

func trimmed(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.walk(uint64(textLen(args, 0))); err != nil {
		return nil, err
	}
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	return g.part(v, recv.(starlark.String))
}

// stripped takes characters off the ends. If the set of them is not ASCII, each character of
// the text is looked for in all of it.
func stripped(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n, m := len(recv.(starlark.String)), textLen(args, 0)
	work := uint64(n+m) * 2
	if m > 1 && !ascii(string(args[0].(starlark.String))) {
		work += product(n, m) * 2
	}
	if err := g.walk(work); err != nil {
		return nil, err
	}
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	return g.part(v, recv.(starlark.String))
}

func parted(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := recv.(starlark.String)
	if err := g.walk(searching(len(s), textLen(args, 0))); err != nil {
		return nil, err
	}
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	parts := v.(starlark.Tuple)
	for i, p := range parts {
		if parts[i], err = g.part(p, s); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func split(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := recv.(starlark.String)
	pieces := 1
	if len(args) > 0 && args[0] != starlark.None {
		sep := textLen(args, 0)
		if err := g.walk(searching(len(s), sep)); err != nil {
			return nil, err
		}
		if sep > 0 {
			pieces = strings.Count(string(s), string(args[0].(starlark.String))) + 1
		}
	} else {
		if err := g.walk(4 * uint64(len(s))); err != nil {
			return nil, err
		}
		pieces = words(string(s))
	}
	if len(args) > 1 { // the interpreter makes room for as many pieces as it is told
		if most, ok := args[1].(starlark.Int); ok {
			if v, fits := most.Int64(); fits && v > int64(len(s)) {
				args = starlark.Tuple{args[0], starlark.MakeInt(len(s))}
			} else if fits && v >= 0 {
				if err := g.grow(product(int(v)+1, slotSize)); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := g.grow(listSize + product(pieces, 2*slotSize+boxSize) + uint64(len(s))); err != nil {
		return nil, err
	}
	return g.pieces(recv, b, args, kwargs)
}

// words counts the pieces that splitting at white space gives.
func words(s string) int {
	n, within := 0, false
	for _, c := range s {
		space := unicode.IsSpace(c)
		if !space && !within {
			n++
		}
		within = !space
	}
	return n
}

func (g *guard) pieces(recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	list, n := v.(*starlark.List), len(recv.(starlark.String))
	for i := range list.Len() {
		_ = list.SetIndex(i, own(list.Index(i).(starlark.String), n)) // a new list takes it
	}
	return list, nil
}

func splitlines(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := string(recv.(starlark.String))
	if err := g.walk(uint64(len(s))); err != nil {
		return nil, err
	}
	if err := g.grow(listSize + product(strings.Count(s, "\n")+1, 2*slotSize+boxSize) + uint64(len(s))); err != nil {
		return nil, err
	}
	return g.pieces(recv, b, args, kwargs)
}

func replace(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := string(recv.(starlark.String))
	if len(args) >= 2 {
		if before, ok := starlark.AsString(args[0]); ok {
			if err := g.walk(searching(len(s), len(before))); err != nil {
				return nil, err
			}
			more := max(0, textLen(args, 1)-len(before))
			if err := g.grow(boxSize + uint64(len(s)) + product(strings.Count(s, before), more)); err != nil {
				return nil, err
			}
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func join(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		n, err := g.iterable(args[0])
		if err != nil {
			return nil, err
		}
		size := boxSize + product(n, len(recv.(starlark.String)))
		if seq, ok := args[0].(starlark.Iterable); ok {
			for v := range starlark.Elements(seq) {
				s, _ := starlark.AsString(v)
				size += uint64(len(s))
			}
		}
		if err := g.grow(size); err != nil {
			return nil, err
		}
		if err := g.walk(size); err != nil { // it is put together in a buffer that doubles
			return nil, err
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func view(_ *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	switch s := recv.(type) {
	case starlark.Bytes:
		return byteElems{s}, nil
	case starlark.String:
		ords := strings.HasSuffix(b.Name(), "_ords")
		if strings.HasPrefix(b.Name(), "codepoint") {
			return codepoints{s, ords}, nil
		}
		return elems{s, ords}, nil
	}
	return nil, faultf(InvalidInstruction, "%s has no elements", recv.Type())
}

// scanned compares the argument with the elements.
func scanned(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if err := g.scan(recv, args[0]); err != nil {
			return nil, err
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

// shifted moves the elements behind the one that comes or goes.
func shifted(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if err := g.walk(product(recv.(*starlark.List).Len(), slotSize/4)); err != nil {
			return nil, err
		}
	}
	return constant(g, recv, b, args, kwargs)
}

func clearList(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l := recv.(*starlark.List)
	if err := g.walk(product(l.Len(), slotSize)); err != nil {
		return nil, err
	}
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err == nil {
		*l = *starlark.NewList(nil) // the interpreter's own keeps the room
	}
	return v, err
}

func extendList(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		if _, _, ok := elements(args[0]); ok {
			return starlark.None, g.extend(recv.(*starlark.List), args[0])
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

// listed makes a list of the keys or the values of a dict.
func listed(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.grow(listSize + product(recv.(*starlark.Dict).Len(), 4*slotSize)); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}
