package openai

import (
	"encoding/json"
	"regexp"
	"strings"

	"kingdom/wire/action"
)

// maxRepairs is how often one thought may change its request after a refusal: lower the level of output, rename the
// field that limits the answer, drop a few fields, shorten the prompt.
const maxRepairs = 6

// profile says what requests to one model contain. It starts as declared. What a server refuses is left out for the rest
// of the run.
type profile struct {
	output        Output
	capName       string // field that bounds the answer
	drop          map[string]bool
	statedContext uint64 // context that the server stated, 0: none
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
	return c.profile.output
}

// context is the number of tokens the model takes.
func (c *client) context() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.contextLocked()
}

// contextLocked is context for callers that hold the lock.
func (c *client) contextLocked() uint64 {
	if c.profile.statedContext != 0 && (c.MaxContext == 0 || c.profile.statedContext < c.MaxContext) {
		return c.profile.statedContext
	}
	return c.MaxContext
}

// fields returns the encoded fields of a request except the messages.
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
	s := &c.profile
	c.frames = nil // they were encoded for the old profile
	switch rec.failure {
	case FailureSchema:
		if s.output >= OutputPrompt {
			return false
		}
		s.output++
		return true
	case FailureParam:
		return s.dropField(c.Model, &rec.serverError)
	case FailureContext:
		if rec.alreadyShortened {
			return false // the server refuses even the length that it stated
		}
		size := contextSize(rec.serverError.message)
		if had := c.contextLocked(); had != 0 && (size == 0 || size >= had) {
			size = had * 3 / 4 // the server states no size, or counts more tokens than we do
		}
		s.statedContext = size
		return size != 0
	default:
		return false
	}
}

// dropField drops the field that an error names, or renames the cap.
func (s *profile) dropField(m *Model, e *wireError) bool {
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
