package llm

import (
	"github.com/google/jsonschema-go/jsonschema"

	"kingdom/wire/action"
)

// AnswerSchema returns the JSON Schema of an answer that may choose among the given rows.
func AnswerSchema(rows []*action.Row) *jsonschema.Schema {
	return action.AnswerSchema(rows, memoryShape)
}

// responseFormat tells a mind how to answer; the form of the parameters stands with each
// available action.
var responseFormat = string(appendFormat(nil))

func appendFormat(dst []byte) []byte {
	dst = append(dst, `Answer with one JSON object and nothing else:
{"action":"<name of an available action, or nop>","params":{...},"reasoning":"<short, private>","memory_update":{...}}
memory_update is optional, and so is each of its parts; a key with ? may be left out:`...)
	for i := range memoryShape.Fields {
		f := &memoryShape.Fields[i]
		dst = append(append(append(dst, "\n\""...), f.Name...), "\": "...)
		dst = appendShape(dst, f.Shape, -1) // one level deeper than parameters: a list of objects
	}
	return dst
}
