package openai

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"strings"

	"kingdom/wire/action"
)

// maxRepairs is how often one thought may be asked again with another request after a refusal: with a lower level of
// output, another name of the field that limits the answer, a few fields less, a shorter prompt.
const maxRepairs = 7

// profile says what requests to one model contain. It starts as declared. What a server refuses is left out for the rest
// of the run: in a new profile, so that each call knows the one that it was made with.
type profile struct {
	output        Output
	capName       string // field that bounds the answer
	capRenamed    bool   // the server refused the other name
	drop          map[string]bool
	statedContext uint64 // context that the server stated, 0: none

	frames map[frameKey]frame // encoded requests; the lock of the client protects them
}

// Names of the field that bounds an answer. Old and local servers know only the
// first, OpenAI's newer models only the second.
const (
	capOld = "max_tokens"
	capNew = "max_completion_tokens"
)

func newProfile(m *Model) *profile {
	p := &profile{output: m.Output, capName: capOld}
	if p.output == 0 {
		p.output = OutputStrict
	}
	if strings.Contains(m.Endpoint, "api.openai.com") || strings.Contains(m.Endpoint, ".azure.com") {
		p.capName = capNew
	}
	return p
}

// current returns the profile with which the model is asked now.
func (c *client) current() *profile {
	c.repairing.RLock()
	defer c.repairing.RUnlock()
	return c.newest()
}

// newest returns the profile also while it changes.
func (c *client) newest() *profile {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.profile
}

// context is the number of tokens the model takes.
func (s *profile) context(m *Model) uint64 {
	if s.statedContext != 0 && (m.MaxContext == 0 || s.statedContext < m.MaxContext) {
		return s.statedContext
	}
	return m.MaxContext
}

// fields returns the encoded fields of a request for a thought, except the messages.
func (s *profile) fields(m *Model, rows []*action.Row) map[string]json.RawMessage {
	fields := s.settings(m)
	put := func(format any) {
		if !s.drop["response_format"] && m.Extra["response_format"] == nil {
			fields["response_format"] = encoded(format)
		}
	}
	switch s.output {
	case OutputStrict:
		put(schemaFormat("answer", encoded(action.StrictSchema(rows)), true))
	case OutputSmall:
		put(schemaFormat("answer", encoded(action.SmallSchema(rows)), true))
	case OutputObject:
		put(schemaFormat("answer", json.RawMessage(`{"type":"object"}`), false))
	case OutputJSON:
		put(map[string]string{"type": "json_object"})
	default: // nothing to do for the others
	}
	return fields
}

// settings returns the encoded fields of a request that depend neither on its messages nor on the form of its answer.
func (s *profile) settings(m *Model) map[string]json.RawMessage {
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

// repair changes what a server refused: one level of output down, a field dropped or renamed, a smaller context. It
// reports whether the request would be another one now. If the profile was changed since the call was made, because
// another call was refused at the same time, it is left as it is: one refusal must not lower it twice. No request is made
// with the new profile before those who keep refusals know of it.
func (c *client) repair(rec *call) bool {
	c.repairing.Lock()
	defer c.repairing.Unlock()
	next, ok := rec.profile.without(rec, c.Model)
	if ok && c.replace(rec.profile, next) {
		c.wasRefused()
		c.warnOfRefusal(rec, next)
	}
	return ok
}

// replace replaces the profile if it is still the old one.
func (c *client) replace(old, next *profile) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.profile != old {
		return false
	}
	c.profile = next
	return true
}

// copied returns a copy that may be changed.
func (s *profile) copied() *profile {
	return &profile{output: s.output, capName: s.capName, capRenamed: s.capRenamed, drop: maps.Clone(s.drop), statedContext: s.statedContext}
}

// without returns a profile without what the server refused in a call; ok is false if there is none.
func (s *profile) without(rec *call, m *Model) (next *profile, ok bool) {
	next = s.copied()
	switch rec.failure {
	case FailureSchema:
		return next, next.lowerOutput()
	case FailureParam:
		return next, next.dropField(m, &rec.serverError)
	case FailureContext:
		next.statedContext = s.smallerContext(rec, m)
		return next, next.statedContext != 0
	default:
		return nil, false
	}
}

// smallerContext returns the context to assume after a prompt was refused for its length, 0 if no prompt fits into it. It is
// the one that the server states. If it states none, or counts more tokens than we do, it is less than what was sent, and at last
// the least that a prompt needs.
func (s *profile) smallerContext(rec *call, m *Model) uint64 {
	if rec.least == 0 {
		return 0
	}
	had := cmp.Or(s.context(m), math.MaxUint64)
	size := contextSize(rec.serverError.message)
	if size == 0 || size >= had {
		size = max(min(had, rec.takes)*3/4, rec.least)
	}
	if size < rec.least || size >= had {
		return 0
	}
	return size
}

// lowerOutput goes one level of output down, false if there is none.
func (s *profile) lowerOutput() bool {
	if s.output >= OutputPrompt {
		return false
	}
	s.output++
	return true
}

// dropField drops the field that an error names, or renames the cap. The cap is renamed only once: an error about the one
// name often names the other too.
func (s *profile) dropField(m *Model, e *wireError) bool {
	names := append([]string{e.param}, fieldNames.FindAllString(e.message, -1)...)
	for _, name := range names {
		switch {
		case name == s.capName && !s.capRenamed:
			s.capName, s.capRenamed = otherCap(name), true
			return true
		case name == "response_format" && s.lowerOutput():
			return true
		case s.drop[name]:
		case name == "temperature" || name == "seed" || name == "reasoning_effort" || name == cacheKeyField && m.CacheKey || m.Extra[name] != nil:
			s.dropName(name)
			return true
		}
	}
	return false
}

// dropName leaves a field out.
func (s *profile) dropName(name string) {
	if s.drop == nil {
		s.drop = map[string]bool{}
	}
	s.drop[name] = true
}

// otherCap returns the other name of the field that bounds an answer.
func otherCap(name string) string {
	if name == capOld {
		return capNew
	}
	return capOld
}
