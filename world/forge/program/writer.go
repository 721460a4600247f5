package program

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// writer builds a text and charges for each piece before it is written.
type writer struct {
	g   *guard
	buf strings.Builder
}

func (w *writer) String() string { return w.buf.String() }

// charge charges for n bytes: the buffer doubles when it is full.
func (w *writer) charge(n int) error {
	if uint64(w.buf.Len()+n) > w.g.quota {
		return w.g.trip(OutOfMemory, "a text needs more than the memory quota")
	}
	w.g.sinceMeasure += 2 * uint64(n)
	if w.g.allocated += 2 * uint64(n); w.g.allocated > maxAllocated {
		return w.g.trip(OutOfMemory, "more than 52 MiB allocated in all")
	}
	return nil
}

func (w *writer) text(s string) error {
	if err := w.charge(len(s)); err != nil {
		return err
	}
	if err := w.g.chargeSteps(uint64(len(s)) / bytesPerStep * 2); err != nil {
		return err
	}
	w.buf.WriteString(s)
	return nil
}

// str writes a value as str does, but bytes as repr.
func (w *writer) str(v starlark.Value) error {
	if s, ok := v.(starlark.String); ok {
		return w.text(string(s))
	}
	return w.repr(v, nil)
}

// quoted writes a text as a literal.
func (w *writer) quoted(s string, b bool) error {
	if err := w.charge(len(s) + 2); err != nil {
		return err
	}
	if err := w.g.chargeRead(4 * uint64(len(s))); err != nil {
		return err
	}
	literal := syntax.Quote(s, b) // at most four bytes for one
	if err := w.charge(len(literal)); err != nil {
		return err
	}
	w.buf.WriteString(literal)
	return nil
}

// repr writes a value as a literal. path holds the lists and dicts that it is within.
func (w *writer) repr(v starlark.Value, path []starlark.Value) error {
	if len(path) > maxNesting {
		return w.g.trip(OutOfMemory, "a value nests too deeply to be written")
	}
	if len(path) > 0 { // an element
		if err := w.g.chargeSteps(3); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case starlark.String:
		return w.quoted(string(v), false)
	case starlark.Bytes:
		return w.quoted(string(v), true)
	case starlark.Int:
		if n := intSize(v); n > 8 { // the time grows with the square
			if err := w.g.chargeRead(n * n / 8); err != nil {
				return err
			}
		}
		return w.text(v.String())
	case *starlark.List:
		if slices.Contains(path, starlark.Value(v)) {
			return w.text("[...]")
		}
		return w.sequence("[", v, ", ", "]", append(path, v), w.repr)
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		return w.sequence("(", v, ", ", end, append(path, starlark.None), w.repr)
	case *starlark.Set:
		return w.sequence("set([", v, ", ", "])", append(path, starlark.None), w.repr)
	case *starlark.Dict:
		if slices.Contains(path, starlark.Value(v)) {
			return w.text("{...}")
		}
		return w.dict(v, append(path, v))
	case elems:
		return w.call(v.text, false, strings.TrimPrefix(v.String(), v.text.String()))
	case codepoints:
		return w.call(v.text, false, strings.TrimPrefix(v.String(), v.text.String()))
	case byteElems:
		return w.call(starlark.String(v.data), true, ".elems()")
	}
	return w.text(v.String()) // None, bools, floats, ranges, functions, modules
}

func (w *writer) call(s starlark.String, b bool, method string) error {
	if err := w.quoted(string(s), b); err != nil {
		return err
	}
	return w.text(method)
}

// sequence writes the elements of v by each, parted by comma.
func (w *writer) sequence(begin string, v starlark.Iterable, comma, end string, path []starlark.Value, each func(starlark.Value, []starlark.Value) error) error {
	if err := w.text(begin); err != nil {
		return err
	}
	first := true
	for e := range starlark.Elements(v) {
		if !first {
			if err := w.text(comma); err != nil {
				return err
			}
		}
		first = false
		if err := each(e, path); err != nil {
			return err
		}
	}
	return w.text(end)
}

func (w *writer) dict(d *starlark.Dict, path []starlark.Value) error {
	if err := w.text("{"); err != nil {
		return err
	}
	sep := ""
	for k, v := range d.Entries() {
		if err := w.text(sep); err != nil {
			return err
		}
		sep = ", "
		if err := w.repr(k, path); err != nil {
			return err
		}
		if err := w.text(": "); err != nil {
			return err
		}
		if err := w.repr(v, path); err != nil {
			return err
		}
	}
	return w.text("}")
}

// stringFormat is "…{}…".format(args, kwargs): fields by order, number or name, with !r or !s.
func stringFormat(g *guard, recv starlark.Value, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	w := writer{g: g}
	rest := string(recv.(starlark.String))
	auto, manual, next := false, false, 0
	for rest != "" {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			i = len(rest)
		}
		if err := w.text(rest[:i]); err != nil {
			return nil, err
		}
		if rest = rest[i:]; rest == "" {
			break
		}
		if len(rest) > 1 && rest[1] == rest[0] {
			if err := w.text(rest[:1]); err != nil {
				return nil, err
			}
			rest = rest[2:]
			continue
		}
		if rest[0] == '}' {
			return nil, faultf(InvalidInstruction, "format: single '}' in format")
		}
		field, after, ok := strings.Cut(rest[1:], "}")
		if !ok {
			return nil, faultf(InvalidInstruction, "format: unmatched '{' in format")
		}
		if err := g.chargeSteps(1 + uint64(len(field)/bytesPerStep)); err != nil {
			return nil, err
		}
		rest = after
		var name, spec string
		conv := "s"
		if before, tail, ok := strings.Cut(field, "!"); ok {
			name = before
			conv, spec, _ = strings.Cut(tail, ":")
		} else {
			name, spec, _ = strings.Cut(field, ":")
		}
		var arg starlark.Value
		if n, isNumber := decimal(name); name == "" || isNumber {
			if auto = auto || name == ""; name != "" {
				manual = true
			} else {
				n = next
				next++
			}
			if auto && manual {
				return nil, faultf(InvalidInstruction, "format: fields with and without numbers")
			}
			if n >= len(args) {
				return nil, faultf(InvalidAddress, "format: tuple index out of range")
			}
			arg = args[n]
		} else {
			if err := g.chargeSteps(uint64(len(kwargs) / 8)); err != nil {
				return nil, err
			}
			for _, kv := range kwargs {
				if string(kv[0].(starlark.String)) == name {
					arg = kv[1]
					break
				}
			}
			if arg == nil {
				return nil, faultf(InvalidAddress, "format: keyword %s not found", truncate(name))
			}
		}
		if spec != "" {
			return nil, faultf(InvalidInstruction, "format: spec features are not supported: %s", truncate(spec))
		}
		var err error
		switch conv {
		case "s":
			err = w.str(arg)
		case "r":
			err = w.repr(arg, nil)
		default:
			err = faultf(InvalidInstruction, "format: unknown conversion %q", truncate(conv))
		}
		if err != nil {
			return nil, err
		}
	}
	return starlark.String(w.String()), nil
}

// decimal reads a field's number; what has too many digits is beyond every argument.
func decimal(s string) (int, bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		n = 1 << 30
	}
	return n, s != ""
}

// interpolate is format % x.
func (g *guard) interpolate(format string, x starlark.Value) (starlark.Value, error) {
	w := writer{g: g}
	args, isTuple := x.(starlark.Tuple)
	if !isTuple {
		args = starlark.Tuple{x}
	}
	_, isMapping := x.(*starlark.Dict)
	next := 0
	for {
		literal, rest, more := strings.Cut(format, "%")
		if err := w.text(literal); err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if err := g.chargeSteps(1); err != nil {
			return nil, err
		}
		if strings.HasPrefix(rest, "%") {
			if err := w.text("%"); err != nil {
				return nil, err
			}
			format = rest[1:]
			continue
		}
		var arg starlark.Value
		if strings.HasPrefix(rest, "(") {
			key, after, ok := strings.Cut(rest[1:], ")")
			if !ok {
				return nil, faultf(InvalidInstruction, "incomplete format key")
			}
			if !isMapping {
				return nil, faultf(InvalidInstruction, "format requires a mapping")
			}
			v, found, err := g.keys.get(x.(*starlark.Dict), starlark.String(key))
			if err != nil {
				return nil, err
			}
			if !found {
				return nil, faultf(InvalidAddress, "key not found: %s", truncate(key))
			}
			arg, rest = v, after
		} else {
			if next >= len(args) {
				return nil, faultf(InvalidInstruction, "not enough arguments for format string")
			}
			arg = args[next]
		}
		next++
		if rest == "" {
			return nil, faultf(InvalidInstruction, "incomplete format")
		}
		if err := w.conversion(rest[0], arg); err != nil {
			return nil, err
		}
		format = rest[1:]
	}
	if next < len(args) && !isMapping {
		return nil, faultf(InvalidInstruction, "too many arguments for format string")
	}
	return starlark.String(w.String()), nil
}

// conversion writes one argument of %; only s and r write more than a few bytes.
func (w *writer) conversion(c byte, arg starlark.Value) error {
	switch c {
	case 's':
		return w.str(arg)
	case 'r':
		return w.repr(arg, nil)
	}
	if i, ok := arg.(starlark.Int); ok {
		if n := intSize(i); n > 8 {
			if err := w.g.chargeRead(n * n / 8); err != nil {
				return err
			}
		}
	} else if s, ok := arg.(starlark.String); ok && len(s) > 4 {
		return faultf(InvalidInstruction, "%%%c format: got a string of several characters", c)
	} else if _, ok := arg.(starlark.Float); ok {
		if err := w.g.chargeRead(512); err != nil {
			return err
		}
	}
	if _, isTuple := arg.(starlark.Tuple); isTuple {
		return faultf(InvalidInstruction, "%%%c format requires a number, not tuple", c)
	}
	s, err := starlark.Binary(syntax.PERCENT, starlark.String([]byte{'%', c}), arg)
	if err != nil {
		return err
	}
	return w.text(string(s.(starlark.String)))
}
