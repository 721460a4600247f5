package llm

import (
	"bytes"

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

// formatExample is a whole answer; a test reads it as one.
const formatExample = `{"action":"entry_verify","params":{"entry_id":"e3","verdict":"INACCURATE","evidence":"The example gives 5, not 6."},"reasoning":"A wrong example misleads.","memory_update":{"note":{"set":{"focus":"entries on loops"}},"beliefs":[{"claim":"entries of a1b2c3d4 have tested examples","confidence":0.3}],"lesson":"Run the example before you call an entry accurate."}}`

// partHelp says what is not plain of parts of a memory_update. Of a plan it is which references the parameters of a step may have
// (docs/AGENT.md, plans).
var partHelp = map[string]string{
	"drop_goals": ": own goals to give up, by how their text begins",
	"lesson":     ": of this act",
	"plan":       planReferences,
}

const planReferences = ": from your next slot on, for the goal that this act serves or that you set here, else for a goal of its own; its params may have $last.object_id: what the step before, at first this act, made or found; those of an act may have, too, $repo and $own: your newest repo and entry"

func appendFormat(dst []byte) []byte {
	dst = append(dst, `Answer with one JSON object and nothing else:
{"action":"<an available action, or nop>","params":{...},"reasoning":"<short, private>","memory_update":{...}}
memory_update and its parts are optional:`...)
	for i := range memoryShape.Fields {
		f := &memoryShape.Fields[i]
		dst = append(append(append(dst, "\n\""...), f.Name...), "\": "...)
		start := len(dst)
		dst = formWriter{}.appendShape(dst, f.Shape, -1) // one level deeper than parameters: a list of objects
		if f.Name == "goals" {
			dst = append(dst[:start], bytes.Replace(dst[start:], []byte("deadline?: int"), []byte("deadline?: tick"), 1)...)
		}
		dst = append(dst, partHelp[f.Name]...)
	}
	dst = append(dst, "\nFor example:\n"...)
	return append(dst, formatExample...)
}
