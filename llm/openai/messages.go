package openai

import "kingdom/llm"

// Messages returns the messages that the model gets for a prompt in its first call of a run.
func (m *Model) Messages(p *llm.Prompt) (system, user []byte) {
	asked := *p
	asked.MaxContext, asked.MaxTokens = m.MaxContext, m.MaxOutput
	system, user = asked.Messages()
	return append(system, formOf(m.Output)...), user
}

// formOf is what the system message says of the form of an answer, behind the prompt's own words.
func formOf(o Output) string {
	if o == OutputStrict {
		return strictForm
	}
	return ""
}

// strictForm tells a model of the form that the schema holds it to; a grammar that differs
// from the prompt's words costs quality.
const strictForm = `
Here the answer has this form: {"reasoning":"...","act":{"<action>":{<its params>}},"memory_update":null or {...}}. All keys are written; what is left out is null, lists may be empty, note.set is a list of {"key","value"}, params of a plan step are JSON as text.
`
