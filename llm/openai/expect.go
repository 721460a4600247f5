package openai

import "kingdom/llm"

// Assumptions about calls before any was made. Prompts have been measured at 3.2 to 3.4 bytes per token. An answer is
// as long as the scripted mind's plus a sentence or two of reasons. A model that is told to reason uses a fourth of
// max_output for it.
const (
	expectedBytesPerToken = 3300 // thousandths
	expectedReasons       = 40   // tokens
	thinkingShare         = 4    // the divisor of max_output
)

// Expected is an estimate of what a number of calls will take.
type Expected struct {
	PromptTokens uint64
	OutputTokens uint64
	CostMicroUSD uint64
	MostMicroUSD uint64 // with three bytes a token and answers as long as they may be
}

// PromptBytes returns the length of the messages that the model gets for a prompt.
func (m *Model) PromptBytes(p *llm.Prompt) int {
	system, user := m.Messages(p)
	return len(system) + len(user)
}

// Expect estimates what a number of calls will take, from the bytes of their prompts and the bytes of the answers
// that the scripted mind gave. It assumes that nothing is in the server's cache.
func (m *Model) Expect(calls, prompts, answers uint64) Expected {
	t := tokens{prompt: prompts * 1000 / expectedBytesPerToken, output: answers*1000/expectedBytesPerToken + calls*expectedReasons}
	if m.Effort != "" && m.Effort != "none" && m.Effort != "minimal" {
		t.output += calls * m.MaxOutput / thinkingShare
	}
	most := m.Prices.dearest(prompts*1000/startBytesPerToken+calls, calls*m.MaxOutput)
	t.output = min(t.output, most.output)
	x := Expected{PromptTokens: t.prompt, OutputTokens: t.output, CostMicroUSD: m.Prices.cost(&t), MostMicroUSD: m.Prices.cost(&most)}
	if x.MostMicroUSD > 0 {
		x.MostMicroUSD += calls // each is rounded up
	}
	return x
}
