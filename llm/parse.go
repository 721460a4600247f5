package llm

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// MaxAnswer is the length, in bytes, of the longest answer that is parsed. A longer one could not fit into an
// envelope anyway.
const MaxAnswer = 1 << 20

// Parse reads an answer: one JSON object. Prose and code fences around it are tolerated. Keys that an answer or its
// memory_update does not have are ignored and counted. It returns a [*ParseError] if the object is malformed,
// contains a key twice, is followed by another object, names an action that is not in rows, or gives that action
// parameters that it does not have.
func Parse(text []byte, rows []*action.Row, names codec.AliasResolver) (Answer, error) {
	return parseAnswer(text, rows, names, func() *Handles { return &Handles{} })
}

// parseAnswer is Parse with the handles of a prompt. handles is called only if an answer has something other than a
// full id.
func parseAnswer(text []byte, rows []*action.Row, names codec.AliasResolver, handles func() *Handles) (Answer, error) {
	form, err := parseForm(text)
	if err != nil {
		return Answer{}, err
	}
	ans := Answer{Reasoning: form.Reasoning, Ignored: form.ignored}
	if m := form.MemoryUpdate; m != nil {
		if err := m.check(rows); err != nil {
			return Answer{}, err
		}
		m.expandPlanHandles(names, handles)
		m.bound()
		ans.Memory = *m
	}
	if form.Action == NOP {
		if !form.Params.Empty() {
			return Answer{}, &ParseError{Path: "params", Reason: "nop takes no parameters"}
		}
		return ans, nil
	}
	row := find(rows, form.Action)
	if row == nil {
		return Answer{}, &ParseError{Path: "action", Reason: unknownAction(form.Action)}
	}
	payload, err := row.FromJSON(form.Params, names)
	if err != nil { // it may name things by handle
		params, herr := expandHandles(form.Params, row, names, handles, false)
		if herr != nil {
			return Answer{}, &ParseError{Path: "params", Reason: herr.Error()}
		}
		payload, err = row.FromJSON(params, names)
	}
	if err != nil {
		return Answer{}, &ParseError{Path: "params", Reason: err.Error()}
	}
	ans.Action, ans.Payload = row, payload
	return ans, nil
}

// parseForm finds the one object in the text and reads it.
func parseForm(text []byte) (*answerForm, error) {
	if len(text) > MaxAnswer {
		return nil, &ParseError{Reason: fmt.Sprintf("answer has %d bytes, at most %d are read", len(text), MaxAnswer)}
	}
	start := bytes.IndexByte(text, '{')
	if start < 0 {
		return nil, &ParseError{Reason: "answer holds no JSON object"}
	}
	var form answerForm
	end, ignored, err := answerCodec.FromLooseJSON(text[start:], &form, nil)
	if err != nil {
		return nil, parseError(text, start, err)
	}
	form.ignored = ignored
	end += start
	if i := bytes.IndexByte(text[end:], '{'); i >= 0 {
		return nil, &ParseError{Offset: end + i, Reason: "a second object follows the answer"}
	}
	return &form, form.choose()
}

// choose sets action and params from act if the answer has that form.
func (f *answerForm) choose() error {
	switch {
	case f.Act == nil && f.Action == "":
		return &ParseError{Path: "action", Reason: "required key is missing"}
	case f.Act == nil:
		return nil
	case f.Action != "" || f.Params != nil:
		return &ParseError{Path: "act", Reason: "stands beside action or params; give one of the two forms"}
	}
	name, params, n := member(f.Act)
	if n != 1 {
		return &ParseError{Path: "act", Reason: fmt.Sprintf("holds %d actions, want one", n)}
	}
	if params[0] != '{' {
		return &ParseError{Path: "act." + name, Reason: "must be an object"}
	}
	f.Action, f.Params = name, params
	return nil
}

// member returns the first member of an object and the number of its members. The codec has checked the object.
func member(object codec.RawJSON) (name string, value codec.RawJSON, n int) {
	w := rewriter{in: object}
	w.next()
	w.pos++ // the brace
	for c := w.next(); c != '}' && c != 0; c = w.next() {
		if c == ',' {
			w.pos++
			continue
		}
		key := w.skip()
		w.next()
		w.pos++ // the colon
		w.next()
		if v := w.skip(); n == 0 {
			name, value = string(unquoted(key)), v
		}
		n++
	}
	return name, value, n
}

// parseError turns an error of the codec into a [*ParseError] for readers of the think log. The object begins at start.
func parseError(text []byte, start int, err error) error {
	var d *codec.DecodeError
	if !errors.As(err, &d) {
		return err
	}
	e := &ParseError{Offset: start + d.Offset, Path: d.Field}
	parent, key := "", d.Field
	if i := strings.LastIndexByte(d.Field, '.'); i >= 0 {
		parent, key = d.Field[:i], d.Field[i+1:]
	}
	switch {
	case d.Kind == codec.DecodeKindDuplicateField:
		e.Path, e.Reason = parent, fmt.Sprintf("key %q appears twice", key)
	case d.Kind == codec.DecodeKindMissingField:
		e.Offset, e.Reason = 0, "required key is missing"
	case d.Kind == codec.DecodeKindSyntax && e.Offset >= len(text):
		e.Reason = "answer ends where a value was expected"
	case d.Kind == codec.DecodeKindSyntax:
		e.Reason = "found something that is no JSON value"
	case d.Kind == codec.DecodeKindType:
		e.Reason = "must be " + d.Want
	default:
		e.Reason = d.Kind.String() + ", want " + d.Want
	}
	if strings.HasPrefix(e.Path, "params.") {
		e.Path = "params" // the keys below it are not keys of the answer
	}
	return e
}

func find(rows []*action.Row, name string) *action.Row {
	for _, r := range rows {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// unknownAction distinguishes a name that the catalogue does not have from one that this agent may not use now.
func unknownAction(name string) string {
	if _, known := action.ByName(name); known {
		return fmt.Sprintf("action %q is not available to this agent now", name)
	}
	return fmt.Sprintf("unknown action %q", name)
}
