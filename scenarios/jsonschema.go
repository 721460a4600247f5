package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the JSON Schema (2020-12) of a scenario file, indented, for editors and other tools. Parse also
// checks what the schema cannot express (sums, keys that depend on dist, names of actions).
func Schema() []byte {
	s := objectSchema(scenarioType)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "Kingdom scenario"
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("scenarios: writing the schema: %v", err))
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		panic(fmt.Sprintf("scenarios: indenting the schema: %v", err))
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// objectSchema is the schema of a mapping.
func objectSchema(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range fieldsOf(t) {
		p := propertySchema(f)
		p.Description = f.doc
		s.Properties[f.key] = p
		s.PropertyOrder = append(s.PropertyOrder, f.key)
		if f.need {
			s.Required = append(s.Required, f.key)
		}
	}
	return s
}

func propertySchema(f field) *jsonschema.Schema {
	switch shapeOf(f.typ) {
	case shapeMapping:
		return objectSchema(f.typ)
	case shapeGroups:
		return &jsonschema.Schema{Type: "array", Items: objectSchema(f.typ.Elem()), MinItems: count(f.low), MaxItems: count(f.top)}
	case shapeNames:
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, MaxItems: count(f.top)}
	case shapeNamed:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: objectSchema(f.typ.Elem())}
	case shapeAmounts:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: propertySchema(amountOf(f))}
	case shapeFree:
		return &jsonschema.Schema{Type: "object"}
	case shapeTrait:
		zero, one := 0.0, 1.0
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "number", Minimum: &zero, Maximum: &one}, objectSchema(f.typ)}, Default: json.RawMessage("0.5")}
	case shapeText:
		s := &jsonschema.Schema{Type: "string", MinLength: count(f.low), MaxLength: count(f.top), Default: defaultString(f)}
		if f.key == "name" {
			s.Pattern = "^[a-z0-9_-]*$"
		}
		return s
	case shapeSeed:
		return &jsonschema.Schema{Types: []string{"integer", "string"}, Default: json.RawMessage(f.def)}
	case shapeWho:
		return &jsonschema.Schema{Types: []string{"integer", "string"}}
	case shapeChoice:
		s := &jsonschema.Schema{Type: "string", Default: defaultString(f)}
		for _, name := range namesOf(f.typ) {
			s.Enum = append(s.Enum, name)
		}
		return s
	case shapeWhole, shapeSigned:
		return &jsonschema.Schema{Type: "integer", Minimum: limit(f.low), Maximum: limit(f.top), Default: defaultJSON(f)}
	case shapeNumber:
		return &jsonschema.Schema{Type: "number", Minimum: limit(f.low), Maximum: limit(f.top), Default: defaultJSON(f)}
	case shapeSwitch:
		return &jsonschema.Schema{Type: "boolean"}
	default:
		return &jsonschema.Schema{Type: "string", Default: defaultString(f)} // duration
	}
}

func count(s string) *int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return nil
	}
	return &n
}

func limit(s string) *float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil
	}
	return &x
}

func defaultJSON(f field) json.RawMessage {
	if f.need || f.def == "" {
		return nil
	}
	return json.RawMessage(f.def)
}

func defaultString(f field) json.RawMessage {
	if f.need {
		return nil
	}
	return json.RawMessage(strconv.Quote(f.def))
}
