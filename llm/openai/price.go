package openai

import (
	"cmp"
	"sync/atomic"

	"kingdom/llm"
)

// maxOverEstimate bounds the counts that a server reports: one that exceeds the estimate, or the most that was asked for,
// by more than this factor is not believed.
const maxOverEstimate = 10

// tokens are what a call is charged for.
type tokens struct {
	prompt, output uint64
	cached         uint64 // part of prompt
	written        uint64 // into the cache; another part of prompt
	reasoning      uint64 // part of output
	estimated      bool   // at least one count is ours, not the server's
}

// charge returns what a call took, whether it brought an answer or not. The numbers that the server reports count, also
// with a failure. If it reports none, an error costs nothing, and an answer is estimated by its length. A call whose
// reply was not received, or that a server or proxy gave up while the model worked, counts as the most that it can have
// cost, since most providers charge for it.
func (c *client) charge(rec *call, promptEstimate uint64) llm.Call {
	out := llm.Call{Model: c.Name}
	if rec.failure != FailureNone {
		out.Failure = rec.failure.String()
	}
	out.LatencyMS = uint64(rec.took.Milliseconds())
	r := &rec.reply
	var t tokens
	switch {
	case r.usage.hasPrompt || r.usage.hasCompletion || rec.failure == FailureNone:
		u, answer := r.usage, c.size.estimate(len(r.text)+r.thinking)
		if rec.failure == FailureGarbled {
			answer = min(c.size.estimate(len(rec.errorBody)), c.MaxOutput)
		}
		if rec.failure == FailureNone { // a server that does not count may report 0, which no answer takes
			u.hasPrompt = u.hasPrompt && u.prompt > 0
			u.hasCompletion = u.hasCompletion && (u.completion > 0 || answer == 0)
		}
		t = tokensUsed(&u, promptEstimate, answer, c.MaxOutput)
	case rec.replyRead && rec.failure == FailureGarbled:
		t = tokens{prompt: promptEstimate, output: min(c.size.estimate(len(rec.errorBody)), c.MaxOutput), estimated: true}
	case rec.replyRead && !rec.abandoned() || !rec.requestSent.Load() && rec.status == 0: // a status says that the request got there, even if writing it ended badly
	default:
		t = c.Prices.dearest(promptEstimate, c.MaxOutput)
		t.estimated = true
	}
	out.PromptTokens, out.CachedTokens, out.OutputTokens, out.ReasoningTokens = t.prompt, t.cached, t.output, t.reasoning
	out.CostMicroUSD, out.Estimated = c.Prices.cost(&t), t.estimated
	if r.usage.hasCost {
		out.CostMicroUSD = r.usage.costMicroUSD
	}
	return out
}

// abandoned reports whether an error says that the model had begun to work: the time for its answer was over, or the
// answer broke off.
func (c *call) abandoned() bool { return c.failure == FailureTimeout || c.reply.stopped }

// worst returns the most that a call with so many bytes of prompt may take by the declared prices: nothing of the prompt
// is in the server's cache, all of it is written there if that costs more, and the answer is as long as it may be. The
// ledger knows if the server has charged more.
func (c *client) worst(bytes int) llm.Spent {
	perToken := min(c.size.get(), startBytesPerToken)
	t := c.Prices.dearest((uint64(bytes)*1000+perToken-1)/perToken, c.MaxOutput)
	return llm.Spent{PromptTokens: t.prompt, OutputTokens: t.output, CostMicroUSD: c.Prices.cost(&t), Estimated: true}
}

// tokensUsed returns what a call used: the counts that the server reported if they are plausible, otherwise the
// estimates. A count of an answer is compared with maxOutput, not only with its text, since many servers do not say how much
// of it was thought, and some think for longer than they may. One that is not believed counts as maxOutput at least.
func tokensUsed(u *usage, promptEstimate, outputEstimate, maxOutput uint64) tokens {
	t := tokens{prompt: u.prompt, output: u.completion, cached: u.cached, written: u.written, reasoning: u.reasoning}
	if !u.hasPrompt || u.prompt > maxOverEstimate*promptEstimate {
		t.prompt, t.cached, t.written, t.estimated = promptEstimate, 0, 0, true
	}
	if !u.hasCompletion {
		t.output, t.estimated = outputEstimate, true
	} else if u.completion > maxOverEstimate*max(maxOutput, outputEstimate)+u.reasoning {
		t.output, t.estimated = max(maxOutput, outputEstimate), true
	}
	t.reasoning = min(t.reasoning, t.output)
	return t
}

// cost is the price of a call in micro-dollars, rounded up.
func (p *Prices) cost(t *tokens) uint64 {
	cached := min(t.cached, t.prompt)
	written := min(t.written, t.prompt-cached)
	sum := (t.prompt-cached-written)*p.Input + cached*p.CachedInput + written*p.cacheWrite() + t.output*p.Output
	return (sum + 999_999) / 1_000_000
}

// cacheWrite is the price of input tokens that the server wrote into its cache.
func (p *Prices) cacheWrite() uint64 { return cmp.Or(p.CacheWrite, p.Input) }

// dearest returns the tokens of a call that reads nothing from the server's cache, and writes all of the prompt there if
// that costs more.
func (p *Prices) dearest(prompt, output uint64) tokens {
	t := tokens{prompt: prompt, output: output}
	if p.cacheWrite() > p.Input {
		t.written = prompt
	}
	return t
}

// bytesPerToken learns how many bytes of a prompt make a token for one model, so
// that limits and caps count what the server will count. It influences nothing
// that is hashed. The value is kept in thousandths.
type bytesPerToken struct{ milli atomic.Uint64 }

const (
	startBytesPerToken = 3000 // thousandths; ids of 64 digits cost more tokens than prose
	floorBytesPerToken = 2000
)

func (b *bytesPerToken) get() uint64 {
	if v := b.milli.Load(); v != 0 {
		return v
	}
	return startBytesPerToken
}

// estimate is the number of tokens of n bytes, rounded up.
func (b *bytesPerToken) estimate(n int) uint64 { return (uint64(n)*1000 + b.get() - 1) / b.get() }

// learn moves the value a tenth of the way to the ratio of one call.
func (b *bytesPerToken) learn(n int, reported uint64) {
	if reported == 0 || n == 0 {
		return
	}
	seen := max(uint64(n)*1000/reported, floorBytesPerToken)
	old := b.get()
	b.milli.Store((old*9 + seen) / 10)
}
