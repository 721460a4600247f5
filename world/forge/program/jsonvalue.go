package program

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	stdjson "encoding/json"

	"go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// jsonMembers is the closed list of the functions of json.
var jsonMembers = map[string]function{"encode": jsonEncode, "encode_indent": jsonEncodeIndent, "decode": jsonDecode, "indent": jsonIndent}

// jsonModule returns the module with guarded functions.
func (g *guard) jsonModule() *starlarkstruct.Module {
	m := &starlarkstruct.Module{Name: "json", Members: starlark.StringDict{}}
	for name, f := range jsonMembers { //house:sorted into a map
		native := json.Module.Members[name].(*starlark.Builtin)
		m.Members[name] = starlark.NewBuiltin(native.Name(), func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return f(g, native, args, kwargs)
		})
	}
	return m
}

func jsonEncode(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	if err := starlark.UnpackPositionalArgs(native.Name(), args, kwargs, 1, &v); err != nil {
		return nil, err
	}
	w := writer{g: g}
	err := w.json(v, nil)
	return starlark.String(w.String()), err
}

func jsonEncodeIndent(g *guard, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	native := json.Module.Members["encode"].(*starlark.Builtin)
	text, err := jsonEncode(g, native, args, nil)
	if err != nil {
		return nil, err
	}
	return jsonIndent(g, json.Module.Members["indent"].(*starlark.Builtin), starlark.Tuple{text}, kwargs)
}

// jsonIndent charges for what each element may get of indentation.
func jsonIndent(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		if s, ok := args[0].(starlark.String); ok {
			prefix, each := 0, 1
			for _, kv := range kwargs {
				if n, ok := kv[1].(starlark.String); ok && kv[0] == starlark.Value(starlark.String("prefix")) {
					prefix = len(n)
				} else if ok {
					each = len(n)
				}
			}
			size, err := indented(g, string(s), prefix, each)
			if err != nil {
				return nil, err
			}
			if err := g.grow(size); err != nil {
				return nil, err
			}
			if err := g.walk(size); err != nil {
				return nil, err
			}
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

// indented bounds the size of a text when it is indented.
func indented(g *guard, s string, prefix, each int) (uint64, error) {
	if err := g.walk(4 * uint64(len(s))); err != nil {
		return 0, err
	}
	size, depth := uint64(len(s)), 0
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			if depth++; depth > maxNesting {
				return 0, g.trip(OutOfMemory, "json nests too deeply")
			}
			size += 1 + uint64(prefix) + product(depth, each)
		case c == '}', c == ']':
			size += 1 + uint64(prefix) + product(depth, each)
			depth = max(0, depth-1)
		case c == ',':
			size += 1 + uint64(prefix) + product(depth, each)
		case c == ':':
			size++
		}
	}
	return size, nil
}

// json writes a value as JSON.
func (w *writer) json(v starlark.Value, path []starlark.Value) error {
	if len(path) > maxNesting {
		return w.g.trip(OutOfMemory, "a value nests too deeply to be written")
	}
	if len(path) > 0 { // an element
		if err := w.g.steps(3); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return w.text("null")
	case starlark.Bool:
		return w.text(strconv.FormatBool(bool(v)))
	case starlark.Int:
		return w.repr(v, nil)
	case starlark.Float:
		if f := float64(v); math.IsInf(f, 0) || math.IsNaN(f) {
			return faultf(InvalidInstruction, "json.encode: cannot encode non-finite float %v", v)
		}
		return w.text(v.String())
	case starlark.String:
		return w.jsonString(string(v))
	case *starlark.Dict:
		if slices.Contains(path, starlark.Value(v)) {
			return faultf(InvalidInstruction, "json.encode: cycle in JSON structure")
		}
		return w.jsonObject(v, append(path, v))
	case starlark.Iterable:
		if l, ok := v.(*starlark.List); ok && slices.Contains(path, starlark.Value(l)) {
			return faultf(InvalidInstruction, "json.encode: cycle in JSON structure")
		}
		next := starlark.Value(starlark.None)
		if l, ok := v.(*starlark.List); ok {
			next = l
		}
		return w.jsonArray(v, append(path, next))
	}
	return faultf(InvalidInstruction, "json.encode: cannot encode %s as JSON", v.Type())
}

func (w *writer) jsonString(s string) error {
	if err := w.room(len(s) + 2); err != nil {
		return err
	}
	if err := w.g.walk(4 * uint64(len(s))); err != nil {
		return err
	}
	literal := strconv.Quote(s) // as the interpreter has it: <, > and & as they are
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= utf8.RuneSelf {
			data, err := stdjson.Marshal(s)
			if err != nil {
				return err
			}
			literal = string(data)
			break
		}
	}
	if err := w.room(len(literal)); err != nil {
		return err
	}
	w.buf.WriteString(literal)
	return nil
}

func (w *writer) jsonArray(v starlark.Iterable, path []starlark.Value) error {
	if _, err := w.g.iterable(v); err != nil {
		return err
	}
	if err := w.text("["); err != nil {
		return err
	}
	first := true
	for e := range starlark.Elements(v) {
		if !first {
			if err := w.text(","); err != nil {
				return err
			}
		}
		first = false
		if err := w.json(e, path); err != nil {
			return err
		}
	}
	return w.text("]")
}

// jsonObject writes the keys in their order as bytes.
func (w *writer) jsonObject(d *starlark.Dict, path []starlark.Value) error {
	if err := w.g.grow(product(d.Len(), 5*slotSize)); err != nil {
		return err
	}
	items := d.Items()
	for _, item := range items {
		if _, ok := item[0].(starlark.String); !ok {
			return faultf(InvalidInstruction, "json.encode: dict has %s key, want string", item[0].Type())
		}
	}
	slices.SortFunc(items, func(a, b starlark.Tuple) int {
		return strings.Compare(string(a[0].(starlark.String)), string(b[0].(starlark.String)))
	})
	if err := w.text("{"); err != nil {
		return err
	}
	for i, item := range items {
		if i > 0 {
			if err := w.text(","); err != nil {
				return err
			}
		}
		if err := w.jsonString(string(item[0].(starlark.String))); err != nil {
			return err
		}
		if err := w.text(":"); err != nil {
			return err
		}
		if err := w.json(item[1], path); err != nil {
			return err
		}
	}
	return w.text("}")
}

func jsonDecode(g *guard, native *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var s string
	var def starlark.Value
	if err := starlark.UnpackArgs(native.Name(), args, kwargs, "x", &s, "default?", &def); err != nil {
		return nil, err
	}
	if err := g.walk(4 * uint64(len(s))); err != nil {
		return nil, err
	}
	r := reader{g: g, s: s}
	v, err := r.document()
	if err != nil && g.fault == nil && def != nil {
		return def, nil
	}
	return v, err
}

// reader reads JSON as the interpreter does, and charges for what it makes of it.
type reader struct {
	g     *guard
	s     string
	i     int
	depth int
}

func (r *reader) fail(what string) error {
	return faultf(InvalidInstruction, "json.decode: at offset %d, %s", r.i, what)
}

func (r *reader) document() (starlark.Value, error) {
	v, err := r.value()
	if err == nil && r.next() != 0 {
		err = r.fail("unexpected character after value")
	}
	return v, err
}

// next passes over spaces and returns what follows; 0 at the end.
func (r *reader) next() byte {
	for ; r.i < len(r.s); r.i++ {
		switch c := r.s[r.i]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) value() (starlark.Value, error) {
	switch c := r.next(); {
	case c == '"':
		return r.text()
	case c == '[':
		return r.array()
	case c == '{':
		return r.object()
	case c == '-', c >= '0' && c <= '9':
		return r.number()
	case strings.HasPrefix(r.s[r.i:], "null"):
		r.i += 4
		return starlark.None, nil
	case strings.HasPrefix(r.s[r.i:], "true"):
		r.i += 4
		return starlark.True, nil
	case strings.HasPrefix(r.s[r.i:], "false"):
		r.i += 5
		return starlark.False, nil
	case c == 0:
		return nil, r.fail("unexpected end of file")
	}
	return nil, r.fail("unexpected character")
}

func (r *reader) text() (starlark.Value, error) {
	begin := r.i
	for r.i++; r.i < len(r.s) && r.s[r.i] != '"'; r.i++ {
		if r.s[r.i] == '\\' {
			r.i++
		}
	}
	if r.i >= len(r.s) {
		return nil, r.fail("unclosed string literal")
	}
	r.i++
	literal := r.s[begin:r.i]
	if err := r.g.grow(boxSize + uint64(len(literal))); err != nil {
		return nil, err
	}
	plain := true
	for i := range len(literal) {
		if literal[i] == '\\' || literal[i] >= utf8.RuneSelf {
			plain = false
		}
	}
	if plain {
		return starlark.String(strings.Clone(literal[1 : len(literal)-1])), nil
	}
	var s string
	if err := stdjson.Unmarshal([]byte(literal), &s); err != nil {
		return nil, r.fail(short(err.Error()))
	}
	return starlark.String(s), nil
}

func (r *reader) number() (starlark.Value, error) {
	begin, float := r.i, false
	for r.i++; r.i < len(r.s); r.i++ {
		c := r.s[r.i]
		if strings.IndexByte(".eE+-", c) >= 0 {
			float = true
		} else if c < '0' || c > '9' {
			break
		}
	}
	num := r.s[begin:r.i]
	digits := strings.TrimPrefix(num, "-")
	if digits == "" || digits[0] == '0' && len(digits) > 1 && digits[1] >= '0' && digits[1] <= '9' {
		return nil, r.fail("invalid number")
	}
	if len(num) > intDigits {
		return nil, r.g.trip(OutOfMemory, "json: number of more than 1300 digits")
	}
	if err := r.g.grow(48 + product(len(num), len(num))/64); err != nil {
		return nil, err
	}
	if float {
		f, err := strconv.ParseFloat(num, 64)
		if err != nil {
			return nil, r.fail("invalid number")
		}
		return starlark.Float(f), nil
	}
	n, ok := new(big.Int).SetString(num, 10)
	if !ok {
		return nil, r.fail("invalid number")
	}
	return r.g.integer(starlark.MakeBigInt(n), nil)
}

func (r *reader) enter() error {
	if r.depth++; r.depth > maxNesting {
		return r.g.trip(OutOfMemory, "json nests too deeply")
	}
	return nil
}

func (r *reader) array() (starlark.Value, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	if err := r.g.grow(listSize + boxSize); err != nil {
		return nil, err
	}
	var list []starlark.Value
	r.i++
	if r.next() != ']' {
		for {
			v, err := r.value()
			if err != nil {
				return nil, err
			}
			if err := r.g.grow(3 * slotSize); err != nil {
				return nil, err
			}
			list = append(list, v)
			if c := r.next(); c == ']' {
				break
			} else if c != ',' {
				return nil, r.fail("want ',' or ']'")
			}
			r.i++
		}
	}
	r.i++
	r.depth--
	return starlark.NewList(list), nil
}

func (r *reader) object() (starlark.Value, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	if err := r.g.grow(tableSize); err != nil {
		return nil, err
	}
	d := new(starlark.Dict)
	r.i++
	if r.next() != '}' {
		for {
			k, err := r.value()
			if err != nil {
				return nil, err
			}
			if _, ok := k.(starlark.String); !ok {
				return nil, r.fail("want string as object key")
			}
			if r.next() != ':' {
				return nil, r.fail("want ':' after object key")
			}
			r.i++
			v, err := r.value()
			if err != nil {
				return nil, err
			}
			if err := r.g.keys.set(d, k, v); err != nil {
				return nil, err
			}
			if c := r.next(); c == '}' {
				break
			} else if c != ',' {
				return nil, r.fail("want ',' or '}'")
			}
			r.i++
		}
	}
	r.i++
	r.depth--
	return d, nil
}
