package llm

import (
	"encoding/json"
	"strconv"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// rewriter writes the params of an action anew with other names for things: at each place where
// a form wants a 32-byte id or an agent it asks what to write. It reads valid JSON in one pass,
// without building a tree: it runs once for each affordance of each prompt.
type rewriter struct {
	in  []byte // valid JSON
	pos int
	out []byte

	// instead appends what to write for a string, ok false to leave the string.
	instead func(dst, text []byte, agent bool) (out []byte, ok bool, err error)

	brief   bool // leaves out the params whose values stand for what is left out
	changed bool // instead changed something
}

// params rewrites the params object of a row. What is no object is left out.
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
	said := all
	if w.brief {
		said = func(key []byte) bool { return !w.absent(param(key)) }
	}
	return w.object(func(key []byte) *codec.Shape {
		if p := param(key); p != nil {
			return p.Shape
		}
		return nil
	}, said)
}

// absent reports whether the next value stands for a param that is left out.
func (w *rewriter) absent(p *action.Param) bool {
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

// value rewrites the next value, which ought to have a shape. What does not have it stays: the
// codec says what is wrong with it.
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
		return w.object(func(key []byte) *codec.Shape { return s.Field(string(key)) }, all)
	}
	w.out = append(w.out, w.skip()...)
	return nil
}

// id rewrites a string where an id or an agent is wanted.
func (w *rewriter) id(agent bool) error {
	quoted := w.skip()
	start := len(w.out)
	out, ok, err := w.instead(append(w.out, '"'), unquoted(quoted), agent)
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
			return within("["+strconv.Itoa(n)+"]", err)
		}
		n++
	}
	w.pos++
	w.out = append(w.out, ']')
	return nil
}

// object keeps the order of the keys and double ones, which are the codec's to refuse. It leaves out the keys that
// are not to be said.
func (w *rewriter) object(of func(key []byte) *codec.Shape, said func(key []byte) bool) error {
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
		if w.next(); !said(key) {
			w.skip()
			continue
		}
		if n > 0 {
			w.out = append(w.out, ',')
		}
		n++
		w.out = append(codec.AppendJSONString(w.out, key), ':')
		if err := w.value(of(key)); err != nil {
			return within(string(key), err)
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

// all is said of an object that is not a row's params.
func all([]byte) bool { return true }

// unquoted is the text of a JSON string, in place where nothing is escaped.
func unquoted(quoted []byte) []byte {
	for _, c := range quoted {
		if c == '\\' || c >= 0x80 {
			var s string
			_ = json.Unmarshal(quoted, &s) // valid, as all of it is
			return []byte(s)
		}
	}
	return quoted[1 : len(quoted)-1]
}
