package action

import (
	"github.com/google/jsonschema-go/jsonschema"

	"kingdom/wire/codec"
)

// StrictSchema returns the JSON Schema of an answer for servers that enforce a schema while the model writes. The
// answer is a union by key, {"reasoning", "act": {"<action>": params}, "memory_update"}, with nop as the last action,
// so that parameters belong to their action. The schema uses only what OpenAI's strict mode, vLLM and llama.cpp all
// accept: the keywords type, properties, required, additionalProperties false, enum, items and anyOf; every property
// required, an optional one nullable; no two branches with the same first key. [Row.FromJSON] checks what these
// keywords cannot express.
//
// The schema depends on the rows alone, so it stays the same from call to call, and a server can cache its grammar
// and prompt.
func StrictSchema(rows []*Row) *jsonschema.Schema {
	act := &jsonschema.Schema{}
	for _, r := range rows {
		act.AnyOf = append(act.AnyOf, strictObject(member{r.Name, r.strictParams()}))
	}
	return strictObject(
		member{"reasoning", word()},
		member{"act", act},
		member{"memory_update", nullable(strictMemory())},
	)
}

// SmallSchema returns the JSON Schema of an answer for servers that refuse [StrictSchema] for its size: {"reasoning",
// "action", "params", "memory_update"}, where params are JSON as text, so that the schema does not grow with the
// parameters of the actions. It uses the same keywords. A server does not enforce the parameters.
func SmallSchema(rows []*Row) *jsonschema.Schema {
	names := make([]any, len(rows))
	for i, r := range rows {
		names[i] = r.Name
	}
	return strictObject(
		member{"reasoning", word()},
		member{"action", &jsonschema.Schema{Type: "string", Enum: names}},
		member{"params", word()},
		member{"memory_update", nullable(strictMemory())},
	)
}

// member is one property of an object; all are required.
type member struct {
	name   string
	schema *jsonschema.Schema
}

func strictObject(members ...member) *jsonschema.Schema {
	o := objectSchema()
	for _, m := range members {
		addProperty(o, m.name, m.schema, true)
	}
	return o
}

func word() *jsonschema.Schema   { return &jsonschema.Schema{Type: "string"} }
func number() *jsonschema.Schema { return &jsonschema.Schema{Type: "number"} }

func many(items *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: items}
}

func (r *Row) strictParams() *jsonschema.Schema {
	o := objectSchema()
	for i := range r.Params {
		p := &r.Params[i]
		addProperty(o, p.Name, strictOf(p.Shape, p.Nullable || !p.Required), true)
	}
	return o
}

// strictOf is the schema of a value. Free objects and content blocks are text: the
// parser reads text that starts with a brace or bracket as JSON.
func strictOf(s *codec.Shape, optional bool) *jsonschema.Schema {
	var out *jsonschema.Schema
	switch s.Kind {
	case codec.ShapeBool:
		out = &jsonschema.Schema{Type: "boolean"}
	case codec.ShapeUint, codec.ShapeInt:
		out = &jsonschema.Schema{Type: "integer"}
	case codec.ShapeFloat:
		out = number()
	case codec.ShapeEnum:
		out = &jsonschema.Schema{Type: "string", Enum: anys(s.Names)}
	case codec.ShapeList:
		out = many(strictOf(s.Elem, false))
	case codec.ShapeTuple:
		out = many(strictOf(s.Fields[0].Shape, false))
	case codec.ShapeStruct:
		out = objectSchema()
		for _, f := range s.Fields {
			if !f.Runtime {
				addProperty(out, f.Name, strictOf(f.Shape, f.Nullable || !f.Required), true)
			}
		}
	case codec.ShapeTextMap: // strict mode has no objects with free keys, so it is a list of pairs
		out = many(strictObject(member{"key", word()}, member{"value", word()}))
	case codec.ShapeUnion:
		out = strictUnion(s)
	default:
		out = word()
	}
	if optional {
		return nullable(out)
	}
	return out
}

func strictUnion(s *codec.Shape) *jsonschema.Schema {
	u := &jsonschema.Schema{}
	var units []string
	for _, f := range s.Fields {
		if f.Shape == nil {
			units = append(units, f.Name)
			continue
		}
		u.AnyOf = append(u.AnyOf, strictObject(member{f.Name, strictOf(f.Shape, false)}))
	}
	if len(units) > 0 {
		u.AnyOf = append(u.AnyOf, &jsonschema.Schema{Type: "string", Enum: anys(units)})
	}
	return u
}

// strictMemory is memory_update without nulls inside: lists may be empty.
func strictMemory() *jsonschema.Schema {
	pair := strictObject(member{"key", word()}, member{"value", word()})
	link := strictObject(member{"to", word()}, member{"relation", word()}, member{"weight", number()})
	layer := &jsonschema.Schema{Type: "string", Enum: []any{"TASK", "OBJECTIVE"}}
	return strictObject(
		member{"note", strictObject(member{"set", many(pair)}, member{"drop", many(word())})},
		member{"beliefs", many(strictObject(member{"claim", word()}, member{"confidence", number()}))},
		member{"knowledge", many(strictObject(member{"label", word()}, member{"content", word()}, member{"relates_to", many(link)}))},
		member{"goals", many(strictObject(member{"layer", layer}, member{"text", word()}, member{"deadline", nullable(&jsonschema.Schema{Type: "integer"})}))},
		member{"plan", many(strictObject(member{"action", word()}, member{"params", word()}))},
		member{"lesson", nullable(word())},
	)
}
