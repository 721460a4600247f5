package openai

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"kingdom/llm"
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

// profile returns a copy that a call may use without the lock.
func (c *client) profile() profile {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.shape
	p.drop = make(map[string]bool, len(c.shape.drop))
	for k := range c.shape.drop {
		p.drop[k] = true
	}
	return p
}

// context is the number of tokens the model takes.
func (c *client) context() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shape.size != 0 && (c.MaxContext == 0 || c.shape.size < c.MaxContext) {
		return c.shape.size
	}
	return c.MaxContext
}

// apply writes what this model takes into a request's body.
func (s *profile) apply(m *Model, p *llm.Prompt, known *schemas, body map[string]json.RawMessage) {
	put := func(name string, v any) {
		if s.drop[name] {
			return
		}
		raw, err := json.Marshal(v)
		if err != nil {
			panic("openai: a request field cannot be encoded: " + err.Error())
		}
		body[name] = raw
	}
	delete(body, "stream")
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
		if !s.drop["response_format"] {
			body["response_format"] = known.of(p.Actions)
		}
	case OutputObject:
		put("response_format", schemaFormat("answer", json.RawMessage(`{"type":"object"}`), false))
	case OutputJSON:
		put("response_format", map[string]string{"type": "json_object"})
	default: // nothing to do for the others
	}
	for name, v := range m.Extra {
		put(name, v)
	}
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

// schemas holds the response_format with the answer schema of each set of actions, encoded:
// few sets exist, and the text must be the same from call to call.
type schemas struct{ byNames sync.Map }

func (c *schemas) of(rows []*action.Row) json.RawMessage {
	var names strings.Builder
	for _, r := range rows {
		names.WriteString(r.Name + " ")
	}
	if raw, ok := c.byNames.Load(names.String()); ok {
		return raw.(json.RawMessage)
	}
	schema, err := json.Marshal(action.StrictSchema(rows))
	if err != nil {
		panic("openai: the answer schema cannot be encoded: " + err.Error())
	}
	raw, err := json.Marshal(schemaFormat("answer", schema, true))
	if err != nil {
		panic("openai: the answer schema cannot be encoded: " + err.Error())
	}
	c.byNames.Store(names.String(), json.RawMessage(raw))
	return raw
}

// fieldNames finds the names that a refusal of a field may mean.
var fieldNames = regexp.MustCompile(`[a-z][a-z_]{2,}`)

// repair changes what a server refused: one level of output down, a field dropped or
// renamed, a smaller context. It says whether the request is another one now.
func (c *client) repair(rec *call, p *llm.Prompt) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.shape
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
		if p.MaxContext != 0 && (size == 0 || size >= p.MaxContext) {
			size = p.MaxContext * 3 / 4 // it names no size, or counts more tokens than we do
		}
		if size == 0 {
			return false
		}
		s.size, p.MaxContext = size, size
		return true
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
