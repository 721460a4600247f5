package openai

import (
	"cmp"
	"fmt"

	"kingdom/llm"
)

// Messages returns the messages that the model gets for a prompt in its first call of a run.
func (m *Model) Messages(p *llm.Prompt) (system, user []byte) {
	asked := *p
	form := formOf(cmp.Or(m.Output, OutputStrict))
	asked.MaxContext, asked.MaxTokens = contextAfter(form, m.MaxContext), m.MaxOutput
	system, user = asked.Messages()
	return append(system, form...), user
}

// contextAfter returns the context that is left for a prompt after the text about the form of its answer. A context of 0,
// which means unknown, stays 0.
func contextAfter(form string, context uint64) uint64 {
	if context == 0 {
		return 0
	}
	return max(context-min(uint64(llm.Tokens(len(form))), context), 1)
}

// Fits returns a [*FieldError] if the model's context cannot hold a system message of this many tokens, the least
// that an agent is told about itself, and the longest answer.
func (m *Model) Fits(system uint64) error {
	taken := m.systemTokens(system)
	if llm.Fits(m.MaxContext, taken, m.MaxOutput) == nil {
		return nil
	}
	fix := fmt.Sprintf("set context to %d or more and give the server as much", taken+llm.LeastUser+m.MaxOutput)
	if least := taken + llm.LeastUser + leastOutput; m.MaxContext >= least {
		fix += fmt.Sprintf(", or set max_output to %d or less", m.MaxContext-taken-llm.LeastUser)
	}
	return m.fieldError("context", fmt.Sprintf("is %d tokens; rules and actions take %d, an answer may take %d (max_output), and what an agent is told of itself needs %d at least: %s",
		m.MaxContext, taken, m.MaxOutput, llm.LeastUser, fix))
}

// leastOutput is the smallest max_output that is worth setting: an answer takes about a hundred tokens.
const leastOutput = 256

// systemTokens returns the tokens of a system message together with the text about the form of an answer.
func (m *Model) systemTokens(system uint64) uint64 {
	return system + uint64(llm.Tokens(len(formOf(cmp.Or(m.Output, OutputStrict)))))
}

// formOf returns the text about the form of an answer that follows the prompt's own system message.
func formOf(o Output) string {
	switch o {
	case OutputStrict:
		return strictForm
	case OutputSmall:
		return smallForm
	default:
		return ""
	}
}

// smallForm is like strictForm for the small schema.
const smallForm = `
Here the answer has this form: {"reasoning":"...","action":"<action>","params":"<its params, written as a text>","memory_update":null or {...}}. params is JSON as text, such as "{\"limit\":3}". All keys are written; what is left out is null, lists may be empty, note.set is a list of {"key","value"}, params of a plan step are JSON as text too.
`

// strictForm describes the form that the schema enforces. A schema that differs from what the prompt says costs
// quality.
const strictForm = `
Here the answer has this form: {"reasoning":"...","act":{"<action>":{<its params>}},"memory_update":null or {...}}. All keys are written; what is left out is null, lists may be empty, note.set is a list of {"key","value"}, params of a plan step are JSON as text.
`
