package openai

import (
	"encoding/json"
	"regexp"
	"strings"

	"kingdom/wire/action"
)

// maxRepairs is how often one think may change its request after a refusal: a level
// of output, the name of the cap, a few fields, the length of the prompt.
const maxRepairs = 6

// profile is how requests to one model must look. It starts as declared and only
// ever gives up what a server refused, for the whole run.
type profile struct {
	output  Output
	capName string // field that bounds the answer
	drop    map[string]bool
	size    uint64 // context that the server stated, 0: none
}

// Names of the field that bounds an answer. Old and local servers know only the
// first, OpenAI's newer models only the second.
const (
	capOld = "max_tokens"
	capNew = "max_completion_tokens"
)

func newProfile(m *Model) profile {
	p := profile{output: m.Output, capName: capOld, drop: map[string]bool{}}
	if p.output == 0 {
		p.output = OutputStrict
	}
	if strings.Contains(m.Endpoint, "api.openai.com") || strings.Contains(m.Endpoint, ".azure.com") {
		p.capName = capNew
	}
	return p
}

// output is the level of output that the model is asked with.
func (c *client) output() Output {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shape.output
}

// context is the number of tokens the model takes.
func (c *client) context() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known()
}

// known is context while the lock is held.
func (c *client) known() uint64 {
	if c.shape.size != 0 && (c.MaxContext == 0 || c.shape.size < c.MaxContext) {
		return c.shape.size
	}
	return c.MaxContext
}

// fields are what this model takes beside the messages, encoded.
func (s *profile) fields(m *Model, rows []*action.Row) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{"model": encoded(m.ID)}
	put := func(name string, v any) {
		if !s.drop[name] {
			fields[name] = encoded(v)
		}
	}
	put(s.capName, m.MaxOutput)
	if m.Temperature != nil {
		put("temperature", *m.Temperature)
	}
	if m.Seed != nil {
		put("seed", *m.Seed)
	}
	if m.Effort != "" {
		put("reasoning_effort", m.Effort)
	}
	switch s.output {
	case OutputStrict:
		put("response_format", schemaFormat("answer", encoded(action.StrictSchema(rows)), true))
	case OutputObject:
		put("response_format", schemaFormat("answer", json.RawMessage(`{"type":"object"}`), false))
	case OutputJSON:
		put("response_format", map[string]string{"type": "json_object"})
	default: // nothing to do for the others
	}
	for name, v := range m.Extra {
		put(name, v)
	}
	return fields
}

func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("openai: a request field cannot be encoded: " + err.Error())
	}
	return raw
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict,omitempty"`
	Schema json.RawMessage `json:"schema"`
}

func schemaFormat(name string, schema json.RawMessage, strict bool) any {
	return struct {
		Type   string     `json:"type"`
		Schema jsonSchema `json:"json_schema"`
	}{"json_schema", jsonSchema{name, strict, schema}}
}

// fieldNames finds the names that a refusal of a field may mean.
var fieldNames = regexp.MustCompile(`[a-z][a-z_]{2,}`)

// repair changes what a server refused: one level of output down, a field dropped or
// renamed, a smaller context. It says whether the request is another one now.
func (c *client) repair(rec *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.shape
	c.frames = nil // of the old shape
	switch rec.failure {
	case FailureSchema:
		if s.output >= OutputPrompt {
			return false
		}
		s.output++
		return true
	case FailureParam:
		return s.giveUp(c.Model, &rec.said)
	case FailureContext:
		if rec.shrunk {
			return false // it refuses what it said it takes
		}
		size := contextSize(rec.said.message)
		if had := c.known(); had != 0 && (size == 0 || size >= had) {
			size = had * 3 / 4 // it names no size, or counts more tokens than we do
		}
		s.size = size
		return size != 0
	default:
		return false
	}
}

// giveUp drops the field that an error names, or renames the cap.
func (s *profile) giveUp(m *Model, e *wireError) bool {
	names := append([]string{e.param}, fieldNames.FindAllString(e.message, -1)...)
	for _, name := range names {
		switch {
		case name == s.capName && name == capOld:
			s.capName = capNew
			return true
		case name == s.capName && name == capNew:
			s.capName = capOld
			return true
		case name == "response_format" && s.output < OutputPrompt:
			s.output++
			return true
		case s.drop[name]:
		case name == "temperature" || name == "seed" || name == "reasoning_effort" || m.Extra[name] != nil:
			s.drop[name] = true
			return true
		}
	}
	return false
}
