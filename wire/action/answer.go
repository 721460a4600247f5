package action

import (
	"github.com/google/jsonschema-go/jsonschema"

	"kingdom/wire/codec"
)

// AnswerSchema returns the JSON Schema of a mind's answer that may choose among the given
// rows. The params are any of the rows' params objects; that they fit the chosen action is
// checked by [Row.FromJSON], since schemas for structured output cannot say it. memory is the
// form of memory_update.
func AnswerSchema(rows []*Row, memory *codec.Shape) *jsonschema.Schema {
	names := make([]string, len(rows))
	params := &jsonschema.Schema{Description: "the parameters of the chosen action"}
	for i, r := range rows {
		names[i] = r.Name
		params.AnyOf = append(params.AnyOf, r.ParamsSchema())
	}
	s := objectSchema()
	addProperty(s, "action", &jsonschema.Schema{Type: "string", Enum: anys(names)}, true)
	addProperty(s, "params", params, true)
	addProperty(s, "reasoning", text("why, in one or two sentences"), true)
	addProperty(s, "memory_update", nullable(memorySchema(memory, names)), false)
	return s
}

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

// memoryHelp says what the parts of a memory_update mean.
var memoryHelp = map[string]string{
	"note":       "keys to remember until the end of the next cycle, at most 4 KiB each, and keys to drop",
	"drop_goals": "own goals to give up, by how their text begins",
	"knowledge":  "what you know, and the labels it relates to",
	"lesson":     "what the act of this answer taught you, at most 1 KiB",
}

// memorySchema is the schema of a memory_update whose plans choose among the given actions.
func memorySchema(memory *codec.Shape, actions []string) *jsonschema.Schema {
	s := schemaOf(memory, 0)
	for name, p := range s.Properties { //house:sorted each gets its own words
		p.Description = memoryHelp[name]
	}
	step := s.Properties["plan"].AnyOf[0].Items
	step.Properties["action"] = &jsonschema.Schema{Type: "string", Enum: anys(actions)}
	return s
}
