package llm

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Parse reads an answer to this prompt as the package's Parse does, and takes the prompt's
// handles where an id is wanted. Full ids are taken too.
func (p *Prompt) Parse(text []byte, names codec.AliasResolver) (Answer, error) {
	return parseAnswer(text, p.Actions, names, p.handles)
}

// handles returns the prompt's handles. They are drawn up again, since the mind may have
// answered without rendering, or another process may have.
func (p *Prompt) handles() *Handles {
	var f Facts
	p.draw(&f)
	return &p.names
}

// walker rewrites the ids in JSON text: at each place where a form wants a 32-byte id or an
// agent it asks what to write instead.
type walker struct {
	// instead returns the text to write for a string, ok false to leave it.
	instead func(text string, agent bool) (id string, ok bool, err error)
	changed bool
}

// params rewrites a params object of a row.
func (w *walker) params(raw []byte, row *action.Row) ([]byte, error) {
	return w.object(raw, func(key string) *codec.Shape {
		for i := range row.Params {
			if row.Params[i].Name == key {
				return row.Params[i].Shape
			}
		}
		return nil
	})
}

// value rewrites one JSON value of a shape. What does not have the shape stays: the codec
// says what is wrong with it.
func (w *walker) value(raw []byte, s *codec.Shape) ([]byte, error) {
	if s == nil || len(raw) == 0 {
		return raw, nil
	}
	switch {
	case raw[0] == '"' && (s.Kind == codec.ShapeAgent || s.Kind == codec.ShapeHash && s.Len == len(wire.Hash{})):
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return raw, nil
		}
		id, ok, err := w.instead(text, s.Kind == codec.ShapeAgent)
		if err != nil || !ok {
			return raw, err
		}
		w.changed = true
		return codec.AppendJSONString(nil, id), nil
	case raw[0] == '[' && s.Kind == codec.ShapeList:
		return w.list(raw, func(int) *codec.Shape { return s.Elem })
	case raw[0] == '[' && s.Kind == codec.ShapeTuple:
		return w.list(raw, func(i int) *codec.Shape {
			if i < len(s.Fields) {
				return s.Fields[i].Shape
			}
			return nil
		})
	case raw[0] == '{' && (s.Kind == codec.ShapeStruct || s.Kind == codec.ShapeUnion):
		return w.object(raw, s.Field)
	}
	return raw, nil
}

func (w *walker) list(raw []byte, of func(i int) *codec.Shape) ([]byte, error) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return raw, nil
	}
	dst := []byte{'['}
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		v, err := w.value(bytes.TrimSpace(item), of(i))
		if err != nil {
			return raw, within("["+strconv.Itoa(i)+"]", err)
		}
		dst = append(dst, v...)
	}
	return append(dst, ']'), nil
}

// object keeps the order of the keys and double ones, which are the codec's to refuse.
func (w *walker) object(raw []byte, of func(key string) *codec.Shape) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return raw, nil
	}
	dst := []byte{'{'}
	for n := 0; d.More(); n++ {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return raw, nil
		}
		var item json.RawMessage
		if d.Decode(&item) != nil {
			return raw, nil
		}
		v, err := w.value(bytes.TrimSpace(item), of(key))
		if err != nil {
			return raw, within(key, err)
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(codec.AppendJSONString(dst, key), ':'), v...)
	}
	if _, err := d.Token(); err != nil {
		return raw, nil
	}
	return append(dst, '}'), nil
}

// handleError is a handle that an answer names and the prompt does not have.
type handleError struct {
	path, text, has string
}

func (e *handleError) Error() string {
	return fmt.Sprintf("%s: there is no %q here; %s", e.path, e.text, e.has)
}

func within(step string, err error) error {
	e, ok := err.(*handleError) //nolint:errorlint // made here, never wrapped
	if !ok {
		return err
	}
	switch {
	case e.path == "":
		e.path = step
	case e.path[0] == '[':
		e.path = step + e.path
	default:
		e.path = step + "." + e.path
	}
	return e
}

// full writes full ids for the handles in the params of a row. Aliases of agents and
// references of a plan ($bounty) stay as they are.
func full(params codec.RawJSON, row *action.Row, names codec.AliasResolver, handles func() *Handles) (codec.RawJSON, error) {
	w := walker{instead: func(text string, agent bool) (string, bool, error) {
		if len(text) == 2*len(wire.Hash{}) || len(text) > 0 && text[0] == '$' {
			return "", false, nil
		}
		h := handles()
		if id, ok := h.id(text); ok {
			return id.String(), true, nil
		}
		if agent {
			return "", false, nil // the codec knows aliases, and says what is wrong with others
		}
		if names != nil {
			if id, ok := names(text); ok {
				return hex.EncodeToString(id[:]), true, nil
			}
		}
		return "", false, &handleError{text: text, has: h.has(text)}
	}}
	out, err := w.params(params, row)
	if err != nil || !w.changed {
		return params, err
	}
	return out, nil
}

// fullPlan writes full ids into the steps of a plan: a step may be taken when the prompt is long
// gone. A step that names something unknown stays as it is, to be dropped like all steps whose
// params cannot be read.
func (m *MemoryUpdate) fullPlan(names codec.AliasResolver, handles func() *Handles) {
	for i := range m.Plan {
		s := &m.Plan[i]
		if params, err := full(s.Params, s.Action, names, handles); err == nil {
			s.Params = params
		}
	}
}

// short appends the params of a row with handles for the ids that have some, and without what
// says nothing: null where the key may be left out.
func short(dst []byte, row *action.Row, payload any, h *Handles) []byte {
	raw := row.AppendJSON(nil, payload)
	w := walker{instead: func(text string, _ bool) (string, bool, error) {
		var id wire.Hash
		if len(text) != 2*len(id) || codec.ParseHex(id[:], text) != nil {
			return "", false, nil
		}
		if r, ok := h.find(&id); ok {
			return r.String(), true, nil
		}
		return "", false, nil
	}}
	out, _ := w.params(raw, row) // instead never fails
	return append(dst, withoutNulls(out)...)
}

// withoutNulls drops the keys of an object whose value is null.
func withoutNulls(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return raw
	}
	dst := []byte{'{'}
	for d.More() {
		key, err := d.Token()
		var v json.RawMessage
		if err != nil || d.Decode(&v) != nil {
			return raw
		}
		if string(v) == "null" {
			continue
		}
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(append(codec.AppendJSONString(dst, key.(string)), ':'), v...)
	}
	return append(dst, '}')
}
