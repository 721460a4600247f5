package action

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// subset checks a schema against what strict structured output accepts.
type subset struct {
	problems   []string
	properties int
	enums      int
	deepest    int
}

func (c *subset) fail(path, format string, a ...any) {
	c.problems = append(c.problems, path+": "+fmt.Sprintf(format, a...))
}

var keywords = map[string]bool{"type": true, "properties": true, "required": true, "additionalProperties": true, "enum": true, "items": true, "anyOf": true}

func (c *subset) check(path string, s map[string]any, level int) {
	c.deepest = max(c.deepest, level)
	for k := range s {
		if !keywords[k] {
			c.fail(path, "keyword %q", k)
		}
	}
	if e, ok := s["enum"].([]any); ok {
		c.enums += len(e)
	}
	if s["type"] == "object" {
		props, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		if len(required) != len(props) {
			c.fail(path, "%d of %d properties are required", len(required), len(props))
		}
		if no, ok := s["additionalProperties"].(bool); !ok || no {
			c.fail(path, "additionalProperties is not false")
		}
		c.properties += len(props)
		for k, v := range props {
			c.check(path+"."+k, v.(map[string]any), level+1)
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		c.check(path+"[]", items, level)
	}
	first := map[string]bool{}
	branches, _ := s["anyOf"].([]any)
	for i, b := range branches {
		b := b.(map[string]any)
		c.check(fmt.Sprintf("%s|%d", path, i), b, level)
		if required, _ := b["required"].([]any); len(required) > 0 {
			if key := required[0].(string); first[key] {
				c.fail(path, "two branches begin with %q", key)
			} else {
				first[key] = true
			}
		}
	}
}

func TestStrictSchema_UsesOnlySupportedKeywords(t *testing.T) {
	all := chosen()
	for name, schema := range map[string]func() *jsonschema.Schema{
		"all":       func() *jsonschema.Schema { return StrictSchema(all) },
		"one":       func() *jsonschema.Schema { return StrictSchema(all[:1]) },
		"some":      func() *jsonschema.Schema { return StrictSchema(all[3:9]) },
		"small":     func() *jsonschema.Schema { return SmallSchema(all) },
		"small one": func() *jsonschema.Schema { return SmallSchema(all[:1]) },
	} {
		raw, err := json.Marshal(schema())
		if err != nil {
			t.Fatal(err)
		}
		var s map[string]any
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		var c subset
		c.check(name, s, 1)
		for _, p := range c.problems {
			t.Error(p)
		}
		if s["type"] != "object" || c.properties > 5000 || c.enums > 1000 || c.deepest > 10 || len(raw) > 40_000 {
			t.Errorf("%s: %d properties, %d enum values, %d levels, %d bytes", name, c.properties, c.enums, c.deepest, len(raw))
		}
		again, _ := json.Marshal(schema())
		if string(again) != string(raw) {
			t.Error("two schemas of the same rows differ")
		}
	}
}

func TestStrictSchema_ChecksParametersPerAction(t *testing.T) {
	r, err := StrictSchema(chosen()).Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for text, ok := range map[string]bool{
		`{"reasoning":"r","act":{"nop":{}},"memory_update":null}`:                          true,
		`{"reasoning":"r","act":{"bounty_claim":{"bounty_id":"9f"}},"memory_update":null}`: true,
		`{"reasoning":"r","act":{"bounty_claim":{"channel":"9f"}},"memory_update":null}`:   false,
		`{"reasoning":"r","act":{"bounty_claim":{}},"memory_update":null}`:                 false,
		`{"reasoning":"r","act":{"nop":{},"ping":{}},"memory_update":null}`:                false,
		`{"reasoning":"r","act":{"nop":{}}}`:                                               false,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(v); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The small schema stays small with all actions, and names them.
func TestSmallSchema(t *testing.T) {
	schema := SmallSchema(chosen())
	if raw, err := json.Marshal(schema); err != nil || len(raw) > 6000 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
	r, err := schema.Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for text, ok := range map[string]bool{
		`{"reasoning":"r","action":"nop","params":"","memory_update":null}`:                                true,
		`{"reasoning":"r","action":"bounty_claim","params":"{\"bounty_id\":\"9f\"}","memory_update":null}`: true,
		`{"reasoning":"r","action":"bounty_claim","params":{"bounty_id":"9f"},"memory_update":null}`:       false,
		`{"reasoning":"r","action":"fly","params":"{}","memory_update":null}`:                              false,
		`{"reasoning":"r","action":"nop","params":""}`:                                                     false,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(v); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// chosen are the rows that a mind may choose.
func chosen() []*Row {
	var out []*Row
	for i := range All() {
		if r := &All()[i]; r.LLM {
			out = append(out, r)
		}
	}
	return out
}
