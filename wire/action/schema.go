package action

import (
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// ParamsSchema returns the JSON Schema of the row's params object. Each call builds a new one.
func (r *Row) ParamsSchema() *jsonschema.Schema {
	s := objectSchema()
	s.Title = r.Name
	s.Description = r.Summary
	for i := range r.Params {
		p := &r.Params[i]
		ps := schemaOf(p.Shape, 0)
		if p.Nullable {
			ps = nullable(ps)
		}
		ps.Description = p.Help
		addProperty(s, p.Name, ps, p.Required)
	}
	if r.IsRest() {
		least, most := 1.0, float64(MaxRest)
		s.Properties["slots"].Minimum, s.Properties["slots"].Maximum = &least, &most
	}
	return s
}

// objectSchema is an object without properties that admits no others.
func objectSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

func addProperty(s *jsonschema.Schema, name string, p *jsonschema.Schema, required bool) {
	s.Properties[name] = p
	s.PropertyOrder = append(s.PropertyOrder, name)
	if required {
		s.Required = append(s.Required, name)
	}
}

func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// maxSchemaDepth is where nested content blocks stop being spelled out.
const maxSchemaDepth = 6

func schemaOf(s *codec.Shape, depth int) *jsonschema.Schema {
	switch s.Kind {
	case codec.ShapeBool:
		return &jsonschema.Schema{Type: "boolean"}
	case codec.ShapeUint, codec.ShapeInt, codec.ShapeFloat:
		return numberSchema(s)
	case codec.ShapeText, codec.ShapeBytes:
		return &jsonschema.Schema{Type: "string"}
	case codec.ShapeRaw:
		return &jsonschema.Schema{Type: "object"}
	case codec.ShapeHash:
		return &jsonschema.Schema{Type: "string", Pattern: hexPattern(2 * s.Len)}
	case codec.ShapeAgent:
		return &jsonschema.Schema{Type: "string", Pattern: "^([0-9a-fA-F]{8}|[0-9a-fA-F]{64})$"}
	case codec.ShapeEnum:
		return &jsonschema.Schema{Type: "string", Enum: anys(s.Names)}
	case codec.ShapeObject:
		return textOr(&jsonschema.Schema{Type: "object"})
	case codec.ShapeBlocks:
		return textOr(schemaOf(wire.BlocksCodec.Shape(), depth+1))
	case codec.ShapeBinMap, codec.ShapeTextMap:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "string"}}
	default:
		return compositeSchema(s, depth+1)
	}
}

func compositeSchema(s *codec.Shape, depth int) *jsonschema.Schema {
	switch s.Kind {
	case codec.ShapeList:
		l := &jsonschema.Schema{Type: "array", Items: schemaOf(s.Elem, depth)}
		if s.Len > 0 {
			l.MinItems, l.MaxItems = &s.Len, &s.Len
		}
		if s.Max > 0 {
			l.MaxItems = &s.Max
		}
		return l
	case codec.ShapeTuple:
		n := len(s.Fields)
		t := &jsonschema.Schema{Type: "array", MinItems: &n, MaxItems: &n}
		for _, f := range s.Fields {
			t.PrefixItems = append(t.PrefixItems, schemaOf(f.Shape, depth))
		}
		return t
	case codec.ShapeUnion:
		return unionSchema(s, depth)
	default: // nothing to do for the others
	}
	o := objectSchema()
	for _, f := range s.Fields {
		if f.Runtime {
			continue
		}
		p := schemaOf(f.Shape, depth)
		if f.Nullable || !f.Required {
			p = nullable(p)
		}
		addProperty(o, f.Name, p, f.Required)
	}
	return o
}

func unionSchema(s *codec.Shape, depth int) *jsonschema.Schema {
	if depth > maxSchemaDepth {
		return &jsonschema.Schema{Types: []string{"object", "string"}}
	}
	u := &jsonschema.Schema{}
	var units []string
	for _, f := range s.Fields {
		if f.Shape == nil {
			units = append(units, f.Name)
			continue
		}
		o := objectSchema()
		addProperty(o, f.Name, schemaOf(f.Shape, depth), true)
		u.AnyOf = append(u.AnyOf, o)
	}
	if len(units) > 0 {
		u.AnyOf = append(u.AnyOf, &jsonschema.Schema{Type: "string", Enum: anys(units)})
	}
	return u
}

func numberSchema(s *codec.Shape) *jsonschema.Schema {
	zero, one := 0.0, 1.0
	switch {
	case s.Kind == codec.ShapeFloat && s.Unit:
		return &jsonschema.Schema{Type: "number", Minimum: &zero, Maximum: &one}
	case s.Kind == codec.ShapeFloat:
		return &jsonschema.Schema{Type: "number"}
	case s.Kind == codec.ShapeInt:
		return &jsonschema.Schema{Type: "integer"}
	}
	n := &jsonschema.Schema{Type: "integer", Minimum: &zero}
	if s.Bits < 64 {
		limit := float64(uint64(1)<<s.Bits - 1)
		n.Maximum = &limit
	}
	return n
}

func textOr(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, s}}
}

func hexPattern(digits int) string {
	return "^[0-9a-fA-F]{" + strconv.Itoa(digits) + "}$"
}

func anys(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}
