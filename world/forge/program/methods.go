package program

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// A method charges for the interpreter's method of the same name and does what that does.
type method func(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// methods is the closed list, by type and name. Methods that are not in it are refused. A test compares it with the
// interpreter's own list.
var methods map[string]map[string]method

// methodNames are the names in methods; calls of them have a guard each.
var methodNames = map[string]bool{}

func init() { // the table refers to functions that refer to it
	methods = map[string]map[string]method{
		"string": {
			// reads the receiver and makes a copy, which may be three times as long
			"capitalize": stringCopy, "lower": stringCopy, "title": stringCopy, "upper": stringCopy, "islower": stringCopy, "isupper": stringCopy,
			// reads the receiver
			"isalnum": stringScan, "isalpha": stringScan, "isdigit": stringScan, "isspace": stringScan, "istitle": stringScan,
			// searches the argument in the receiver
			"count": stringSearch, "find": stringSearch, "index": stringSearch, "rfind": stringSearch, "rindex": stringSearch,
			"startswith": stringPrefix, "endswith": stringPrefix, "removeprefix": stringTrimAffix, "removesuffix": stringTrimAffix,
			"strip": stringStrip, "lstrip": stringStrip, "rstrip": stringStrip,
			"partition": stringPartition, "rpartition": stringPartition,
			"split": stringSplit, "rsplit": stringSplit, "splitlines": stringSplitLines,
			"replace": stringReplace, "join": stringJoin, "format": stringFormat,
			"elems": elementsView, "elem_ords": elementsView, "codepoints": elementsView, "codepoint_ords": elementsView,
		},
		"bytes": {"elems": elementsView},
		"list": {
			"append": listAppend, "clear": listClear, "extend": listExtend, "index": listSearch, "insert": listShift, "pop": listShift, "remove": listSearch,
		},
		"dict": {
			"clear": dictClear, "get": dictGet, "items": dictItems, "keys": dictKeysOrValues, "pop": dictPop, "popitem": dictPopitem,
			"setdefault": dictSetdefault, "update": dictUpdate, "values": dictKeysOrValues,
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

// listAppend charges a constant: the copies of a growing list are shared among its elements.
func listAppend(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.chargeAlloc(2 * slotSize); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func stringScan(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.chargeRead(4 * uint64(len(recv.(starlark.String)))); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func stringCopy(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := uint64(len(recv.(starlark.String)))
	if !ascii(string(recv.(starlark.String))) {
		n *= 3
	}
	if err := g.chargeAlloc(boxSize + n); err != nil {
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

func stringSearch(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.chargeRead(searchCost(len(recv.(starlark.String)), textLen(args, 0))); err != nil {
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

func stringPrefix(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		n := uint64(textLen(args, 0))
		if t, ok := args[0].(starlark.Tuple); ok {
			for i := range t {
				n += slotSize + uint64(min(textLen(t, i), len(recv.(starlark.String))))
			}
		}
		if err := g.chargeRead(n); err != nil {
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
	if err := g.chargeAlloc(boxSize + uint64(len(s))); err != nil {
		return nil, err
	}
	return own(s, len(recv)), nil
}

func stringTrimAffix(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.chargeRead(uint64(textLen(args, 0))); err != nil {
		return nil, err
	}
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	return g.part(v, recv.(starlark.String))
}

// stringStrip removes characters from the ends. If their set is not ASCII, each character of the text is searched in all
// of the set.
func stringStrip(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n, m := len(recv.(starlark.String)), textLen(args, 0)
	work := uint64(n+m) * 2
	if m > 1 && !ascii(string(args[0].(starlark.String))) {
		work += product(n, m) * 2
	}
	if err := g.chargeRead(work); err != nil {
		return nil, err
	}
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	return g.part(v, recv.(starlark.String))
}

func stringPartition(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := recv.(starlark.String)
	if err := g.chargeRead(searchCost(len(s), textLen(args, 0))); err != nil {
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

func stringSplit(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := recv.(starlark.String)
	pieces := 1
	if len(args) > 0 && args[0] != starlark.None {
		sep := textLen(args, 0)
		if err := g.chargeRead(searchCost(len(s), sep)); err != nil {
			return nil, err
		}
		if sep > 0 {
			pieces = strings.Count(string(s), string(args[0].(starlark.String))) + 1
		}
	} else {
		if err := g.chargeRead(4 * uint64(len(s))); err != nil {
			return nil, err
		}
		pieces = words(string(s))
	}
	if len(args) > 1 { // the interpreter makes room for as many pieces as it is told
		if most, ok := args[1].(starlark.Int); ok {
			if v, fits := most.Int64(); fits && v > int64(len(s)) {
				args = starlark.Tuple{args[0], starlark.MakeInt(len(s))}
			} else if fits && v >= 0 {
				if err := g.chargeAlloc(product(int(v)+1, slotSize)); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := g.chargeAlloc(listSize + product(pieces, 2*slotSize+boxSize) + uint64(len(s))); err != nil {
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

func stringSplitLines(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := string(recv.(starlark.String))
	if err := g.chargeRead(uint64(len(s))); err != nil {
		return nil, err
	}
	if err := g.chargeAlloc(listSize + product(strings.Count(s, "\n")+1, 2*slotSize+boxSize) + uint64(len(s))); err != nil {
		return nil, err
	}
	return g.pieces(recv, b, args, kwargs)
}

func stringReplace(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := string(recv.(starlark.String))
	if len(args) >= 2 {
		if before, ok := starlark.AsString(args[0]); ok {
			if err := g.chargeRead(searchCost(len(s), len(before))); err != nil {
				return nil, err
			}
			more := max(0, textLen(args, 1)-len(before))
			if err := g.chargeAlloc(boxSize + uint64(len(s)) + product(strings.Count(s, before), more)); err != nil {
				return nil, err
			}
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func stringJoin(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		n, err := g.chargeIteration(args[0])
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
		if err := g.chargeAlloc(size); err != nil {
			return nil, err
		}
		if err := g.chargeRead(size); err != nil { // it is put together in a buffer that doubles
			return nil, err
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

func elementsView(_ *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
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

// listSearch charges for comparing the argument with the elements.
func listSearch(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if err := g.chargeScan(recv, args[0]); err != nil {
			return nil, err
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

// listShift charges for moving the elements behind the one that is inserted or removed.
func listShift(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		if err := g.chargeRead(product(recv.(*starlark.List).Len(), slotSize/4)); err != nil {
			return nil, err
		}
	}
	return listAppend(g, recv, b, args, kwargs)
}

func listClear(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l := recv.(*starlark.List)
	if err := g.chargeRead(product(l.Len(), slotSize)); err != nil {
		return nil, err
	}
	v, err := g.native(recv, b.Name(), args, kwargs)
	if err == nil {
		*l = *starlark.NewList(nil) // the interpreter's own keeps the room
	}
	return v, err
}

func listExtend(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		if _, _, ok := elements(args[0]); ok {
			return starlark.None, g.extend(recv.(*starlark.List), args[0])
		}
	}
	return g.native(recv, b.Name(), args, kwargs)
}

// dictKeysOrValues makes a list of the keys or the values of a dict.
func dictKeysOrValues(g *guard, recv starlark.Value, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := g.chargeAlloc(listSize + product(recv.(*starlark.Dict).Len(), 4*slotSize)); err != nil {
		return nil, err
	}
	return g.native(recv, b.Name(), args, kwargs)
}
