package llm

import (
	"encoding/json"
	"strconv"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// rewriter copies the params of an action and replaces the names of things: wherever the shape has a 32-byte id or an
// agent, it calls replace. It reads valid JSON in one pass, without building a tree, because it runs once for each
// affordance of each prompt.
type rewriter struct {
	in  []byte // valid JSON
	pos int
	out []byte

	// replace appends what to write for a string; if ok is false, the string is kept.
	replace func(dst, text []byte, agent bool) (out []byte, ok bool, err error)

	omitDefaults bool // leaves out the params that have their default value
	changed      bool // replace changed something
}

// params rewrites the params object of a row. It writes nothing for any other value.
func (w *rewriter) params(row *action.Row) error {
	if w.next() != '{' {
		return nil
	}
	param := func(key []byte) *action.Param {
		for i := range row.Params {
			if row.Params[i].Name == string(key) {
				return &row.Params[i]
			}
		}
		return nil
	}
	keep := keepAll
	if w.omitDefaults {
		keep = func(key []byte) bool { return !w.isDefault(param(key)) }
	}
	return w.object(func(key []byte) *codec.Shape {
		if p := param(key); p != nil {
			return p.Shape
		}
		return nil
	}, keep)
}

// isDefault reports whether the next value means the same as leaving the param out.
func (w *rewriter) isDefault(p *action.Param) bool {
	start := w.pos
	value := w.skip()
	w.pos = start
	switch string(value) {
	case "null":
		return true
	case "0", "false", "[]", "{}", `""`:
		return p != nil && p.Zero
	}
	return p != nil && p.Zero && p.Shape.Kind == codec.ShapeEnum && string(unquoted(value)) == p.Shape.Names[0]
}

// value rewrites the next value, which should have a shape. A value that does not is copied: the codec reports what is
// wrong with it.
func (w *rewriter) value(s *codec.Shape) error {
	c := w.next()
	if s == nil {
		s = &codec.Shape{}
	}
	switch {
	case c == '"' && (s.Kind == codec.ShapeAgent || s.Kind == codec.ShapeHash && s.Len == len(wire.Hash{})):
		return w.id(s.Kind == codec.ShapeAgent)
	case c == '[' && s.Kind == codec.ShapeList:
		return w.list(func(int) *codec.Shape { return s.Elem })
	case c == '[' && s.Kind == codec.ShapeTuple:
		return w.list(func(i int) *codec.Shape {
			if i < len(s.Fields) {
				return s.Fields[i].Shape
			}
			return nil
		})
	case c == '{' && (s.Kind == codec.ShapeStruct || s.Kind == codec.ShapeUnion):
		return w.object(func(key []byte) *codec.Shape { return s.Field(string(key)) }, keepAll)
	}
	w.out = append(w.out, w.skip()...)
	return nil
}

// id rewrites a string where an id or an agent is wanted.
func (w *rewriter) id(agent bool) error {
	quoted := w.skip()
	start := len(w.out)
	out, ok, err := w.replace(append(w.out, '"'), unquoted(quoted), agent)
	switch {
	case err != nil:
		return err
	case ok:
		w.out, w.changed = append(out, '"'), true
	default:
		w.out = append(w.out[:start], quoted...)
	}
	return nil
}

func (w *rewriter) list(of func(i int) *codec.Shape) error {
	w.out = append(w.out, '[')
	w.pos++
	n := 0
	for c := w.next(); c != ']' && c != 0; c = w.next() {
		if c == ',' {
			w.pos++
			continue
		}
		if n > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(of(n)); err != nil {
			return prefixPath("["+strconv.Itoa(n)+"]", err)
		}
		n++
	}
	w.pos++
	w.out = append(w.out, ']')
	return nil
}

// object rewrites an object. It keeps the order of the keys, and repeated keys, which the codec refuses. It leaves out
// the keys for which keep is false.
func (w *rewriter) object(of func(key []byte) *codec.Shape, keep func(key []byte) bool) error {
	w.out = append(w.out, '{')
	w.pos++
	n := 0
	for c := w.next(); c != '}' && c != 0; c = w.next() {
		if c == ',' {
			w.pos++
			continue
		}
		key := unquoted(w.skip())
		w.next()
		w.pos++ // the colon
		if w.next(); !keep(key) {
			w.skip()
			continue
		}
		if n > 0 {
			w.out = append(w.out, ',')
		}
		n++
		w.out = append(codec.AppendJSONString(w.out, key), ':')
		if err := w.value(of(key)); err != nil {
			return prefixPath(string(key), err)
		}
	}
	w.pos++
	w.out = append(w.out, '}')
	return nil
}

// next passes over white space and returns what stands there, 0 at the end.
func (w *rewriter) next() byte {
	for ; w.pos < len(w.in); w.pos++ {
		if c := w.in[w.pos]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// skip passes over a value or key and returns it.
func (w *rewriter) skip() []byte {
	start, depth := w.pos, 0
	for ; w.pos < len(w.in); w.pos++ {
		switch w.in[w.pos] {
		case '"':
			for w.pos++; w.pos < len(w.in) && w.in[w.pos] != '"'; w.pos++ {
				if w.in[w.pos] == '\\' {
					w.pos++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return w.in[start:w.pos]
			}
			depth--
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return w.in[start:w.pos]
			}
		}
	}
	return w.in[start:]
}

// keepAll keeps every key; it is used for objects inside the params.
func keepAll([]byte) bool { return true }

// unquoted is the text of a JSON string, in place where nothing is escaped.
func unquoted(quoted []byte) []byte {
	for _, c := range quoted {
		if c == '\\' || c >= 0x80 {
			var s string
			_ = json.Unmarshal(quoted, &s) // the input is valid JSON
			return []byte(s)
		}
	}
	return quoted[1 : len(quoted)-1]
}
