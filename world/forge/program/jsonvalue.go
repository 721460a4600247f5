package program

import (
	"math"
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
			if err := g.chargeAlloc(size); err != nil {
				return nil, err
			}
			if err := g.chargeRead(size); err != nil {
				return nil, err
			}
		}
	}
	return native.CallInternal(g.thread, args, kwargs)
}

// indented bounds the size of a text when it is indented.
func indented(g *guard, s string, prefix, each int) (uint64, error) {
	if err := g.chargeRead(4 * uint64(len(s))); err != nil {
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
		if err := w.g.chargeSteps(3); err != nil {
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
	if err := w.charge(len(s) + 2); err != nil {
		return err
	}
	if err := w.g.chargeRead(4 * uint64(len(s))); err != nil {
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
	if err := w.charge(len(literal)); err != nil {
		return err
	}
	w.buf.WriteString(literal)
	return nil
}

func (w *writer) jsonArray(v starlark.Iterable, path []starlark.Value) error {
	if _, err := w.g.chargeIteration(v); err != nil {
		return err
	}
	return w.sequence("[", v, ",", "]", path, w.json)
}

// jsonObject writes the keys in their order as bytes.
func (w *writer) jsonObject(d *starlark.Dict, path []starlark.Value) error {
	if err := w.g.chargeAlloc(product(d.Len(), 5*slotSize)); err != nil {
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
