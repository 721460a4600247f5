package llm

import (
	"bytes"
	"errors"
	"fmt"

	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// MaxAnswer is the length, in bytes, of the longest answer that is looked at:
// no request fits an envelope beyond it.
const MaxAnswer = 1 << 20

// Parse reads an answer: one JSON object, with prose and code fences around it
// tolerated. It is refused with a *ParseError when the object is malformed, holds
// a key twice, is followed by another object, names an action that is not in
// rows, or gives that action parameters it does not have.
func Parse(text []byte, rows []*action.Row, names codec.AliasResolver) (Answer, error) {
	outer, err := ParseAction(text)
	if err != nil {
		return Answer{}, err
	}
	ans := Answer{Reasoning: outer.Reasoning}
	if outer.MemoryUpdate != nil {
		if ans.Memory, err = parseMemory(outer.MemoryUpdate, rows); err != nil {
			return Answer{}, under("memory_update", err)
		}
	}
	if string(outer.Action) == NOP {
		if !emptyObject(outer.Params) {
			return Answer{}, &ParseError{Path: "params", Reason: "nop takes no parameters"}
		}
		return ans, nil
	}
	row := find(rows, string(outer.Action))
	if row == nil {
		return Answer{}, &ParseError{Path: "action", Reason: unknownAction(string(outer.Action))}
	}
	params := outer.Params
	if params == nil {
		params = []byte("{}")
	}
	payload, err := row.FromJSON(params, names)
	if err != nil {
		return Answer{}, &ParseError{Path: "params", Reason: err.Error()}
	}
	ans.Action, ans.Payload = row, payload
	return ans, nil
}

// ParseAction reads the outer form of an answer only.
func ParseAction(text []byte) (AgentAction, error) {
	var out AgentAction
	if len(text) > MaxAnswer {
		return out, &ParseError{Reason: fmt.Sprintf("answer has %d bytes, at most %d are read", len(text), MaxAnswer)}
	}
	start := bytes.IndexByte(text, '{')
	if start < 0 {
		return out, &ParseError{Reason: "answer holds no JSON object"}
	}
	s := scanner{src: text, pos: start}
	seen := false
	err := s.object(func(key []byte) error {
		var err error
		switch string(key) {
		case "action":
			seen = true
			out.Action, err = s.words("action")
		case "params":
			out.Params, err = s.optionalObject("params")
		case "reasoning":
			out.Reasoning, err = s.text("reasoning")
		case "memory_update":
			out.MemoryUpdate, err = s.optionalObject("memory_update")
		default:
			err = s.errorf("unknown key %q", key)
		}
		return err
	})
	if err != nil {
		return AgentAction{}, err
	}
	if i := bytes.IndexByte(text[s.pos:], '{'); i >= 0 {
		return AgentAction{}, &ParseError{Offset: s.pos + i, Reason: "a second object follows the answer"}
	}
	if !seen {
		return AgentAction{}, &ParseError{Path: "action", Reason: "required key is missing"}
	}
	return out, nil
}

// text consumes a string value.
func (s *scanner) text(path string) (string, error) {
	b, err := s.words(path)
	return string(b), err
}

// words is text without a copy: a span of the source when nothing had to be unescaped.
func (s *scanner) words(path string) ([]byte, error) {
	if s.peek() != '"' {
		return nil, &ParseError{Offset: s.pos, Path: path, Reason: "must be a string"}
	}
	b, err := s.str()
	return b, under(path, err)
}

// optionalObject consumes an object or null and returns its bytes, nil for null.
func (s *scanner) optionalObject(path string) ([]byte, error) {
	switch s.peek() {
	case '{':
		raw, err := s.skip(1)
		return raw, under(path, err)
	case 'n':
		return nil, under(path, s.word("null"))
	case 0:
		return nil, &ParseError{Offset: s.pos, Path: path, Reason: "answer ends where an object was expected"}
	default:
		return nil, &ParseError{Offset: s.pos, Path: path, Reason: "must be an object"}
	}
}

// emptyObject reports whether raw is absent or an object without keys.
func emptyObject(raw []byte) bool {
	if raw == nil {
		return true
	}
	s := scanner{src: raw}
	return s.expect('{') == nil && s.expect('}') == nil
}

func find(rows []*action.Row, name string) *action.Row {
	for _, r := range rows {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// unknownAction tells a name the catalogue does not hold from one that this
// agent may not use now.
func unknownAction(name string) string {
	if _, known := action.ByName(name); known {
		return fmt.Sprintf("action %q is not available to this agent now", name)
	}
	return fmt.Sprintf("unknown action %q", name)
}

// under prefixes the path of a parse error with the key it was found below.
func under(path string, err error) error {
	if err == nil {
		return nil
	}
	var pe *ParseError
	if !errors.As(err, &pe) {
		return err
	}
	e := *pe
	if e.Path == "" {
		e.Path = path
	} else {
		e.Path = path + "." + e.Path
	}
	return &e
}
