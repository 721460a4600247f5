package scenarios

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"

	"kingdom/internal/golden"
)

func TestShow(t *testing.T) {
	for _, name := range names() {
		s := must(Load(name))(t)
		golden.File(t, "testdata/"+name+".show.yaml", string(s.Show()))
		again := must(Parse("shown", s.Show()))(t)
		if again.Digest() != s.Digest() || !bytes.Equal(again.Show(), s.Show()) {
			t.Errorf("%s: the shown scenario is another one", name)
		}
	}
}

func TestReference(t *testing.T) { golden.File(t, "../docs/SCENARIOS.md", reference()) }

// TestReference_Example parses the scenario that the page calls minimal.
func TestReference_Example(t *testing.T) {
	_, text, _ := strings.Cut(reference(), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	must(Parse("docs", []byte(text)))(t)
}

func TestSchema(t *testing.T) {
	golden.File(t, "testdata/schema.json", string(Schema()))
	var s jsonschema.Schema
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names() {
		b, err := embedded.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(value(t, b)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := r.Validate(value(t, must(Load(name))(t).Show())); err != nil {
			t.Errorf("%s as shown: %v", name, err)
		}
	}
	for _, bad := range []string{"cycels: 3\n", "cycles: 0\n", "cycles: ten\n", "gates: none\n", "auto_spawn: 3\n", "minds: {scripted: {nop_rate: 2}}\n"} {
		if err := r.Validate(value(t, []byte(minimal+bad))); err == nil {
			t.Errorf("the schema accepts %q", bad)
		}
	}
	if err := r.Validate(value(t, []byte("name: x\n"))); err == nil {
		t.Error("the schema accepts a scenario without population")
	}
}

// value is a YAML text as the JSON value it stands for.
func value(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := yaml.Load(b, &v); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// must returns the scenario or fails the test.
func must(s *Scenario, err error) func(t *testing.T) *Scenario {
	return func(t *testing.T) *Scenario {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
