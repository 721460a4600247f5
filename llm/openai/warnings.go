package openai

import (
	"fmt"
	"time"

	"kingdom/llm"
)

// A server whose count of a prompt's tokens is below this share, in percent, of three bytes a
// token has not read all of it: our prompts have at most 3.5 bytes a token.
const wholePrompt = 70

// warnOfReply learns from an answer to a prompt of so many bytes, and warns once of what will spoil
// the answers of this model for as long as nobody changes it.
func (c *client) warnOfReply(rec *call, bytes int) {
	c.late.Store(0)
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

// warnOfShortContext warns once of a context in which not all that an agent is told has a place: who is told of
// nothing to do falls dormant.
func (c *client) warnOfShortContext(p *llm.Prompt) {
	if p.Shortened() {
		c.shortTold.Do(func() {
			c.tell(fmt.Sprintf("model %q has %d tokens for prompt and answer, of which answers may take %d: prompts do not fit, and what is least useful is left out of them; raise minds.models.%s.context and the server's, or lower max_output",
				c.Name, c.context(), p.MaxTokens, c.Name))
		})
	}
}

// manyLate is how many calls in a row without an answer in time a person is told of. One is an accident; a server
// that is too slow for its prompts, or answers fewer at once than it is asked, does it to nearly all.
const manyLate = 3

// warnOfLateAnswers warns once of a model whose answers do not come within this time: nothing else on the terminal tells such
// a run from one that works.
func (c *client) warnOfLateAnswers(limit time.Duration) {
	if c.late.Add(1) < manyLate {
		return
	}
	c.lateTold.Do(func() {
		c.tell(fmt.Sprintf("model %q gave no answer within %v, %d times in a row, and each cost a slot: raise minds.models.%s.timeout, lower its max_output, or set concurrency to what its server answers at once",
			c.Name, limit, manyLate, c.Name))
	})
}
