package action

import "github.com/google/jsonschema-go/jsonschema"

// Bounds of an answer's memory_update (docs/AGENT.md, answer); what exceeds them is dropped.
const (
	MaxBeliefs    = 8
	MaxKnowledge  = 8
	MaxGoals      = 4
	MaxPlanSteps  = 16
	MaxNoteBytes  = 4 << 10
	MaxLessonSize = 1 << 10
)

// AnswerSchema returns the JSON Schema of a mind's answer that may choose among the given
// rows. The params are any of the rows' params objects; that they fit the chosen action is
// checked by [Row.FromJSON], since schemas for structured output cannot say it.
func AnswerSchema(rows []*Row) *jsonschema.Schema {
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
	addProperty(s, "memory_update", nullable(memorySchema(names)), false)
	return s
}

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func unit() *jsonschema.Schema {
	zero, one := 0.0, 1.0
	return &jsonschema.Schema{Type: "number", Minimum: &zero, Maximum: &one}
}

func list(items *jsonschema.Schema, limit int) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: items, MaxItems: &limit}
}

func memorySchema(actions []string) *jsonschema.Schema {
	s := objectSchema()
	addProperty(s, "note", noteSchema(), false)
	addProperty(s, "beliefs", list(beliefSchema(), MaxBeliefs), false)
	addProperty(s, "knowledge", list(knowledgeSchema(), MaxKnowledge), false)
	addProperty(s, "goals", list(goalSchema(), MaxGoals), false)
	addProperty(s, "plan", list(stepSchema(actions), MaxPlanSteps), false)
	addProperty(s, "lesson", text("what this taught you, at most 1 KiB"), false)
	return s
}

func noteSchema() *jsonschema.Schema {
	s := objectSchema()
	set := &jsonschema.Schema{
		Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "string"},
		Description: "keys to remember, at most 4 KiB each",
	}
	addProperty(s, "set", set, false)
	addProperty(s, "drop", &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}, false)
	return s
}

func beliefSchema() *jsonschema.Schema {
	s := objectSchema()
	addProperty(s, "claim", text(""), true)
	addProperty(s, "confidence", unit(), true)
	return s
}

func knowledgeSchema() *jsonschema.Schema {
	link := objectSchema()
	addProperty(link, "to", text("label of the other item"), true)
	addProperty(link, "relation", text(""), true)
	addProperty(link, "weight", unit(), true)
	s := objectSchema()
	addProperty(s, "label", text(""), true)
	addProperty(s, "content", text(""), true)
	addProperty(s, "relates_to", &jsonschema.Schema{Type: "array", Items: link}, false)
	return s
}

func goalSchema() *jsonschema.Schema {
	s := objectSchema()
	layers := &jsonschema.Schema{Type: "string", Enum: []any{"TASK", "OBJECTIVE"}}
	addProperty(s, "layer", layers, true)
	addProperty(s, "text", text(""), true)
	addProperty(s, "deadline", &jsonschema.Schema{Types: []string{"integer", "null"}}, false)
	return s
}

func stepSchema(actions []string) *jsonschema.Schema {
	s := objectSchema()
	addProperty(s, "action", &jsonschema.Schema{Type: "string", Enum: anys(actions)}, true)
	addProperty(s, "params", &jsonschema.Schema{Type: "object"}, false)
	return s
}
