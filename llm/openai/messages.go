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

// Needs returns the tokens that a prompt with a system message of this many tokens takes at least, together with its answer.
func (m *Model) Needs(system uint64) uint64 {
	return m.systemTokens(system) + llm.LeastUser + m.MaxOutput
}

// Fits returns a [*FieldError] if the model's context cannot hold a system message of this many tokens, the least
// that an agent is told about itself, and the longest answer.
func (m *Model) Fits(system uint64) error {
	taken := m.systemTokens(system)
	if llm.Fits(m.MaxContext, taken, m.MaxOutput) == nil {
		return nil
	}
	fix := fmt.Sprintf("set context to %d or more and give the server as much", m.Needs(system))
	if least := taken + llm.LeastUser + leastOutput; m.MaxContext >= least {
		fix += fmt.Sprintf(", or set max_output to %d or less", m.MaxContext-taken-llm.LeastUser)
	}
	return m.fieldError("context", fmt.Sprintf("is %d tokens; rules and actions take %d, an answer may take %d (max_output), and what an agent is told of itself needs %d at least: %s",
		m.MaxContext, taken, m.MaxOutput, llm.LeastUser, fix))
}

// noRoom returns the error that no prompt fits into the context of the server: it takes so many tokens, 0 if it does not say, and
// the system message alone takes system. words are the server's.
func (c *client) noRoom(most, system uint64, words string) *OutError {
	field := "minds.models." + c.Name + "."
	need := system + llm.LeastUser + c.MaxOutput
	takes := "refuses the shortest prompt for its length and does not say how many tokens it takes"
	switch {
	case most >= need:
		takes = fmt.Sprintf("refuses the shortest prompt for its length and says that it takes %d tokens", most)
	case most > 0:
		takes = fmt.Sprintf("takes %d tokens at most", most)
	}
	text := fmt.Sprintf("the server of model %q %s; a prompt with its answer needs %d: rules and actions %d, what an agent is told of itself %d, an answer %d (max_output). Start the server with a larger context and set %scontext to it",
		c.Name, takes, need, system, llm.LeastUser, c.MaxOutput, field)
	if most < need && most >= system+llm.LeastUser+leastOutput {
		text += fmt.Sprintf(", or set %smax_output to %d or less", field, most-system-llm.LeastUser)
	}
	text += "; kingdom resume RUN --set takes these settings, and one of context forgets what the server said"
	if words != "" {
		text += " (" + words + ")"
	}
	return &OutError{Endpoint: c.Endpoint, Model: c.Name, Failure: FailureContext, Text: text}
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
