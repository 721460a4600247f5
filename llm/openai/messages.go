package openai

import "kingdom/llm"

// Messages returns the messages that the model gets for a prompt in its first call of a run.
func (m *Model) Messages(p *llm.Prompt) (system, user []byte) {
	asked := *p
	asked.MaxContext, asked.MaxTokens = m.MaxContext, m.MaxOutput
	return messages(&asked, m.Output)
}

// messages renders a prompt for a level of output.
func messages(p *llm.Prompt, o Output) (system, user []byte) {
	system, user = p.Messages()
	if o == OutputStrict {
		system = append(system, strictForm...)
	}
	return system, user
}

// strictForm tells a model of the form that the schema holds it to; a grammar that differs
// from the prompt's words costs quality.
const strictForm = `
Here the answer has this form: {"reasoning":"...","act":{"<action>":{<its params>}},"memory_update":null or {...}}. All keys are written; what is left out is null, lists may be empty, note.set is a list of {"key","value"}, params of a plan step are JSON as text.
`
