package openai

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"kingdom/llm"
	"kingdom/llm/spend"
)

// retries is how often a call is repeated inside one think.
const retries = 2

// Mind asks language models. It is safe for concurrent use.
type Mind struct {
	tiers  [3][]*client
	jitter func() float64 // in [0,1)
	ledger *spend.Ledger
}

// client is one model and what was learned about it.
type client struct {
	*Model
	at      *endpoint
	limits  *modelLimits
	size    bytesPerToken
	mu      sync.Mutex
	profile *profile
	// repairing is held while the profile changes and the change is told, and before mu.
	repairing sync.RWMutex
	bodies    sync.Pool // *request: buffers of earlier requests

	wasRefused         func()       // called after each change of profile
	warn               func(string) // warns a person
	warnedCut          sync.Once
	warnedReasoning    sync.Once
	warnedShortContext sync.Once
	warnedLate         sync.Once
	warnedTemplates    [llm.SectionAffordances + 1]atomic.Bool
	lateInRow          atomic.Int32 // calls in a row without an answer in time
}

// Think implements engine.Mind. Whatever a provider does becomes the outcome of the thought. An error means that what
// was spent could not be recorded.
func (m *Mind) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	th, _, err := m.ThinkWithin(ctx, p, math.MaxInt64)
	return th, err
}

// ThinkWithin implements engine.SelfTimedMind. rest limits the time of all calls of this thought together, and the model's
// timeout the calls to one model. Waiting for the limits that all agents share does not count towards either: with a
// thousand agents and a slow endpoint it takes minutes. used is the time of the calls and the pauses between them.
func (m *Mind) ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (th llm.Thought, used time.Duration, err error) {
	return m.within(ctx, promptQuestion{p}, rest)
}

// question is what a model is asked.
type question interface {
	// payer returns who is charged; its model is not set.
	payer() spend.Payer
	// prepare writes the messages for a model with a profile. The error says why the model cannot be asked.
	prepare(c *client, with *profile) (messages, error)
}

// messages are written for a model.
type messages struct {
	size   int            // bytes
	system uint64         // tokens of what cannot be left out; 0: nothing can
	encode func() request // makes a request of them
}

// least returns the tokens that the messages and an answer take at least, 0 if the messages cannot be made shorter.
func (q *messages) least(m *Model) uint64 {
	if q.system == 0 {
		return 0
	}
	return q.system + llm.LeastUser + m.MaxOutput
}

// promptQuestion asks for the thought of a prompt.
type promptQuestion struct{ p *llm.Prompt }

func (q promptQuestion) payer() spend.Payer {
	return spend.Payer{Agent: q.p.Identity.ID, Tier: q.p.Tier}
}

func (q promptQuestion) prepare(c *client, with *profile) (messages, error) {
	asked := *q.p
	form := formOf(with.output)
	asked.MaxContext, asked.MaxTokens = contextAfter(form, with.context(c.Model)), c.MaxOutput
	system, user := asked.Messages()
	c.warnOfShortContext(&asked)
	c.warnOfTemplates(&asked)
	return messages{
		size: len(system) + len(form) + len(user), system: uint64(llm.Tokens(len(system) + len(form))),
		encode: func() request { return c.request(with, &asked, system, form, user) },
	}, nil
}

// within asks the models of a tier, one after the other, until one of them gives an answer.
func (m *Mind) within(ctx context.Context, q question, rest time.Duration) (th llm.Thought, used time.Duration, err error) {
	start := time.Now()
	var calls []llm.Call
	for _, c := range m.tiers[q.payer().Tier-1] {
		limit := min(c.Timeout, rest-used)
		left := limit
		next, out := m.ask(ctx, c, q, &left, &calls)
		used += limit - left
		if !th.Outage || next.Outcome != llm.RefusedBudget || next.Capped != nil { // an endpoint that is out may come back; a cap stays reached
			th = next
		}
		if !out {
			break
		}
	}
	th.Calls = calls
	for i := range calls {
		th.Spent.Add(&calls[i].Spent)
	}
	th.LatencyMS = uint64(time.Since(start).Milliseconds())
	return th, used, m.ledger.Err()
}

// ask gets a thought from one model. It takes from left the time that its calls and the
// pauses between them need, and appends what was sent to calls. out says that its endpoint
// cannot give one now, or a cap forbids it, so that another may be asked.
func (m *Mind) ask(ctx context.Context, c *client, q question, left *time.Duration, calls *[]llm.Call) (th llm.Thought, out bool) {
	limit := *left
	payer := q.payer()
	payer.Model = c.Name
	for try, repairs := 0, 0; ; {
		prof := c.current()
		written, err := q.prepare(c, prof)
		if err != nil {
			return llm.Thought{Outcome: llm.ProviderError, Model: c.Name, Error: err.Error()}, true
		}
		if most := prof.statedContext; most != 0 && most < written.least(c.Model) { // an earlier process learned it
			return c.notSent(ctx, c.noRoom(most, written.system, ""))
		}
		estimate := c.size.estimate(written.size)
		t, err := c.at.gate.acquire(ctx, c.limits, estimate+c.MaxOutput)
		if err != nil {
			return c.notSent(ctx, err)
		}
		hold, err := m.ledger.Reserve(ctx, payer, c.worst(written.size))
		if err != nil {
			c.at.gate.cancel(t)
			return c.notSent(ctx, err)
		}
		rec := c.call(ctx, written.encode(), left)
		rec.profile, rec.takes, rec.least = prof, uint64(llm.Tokens(written.size))+c.MaxOutput, written.least(c.Model)
		paid := c.charge(rec, estimate)
		good := rec.failure == FailureNone || rec.failure == FailureFiltered
		if good { // lets the next call be sent while this one is booked
			c.at.gate.answered(t, paid.PromptTokens+paid.OutputTokens, exhausted(rec.header, time.Now()))
		}
		hold.Settle(&paid)
		*calls = append(*calls, paid)
		if good {
			c.warnOfReply(rec, written.size)
			return c.thought(rec), false
		}
		text := c.at.redactor.clean(rec.text())
		if rec.failure == FailureTimeout && *left <= 0 {
			text = fmt.Sprintf("no answer within %v", limit)
			c.warnOfLateAnswers(limit)
		}
		wait, asked, again := m.retryWait(rec, try)
		out := c.at.gate.failed(t, rec.failure, text, asked)
		if !out && try == retries && rec.unreached() {
			c.at.gate.open(t, rec.failure, text) // otherwise each thought would cost a slot until the breaker opens by itself
			out = true
		}
		if repairs < maxRepairs && c.repair(rec) {
			repairs++ // the next request is another one, so this is not a retry
			continue
		}
		if rec.failure == FailureContext && rec.least > 0 && repairs < maxRepairs {
			th := c.failed(rec, "")
			th.Outage, th.Error = true, c.at.gate.modelOut(t, c.noRoom(contextSize(rec.serverError.message), written.system, text)).Error()
			return th, true
		}
		if out || !again || try >= retries || wait >= *left || !hasTimeFor(ctx, wait) {
			th := c.failed(rec, text)
			if out && th.Outcome != llm.Interrupted {
				th.Outage, th.Error = true, c.at.gate.outError(t, rec.failure, text).Error()
			}
			return th, out
		}
		try++
		*left -= wait
		if !sleep(ctx, wait) {
			return c.failed(&call{failure: failureOf(ctx, ctx.Err())}, text), false
		}
	}
}

// call makes one call within the time that is left and subtracts the time that the call took.
func (c *client) call(ctx context.Context, r request, left *time.Duration) *call {
	begin := time.Now() // before the limit is set, so that nothing is left when it is reached
	limited, cancel := context.WithTimeout(ctx, *left)
	defer cancel()
	rec := c.send(limited, r)
	*left -= time.Since(begin)
	return rec
}

// retryWait reports whether a call may be repeated, and after which wait. asked is the wait that the server asked for; 0
// if it asked for none.
func (m *Mind) retryWait(rec *call, try int) (wait, asked time.Duration, again bool) {
	again = rec.failure.retried()
	switch rec.header.Get("x-should-retry") {
	case "true":
		again = !rec.failure.permanent()
	case "false":
		again = false
	}
	asked, ok, refuse := retryAfter(rec.header, rec.serverError.delay, time.Now())
	if !ok {
		return backoff(try, m.jitter()), 0, again
	}
	return asked, asked, again && !refuse
}

// hasTimeFor reports whether a wait leaves time to ask again.
func hasTimeFor(ctx context.Context, wait time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || time.Until(end) > wait
}

// sleep waits, false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// send makes one call.
func (c *client) send(ctx context.Context, r request) *call {
	rec := &call{body: r, begun: time.Now()}
	asked := goopenai.ChatCompletionRequest{Model: c.ID} // the transport replaces it by the whole request
	if _, err := c.at.client.CreateChatCompletion(context.WithValue(ctx, callKey{}, rec), asked); err != nil && rec.failure == FailureNone {
		rec.failure, rec.err = FailureGarbled, err
	}
	rec.took = time.Since(rec.begun)
	c.recycle(rec)
	return rec
}

// thought returns the thought of a call that was answered.
func (c *client) thought(rec *call) llm.Thought {
	return llm.Thought{Outcome: llm.Answered, Text: []byte(c.at.redactor.answer(rec.reply.text)), Model: c.Name, Error: c.at.redactor.clean(rec.unusable())}
}

// unusable says why an answer cannot be used; "" if only its text decides.
func (c *call) unusable() string {
	r := &c.reply
	switch {
	case c.failure == FailureFiltered:
		return "stopped by a content filter: " + c.serverError.message
	case r.refusal != "":
		return "refused by the model: " + r.refusal
	case r.finish == "content_filter":
		return "stopped by a content filter"
	case r.onlyThoughts() && r.wasCut():
		return fmt.Sprintf("all %stokens went to reasoning; raise max_output or lower the effort", r.number())
	case r.onlyThoughts():
		return "the model ended its answer after its reasoning; lower the effort, or turn reasoning off on the server"
	case r.wasCut():
		return "cut at max_output tokens"
	case r.broken > 0:
		return fmt.Sprintf("the answer is not UTF-8 at byte %d", r.broken)
	case r.tools:
		return "the model called a tool instead of answering"
	case r.text == "":
		return "empty answer"
	}
	return ""
}

// text returns what is known about a failure.
func (c *call) text() string {
	switch {
	case c.failure == FailureRedirected:
		return fmt.Sprintf("status %d to %s", c.status, place(c.header.Get("Location")))
	case c.serverError.message != "":
		return c.serverError.message
	case errors.Is(c.err, errGarbled) && len(c.errorBody) > 0:
		return c.err.Error() + ": " + pageText(string(c.errorBody))
	case c.err != nil:
		return c.err.Error()
	case len(c.errorBody) > 0:
		return string(c.errorBody)
	}
	return fmt.Sprintf("status %d", c.status)
}

// place returns a redirect's target without what may be secret in it: user, query and fragment.
func place(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return "another place"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// failed returns the thought of a call that brought no answer.
func (c *client) failed(rec *call, text string) llm.Thought {
	th := llm.Thought{Outcome: llm.ProviderError, Model: c.Name, Error: rec.failure.String() + ": " + text}
	switch rec.failure {
	case FailureContext:
		th.Error += "; set minds.models." + c.Name + ".context to less, or start the server with more"
	case FailureTimeout:
		th.Outcome = llm.TimedOut
	case FailureInterrupted:
		th.Outcome = llm.Interrupted
	default: // nothing to do for the others
	}
	return th
}

// notSent returns the thought of a call that was never sent.
func (c *client) notSent(ctx context.Context, err error) (llm.Thought, bool) {
	th := llm.Thought{Outcome: llm.ProviderError, Model: c.Name, Error: err.Error()}
	var out *OutError
	var capped *spend.CapError
	switch {
	case errors.As(err, &capped):
		th.Outcome = llm.RefusedBudget
		if capped.OfRun() {
			th.Capped = &llm.Capped{Cap: capped.CapMicroUSD, Spent: capped.SpentMicroUSD, Call: capped.CallMicroUSD}
		}
		return th, th.Capped == nil
	case errors.As(err, &out):
		th.Outage = true
		return th, true
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		th.Outcome, th.Error = llm.TimedOut, "the call was not sent before the deadline, because the endpoint's limits are lower than the demand; raise requests_per_minute, tokens_per_minute or concurrency"
	case ctx.Err() != nil:
		th.Outcome = llm.Interrupted
	}
	return th, false
}
