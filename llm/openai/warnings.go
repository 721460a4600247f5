package openai

import (
	"fmt"
	"time"

	"kingdom/llm"
)

// A server whose count of a prompt's tokens is below this share, in percent, of three bytes a
// token has not read all of it: our prompts have at most 3.5 bytes a token.
const minReadPercent = 70

// warnOfReply learns from an answer to a prompt of so many bytes, and warns once of a setting that spoils the answers of
// this model.
func (c *client) warnOfReply(rec *call, bytes int) {
	c.lateInRow.Store(0)
	r := &rec.reply
	whole := uint64(bytes) * 1000 / startBytesPerToken
	if r.usage.hasPrompt && r.usage.prompt > 0 && r.usage.prompt*100 < whole*minReadPercent {
		c.warnedCut.Do(func() {
			c.warn(fmt.Sprintf("model %q read %d tokens of a prompt of about %d: its server cuts prompts without a word; start it with a larger context (num_ctx of Ollama) or set minds.models.%s.context to what it has",
				c.Name, r.usage.prompt, whole, c.Name))
		})
		return // tells nothing about bytes per token
	}
	c.size.learn(bytes, r.usage.prompt)
	if !r.onlyThoughts() {
		return
	}
	c.warnedReasoning.Do(func() {
		if r.wasCut() {
			c.warn(fmt.Sprintf("model %q spent all %stokens of an answer on reasoning: raise minds.models.%s.max_output or lower its effort", c.Name, r.number(), c.Name))
			return
		}
		c.warn(fmt.Sprintf("model %q ended an answer after its reasoning, with room for more: lower minds.models.%s.effort, or turn reasoning off on the server", c.Name, c.Name))
	})
}

// warnOfShortContext warns once of a context that is too small for whole prompts: an agent whose prompt has no room for
// affordances does nothing and falls dormant.
func (c *client) warnOfShortContext(p *llm.Prompt) {
	if p.Shortened() {
		c.warnedShortContext.Do(func() {
			c.warn(fmt.Sprintf("model %q has %d tokens for prompt and answer, of which answers may take %d: prompts do not fit, and what is least useful is left out of them; raise minds.models.%s.context and the server's, or lower max_output",
				c.Name, c.current().context(c.Model), p.MaxTokens, c.Name))
		})
	}
}

// warnOfTemplates warns once of each template of the scenario that failed in a prompt.
func (c *client) warnOfTemplates(p *llm.Prompt) {
	for _, f := range p.FailedTemplates() {
		if !c.warnedTemplates[f.Section].Swap(true) {
			c.warn(fmt.Sprintf("the template prompts.%s failed in a prompt, which has the built-in section instead: %v (kingdom prompt shows prompts without asking a model)", f.Section, f.Err))
		}
	}
}

// warnAfterLate is the number of calls in a row without an answer in time after which a person is warned. One may be an
// accident. A server that is too slow, or gets more calls at once than it can answer, is late with nearly all.
const warnAfterLate = 3

// warnOfLateAnswers warns once of a model whose answers do not come within this time: nothing else on the terminal tells such
// a run from one that works.
func (c *client) warnOfLateAnswers(limit time.Duration) {
	if c.lateInRow.Add(1) < warnAfterLate {
		return
	}
	c.warnedLate.Do(func() {
		c.warn(fmt.Sprintf("model %q gave no answer within %v, %d times in a row, and each cost a slot: raise minds.models.%s.timeout, lower its max_output, or set concurrency to what its server answers at once",
			c.Name, limit, warnAfterLate, c.Name))
	})
}

// warnOfRefusal says what the model is asked with from now on because its server refused a call, and what to set so that
// other runs are spared the refusal.
func (c *client) warnOfRefusal(rec *call, next *profile) {
	old, model := rec.profile, "minds.models."+c.Name+"."
	var what, fix string
	switch {
	case next.output != old.output:
		what = fmt.Sprintf("the form %v: it is asked for %v from now on", old.output, next.output)
		fix = fmt.Sprintf("set %soutput=%v", model, next.output)
	case next.capName != old.capName:
		what = fmt.Sprintf("%s: it gets %s from now on", old.capName, next.capName) // there is nothing to set
	case next.statedContext != old.statedContext:
		what = fmt.Sprintf("a prompt for its length: prompt and answer take %d tokens at most from now on", next.statedContext)
		fix = "start it with a larger context, or set " + model + "context to what it has"
	default:
		field := dropped(old, next)
		setting := field
		if c.Extra[field] != nil {
			setting = "extra." + field
		} else if field == "reasoning_effort" {
			setting = "effort"
		}
		what = field + ": it is asked without it from now on"
		fix = "leave " + model + setting + " out of the scenario"
	}
	if fix != "" {
		fix = "; " + fix + " to spare the next run this refusal"
	}
	c.warn(fmt.Sprintf("the server of model %q refuses %s%s (%s)", c.Name, what, fix, c.at.redactor.clean(rec.text())))
}

// dropped returns the field that next drops and old does not.
func dropped(old, next *profile) string {
	for field := range next.drop {
		if !old.drop[field] {
			return field
		}
	}
	return ""
}
