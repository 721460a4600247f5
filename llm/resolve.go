package llm

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Parse reads an answer to this prompt like the function [Parse], and also accepts the prompt's handles in place of
// ids.
func (p *Prompt) Parse(text []byte, names codec.AliasResolver) (Answer, error) {
	return parseAnswer(text, p.Actions, names, p.handles)
}

// handles returns the handles that Hash created. If the mind answered without rendering the prompt, it creates them.
func (p *Prompt) handles() *Handles {
	if p.rendered != nil {
		return &p.rendered.handles
	}
	h := new(Handles)
	p.fillFacts(p.stable(), new(Facts), h)
	return h
}

// handleError is a handle that an answer names and the prompt does not have.
type handleError struct {
	path, text, hint string
}

func (e *handleError) Error() string {
	return fmt.Sprintf("%s: there is no %q here; %s", e.path, e.text, e.hint)
}

func prefixPath(step string, err error) error {
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

// expandHandles writes full ids for the handles in the params of a row. Aliases of agents stay as they are, and so do references
// ($repo) if later says that they are to be resolved later: those of a plan mean something else by then.
func expandHandles(params codec.RawJSON, row *action.Row, names codec.AliasResolver, handles func() *Handles, later bool) (codec.RawJSON, error) {
	w := rewriter{in: params, replace: func(dst, said []byte, agent bool) ([]byte, bool, error) {
		if len(said) == 2*len(wire.Hash{}) || later && len(said) > 0 && said[0] == '$' {
			return dst, false, nil
		}
		h, text := handles(), string(said)
		if id, ok := h.id(text); ok {
			return hex.AppendEncode(dst, id[:]), true, nil
		}
		if agent {
			return dst, false, nil // the codec resolves aliases and reports unknown ones
		}
		if names != nil {
			if id, ok := names(text); ok {
				return hex.AppendEncode(dst, id[:]), true, nil
			}
		}
		return dst, false, &handleError{text: text, hint: h.hint(text)}
	}}
	err := w.params(row)
	if err != nil || !w.changed {
		return params, err
	}
	return w.out, nil
}

// expandPlanHandles writes full ids into the steps of a plan, because a step may be executed long after this prompt. A
// step that names something unknown stays as it is; like all steps whose params cannot be read it is dropped later.
func (m *MemoryUpdate) expandPlanHandles(names codec.AliasResolver, handles func() *Handles) {
	for i := range m.Plan {
		s := &m.Plan[i]
		if params, err := expandHandles(s.Params, s.Action, names, handles, true); err == nil {
			s.Params = params
		}
	}
}

// abbreviations are long values in the params of offers, by action, with a short form that means the same. A test parses both.
var abbreviations = map[string]struct{ says, brief string }{
	"repo_create": {`,"access_policy":{"read":"PUBLIC","write":"OWNER_ONLY","fork":true}`, ``},
	"web_request": {
		`"filter":{"strip_code_blocks":true,"strip_inline_code":true,"transform_apis":false,"transform_examples":false,"max_size":65536,"format":"SUMMARY"}`,
		`"filter":{"format":"SUMMARY"}`,
	},
}

// undecided are values in the params of offers that a mind is to choose, by action, and how a prompt shows that. The value of the
// offer is the commonest one, and would be copied.
var undecided = map[string]struct{ says, brief string }{
	"entry_verify":  {`"verdict":"ACCURATE","evidence":"read it"`, `"verdict":"?","evidence":"?"`},
	"bounty_review": {`"verdict":"APPROVE","comments":"meets its requirements"`, `"verdict":"?","comments":"?"`},
}

// toWrite are the params that a mind is to write, by what it composes. An offer has words of its own there, which would be copied.
var toWrite = map[Compose][]string{ComposeEntry: {"title", "body"}, ComposeUpdate: {"new_body", "change_note"}}

// blank writes ? in place of a text in params.
func blank(params []byte, name string) []byte {
	start := bytes.Index(params, []byte(`"`+name+`":"`))
	if start < 0 {
		return params
	}
	start += len(name) + 3
	end := start + 1
	for end < len(params) && params[end] != '"' {
		if params[end] == '\\' {
			end++
		}
		end++
	}
	return slices.Replace(params, start, min(end+1, len(params)), []byte(`"?"`)...)
}

// shortBody writes the text alone for the body of an entry that is one paragraph of plain text, and leaves out an empty
// list of references.
func shortBody(params []byte) []byte {
	params = bytes.Replace(params, []byte(`,"references":[]`), nil, 1)
	const opens, shuts = `[{"PARAGRAPH":{"text":`, `}}]`
	start := bytes.Index(params, []byte(opens))
	if start < 0 {
		return params
	}
	text := params[start+len(opens):]
	end := bytes.IndexByte(text[1:], '"') + 2
	if !bytes.HasPrefix(text[end:], []byte(shuts)) || bytes.IndexByte(text[:end], '\\') >= 0 {
		return params
	}
	return append(append(params[:start], text[:end]...), text[end+len(shuts):]...)
}

// appendShortParams appends the params of a row, with handles in place of ids (name gives one to an id) and without the default
// values that a mind may leave out.
func appendShortParams(dst []byte, row *action.Row, payload any, h *Handles, name func(id wire.Hash) Ref) []byte {
	raw := codec.Borrow()
	defer raw.Return()
	raw.B = row.AppendJSON(raw.B, payload)
	if u, ok := abbreviations[row.Name]; ok {
		raw.B = bytes.Replace(raw.B, []byte(u.says), []byte(u.brief), 1)
	}
	if u, ok := undecided[row.Name]; ok {
		raw.B = bytes.Replace(raw.B, []byte(u.says), []byte(u.brief), 1)
	}
	if row.Type == wire.TypeEntryPublish || row.Type == wire.TypeEntryUpdate {
		raw.B = shortBody(raw.B)
	}
	w := rewriter{in: raw.B, out: dst, omitDefaults: true, replace: func(dst, text []byte, agent bool) ([]byte, bool, error) {
		var id wire.Hash
		if len(text) != 2*len(id) || codec.ParseHex(id[:], text) != nil {
			return dst, false, nil
		}
		if id.IsZero() {
			return dst, false, nil
		}
		if agent {
			return h.Name(id, wire.AgentID(id).Alias()).Append(dst), true, nil
		}
		return name(id).Append(dst), true, nil
	}}
	_ = w.params(row) // replace never fails
	return w.out
}
