package openai

import (
	"fmt"

	"kingdom/llm"
)

// A server whose count of a prompt's tokens is below this share, in percent, of three bytes a
// token has not read all of it: our prompts have at most 3.5 bytes a token.
const wholePrompt = 70

// heed learns from an answer to a prompt of so many bytes, and warns once of what will spoil
// the answers of this model for as long as nobody changes it.
func (c *client) heed(rec *call, bytes int) {
	r := &rec.reply
	whole := uint64(bytes) * 1000 / startBytesPerToken
	if r.usage.hasPrompt && r.usage.prompt > 0 && r.usage.prompt*100 < whole*wholePrompt {
		c.cutTold.Do(func() {
			c.tell(fmt.Sprintf("model %q read %d tokens of a prompt of about %d: its server cuts prompts without a word; start it with a larger context (num_ctx of Ollama) or set minds.models.%s.context to what it has",
				c.Name, r.usage.prompt, whole, c.Name))
		})
		return // says nothing of bytes per token
	}
	c.size.learn(bytes, r.usage.prompt)
	if r.finish == "length" && r.text == "" && r.usage.reasoning > 0 {
		c.reasonedTold.Do(func() {
			c.tell(fmt.Sprintf("model %q spent all %d tokens of an answer on reasoning: raise minds.models.%s.max_output or lower its effort", c.Name, r.usage.completion, c.Name))
		})
	}
}

// heedRoom warns once of a context in which not all that an agent is told has a place: who is told of
// nothing to do falls dormant.
func (c *client) heedRoom(p *llm.Prompt) {
	if p.Shortened() {
		c.shortTold.Do(func() {
			c.tell(fmt.Sprintf("model %q has %d tokens for prompt and answer, of which answers may take %d: prompts do not fit, and what is least useful is left out of them; raise minds.models.%s.context and the server's, or lower max_output",
				c.Name, c.context(), p.MaxTokens, c.Name))
		})
	}
}
