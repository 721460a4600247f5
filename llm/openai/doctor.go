package openai

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kingdom/llm"
	"kingdom/llm/keyward"
	"kingdom/wire/action"
)

// probeOutput is the most tokens that the one call of [Examine] may answer.
const probeOutput = 64

// Examine checks everything that a run relies on: what [Preflight] checks, one call of at most 64 output tokens and the
// form of its answer, and whether the context has room for prompts with a system message of this many tokens. If a
// server refuses a field, it is asked again without it, as in a run, so there may be several requests of which only
// one is answered.
func Examine(ctx context.Context, m *Model, key keyward.Key, system uint64) []Check {
	l, bad := newChecker(m, key)
	if bad != nil {
		return bad
	}
	defer l.transport.close()
	checks := l.preflight(ctx)
	for i := range checks {
		if checks[i].State == Failed { // the later checks depend on it
			return checks[:i+1]
		}
	}
	p := l.call(ctx)
	if p.rec.failure != FailureNone {
		failed := l.failedCall(&p)
		switch failed.Failure {
		case FailureAuth:
			checks[1] = l.refusedKey(p.text)
		case FailureModel:
			checks[2] = Check{Name: "model", State: Failed, Failure: FailureModel, Found: p.text, Fix: "set " + l.field("model") + " to a name that the server knows, and see whether " + l.field("endpoint") + " lacks its /v1"}
		default: // nothing new about key and model
		}
		return append(append(checks, l.checkServer(ctx, system)...), failed)
	}
	for i := 1; i <= 2; i++ { // the answer proves what the list of models did not say
		if checks[i].State == Skipped {
			checks[i].State, checks[i].Found = OK, "the call was answered"
		}
	}
	checks = append(checks, l.checkServer(ctx, system)...)
	return append(checks, l.checkCall(&p), l.checkOutput(&p), l.checkCap(&p), l.checkUsage(&p), l.checkReasoning(&p), l.checkPrice(&p))
}

// probe is the one call that Examine makes.
type probe struct {
	client *client
	rec    *call
	paid   llm.Call
	sent   int    // requests, refused ones included
	bytes  int    // of the prompt
	text   string // what the server said when it failed or refused something
}

// The prompt asks only for a greeting. If the answer still has the form of the schema, the server enforces the schema.
// Some servers require that the prompt contains the word JSON.
const (
	probeSystem = "You greet people. If you are asked for JSON, greet in JSON."
	probeUser   = "Greet me in one word."
)

func (l *checker) call(ctx context.Context) probe {
	small := *l.m
	small.MaxOutput = probeOutput
	if small.Timeout == 0 {
		small.Timeout = DefaultTimeout
	}
	c := &client{Model: &small, at: newEndpoint(&small, l.transport, l.redactor), profile: newProfile(&small), wasRefused: func() {}, warn: func(string) {}} // the checks say what is refused
	asked := llm.Prompt{MaxContext: l.m.MaxContext, MaxTokens: probeOutput}
	for _, name := range []string{"nop", "msg_post"} {
		if row, ok := action.ByName(name); ok {
			asked.Actions = append(asked.Actions, row)
		}
	}
	p := probe{client: c, bytes: len(probeSystem) + len(probeUser)}
	for left := small.Timeout; ; {
		p.sent++
		p.rec = c.call(ctx, c.request(c.profile, &asked, []byte(probeSystem), "", []byte(probeUser)), &left)
		paid := c.charge(p.rec, c.size.estimate(p.bytes))
		p.paid.Spent.Add(&paid.Spent)
		p.paid.LatencyMS, p.paid.Estimated = paid.LatencyMS, paid.Estimated
		if p.rec.failure == FailureNone {
			return p
		}
		p.text = l.redactor.clean(p.rec.text())
		p.rec.profile = c.profile
		if p.sent > maxRepairs || !c.repair(p.rec) {
			return p
		}
	}
}

// failedCall returns the check of a call that brought no answer.
func (l *checker) failedCall(p *probe) Check {
	c := Check{Name: "call", State: Failed, Failure: p.rec.failure, Found: p.rec.failure.String() + ": " + p.text}
	switch p.rec.failure {
	case FailureQuota:
		c.Fix = "add credit at the provider, use another key, or wait if it is an allowance for a day that is used up"
	case FailureAuth:
		c.Fix = "see the key above"
	case FailureModel:
		c.Fix = "see the model above"
	case FailureRate:
		c.Fix = "wait, and declare the endpoint's limits: " + l.field("requests_per_minute") + ", " + l.field("tokens_per_minute")
	case FailureTimeout:
		c.Found = fmt.Sprintf("no answer within %v", p.client.Timeout.Round(time.Millisecond))
		c.Fix = "raise " + l.field("timeout") + ", or take a smaller model or a faster machine"
	case FailureContext:
		c.Fix = "set " + l.field("context") + " to what the message says, and start the server with more: prompts take some 8,000 tokens"
	case FailureParam, FailureSchema:
		c.Fix = "set " + l.field("output") + "=prompt, and leave out what the message names (temperature, seed, effort, extra)"
	case FailureRedirected:
		c.Fix = l.fixRedirect()
	default:
		c.Fix = "try again in a moment; if it stays so, look at the server's log"
	}
	return c
}

func (l *checker) checkCall(p *probe) Check {
	found := fmt.Sprintf("answered in %d ms", p.paid.LatencyMS)
	if p.sent > 1 {
		found += fmt.Sprintf(", after %d requests that were refused and cost nothing", p.sent-1)
	}
	return Check{Name: "call", State: OK, Found: found}
}

// checkOutput checks how strictly the server enforces the form of an answer.
func (l *checker) checkOutput(p *probe) Check {
	c := Check{Name: "output", State: OK}
	wanted := newProfile(l.m).output
	got := p.client.profile.output
	text := strings.TrimSpace(p.rec.reply.text)
	object := strings.HasPrefix(text, "{")
	ours := object && strings.HasPrefix(strings.TrimLeft(text[1:], " \t\r\n"), `"reasoning"`)
	switch {
	case got != wanted && (got == OutputJSON || got == OutputPrompt):
		c.State, c.Failure = Failed, FailureSchema
		c.Found = fmt.Sprintf("the server refuses %s and takes %s (%s)", wanted, got, p.text)
		c.Fix = fmt.Sprintf("set %s=%s", l.field("output"), got)
	case got == OutputPrompt:
		c.Found = "prompt: nothing but the prompt's words asks for the form"
	case p.rec.reply.onlyThoughts() && !p.rec.reply.wasCut():
		c.State, c.Failure = Failed, FailureOther
		c.Found = "the answer is empty: the model ended it after its thinking, with room for more"
		c.Fix = "turn thinking off on the server, set " + l.field("effort") + " lower, or use another model"
	case text == "":
		c.State, c.Found = Skipped, fmt.Sprintf("the answer is empty: the %d tokens of this test went to thinking", probeOutput)
	case !object || got <= OutputSmall && !ours:
		c.State, c.Failure = Failed, FailureSchema
		c.Found = fmt.Sprintf("the server takes %s and does not hold the model to it; it said %q", got, cut(l.redactor.clean(text), 40))
		c.Fix = "use a server or model with structured output, or set " + l.field("output") + "=prompt"
	case got != wanted:
		c.State = Warned
		c.Found = fmt.Sprintf("%s; the server refuses the schema, and a run goes on so by itself (%s)", got, p.text)
		c.Fix = fmt.Sprintf("set %s=%s to spare a run the refusal", l.field("output"), got)
	default:
		c.Found = got.String()
	}
	return c
}

func (l *checker) checkCap(p *probe) Check {
	name := p.client.profile.capName
	if n := p.rec.reply.usage.completion; n > probeOutput {
		return Check{
			Name: "cap", State: Failed, Failure: FailureParam, Found: fmt.Sprintf("%s is ignored: %d tokens came where %d were allowed", name, n, probeOutput),
			Fix: "bound the answers on the server, and declare " + l.field("max_output") + " no smaller than that",
		}
	}
	return Check{Name: "cap", State: OK, Found: name}
}

func (l *checker) checkUsage(p *probe) Check {
	u := &p.rec.reply.usage
	if !u.hasPrompt || !u.hasCompletion || u.prompt == 0 {
		what := "does not report tokens"
		if u.unusable > 0 || u.hasPrompt && u.prompt == 0 {
			what = "reports impossible numbers of tokens"
		}
		return Check{Name: "usage", State: Skipped, Found: "the server " + what + "; they are estimated from the length of the texts"}
	}
	told := []string{}
	if u.hasCached {
		told = append(told, "cached_tokens")
	}
	if u.hasWritten {
		told = append(told, "cache_write_tokens")
	}
	if u.hasReasoning {
		told = append(told, "reasoning_tokens")
	}
	if u.hasCost {
		told = append(told, "cost")
	}
	found := fmt.Sprintf("prompt_tokens %d, completion_tokens %d", u.prompt, u.completion)
	if len(told) > 0 {
		found += ", also " + strings.Join(told, ", ")
	}
	return Check{Name: "usage", State: OK, Found: found}
}

func (l *checker) checkReasoning(p *probe) Check {
	r := &p.rec.reply
	c := Check{Name: "reasoning", State: OK, Found: "none seen"}
	switch {
	case r.thoughts != "":
		c.Found = fmt.Sprintf("the model thinks aloud (%s); it counts as output", r.thoughts)
	case r.usage.reasoning > 0:
		c.Found = fmt.Sprintf("the model thinks unseen: %d reasoning_tokens; they count as output", r.usage.reasoning)
	default:
		return c
	}
	if l.m.MaxOutput < 2048 && (r.wasCut() || !r.onlyThoughts()) { // an answer that ended by itself does not get longer
		c.State, c.Failure = Failed, FailureOther
		c.Found += fmt.Sprintf("; %s is %d", l.field("max_output"), l.m.MaxOutput)
		c.Fix = "set " + l.field("max_output") + " to 4096 or more, or " + l.field("effort") + " lower"
	}
	return c
}

// checkPrice says what the call cost by the declared prices. If none are declared, it suggests those that the server
// lists.
func (l *checker) checkPrice(p *probe) Check {
	c := Check{Name: "price", State: OK, Found: fmt.Sprintf("%.6f USD for this call", float64(p.paid.CostMicroUSD)/1e6)}
	in, out := l.listedPrice("prompt"), l.listedPrice("completion")
	switch {
	case p.rec.reply.usage.hasCost:
		c.Found += ", as the server says"
	case l.m.Prices != Prices{}:
		c.Found += ", by the declared prices"
	case in > 0 || out > 0:
		c.State, c.Failure = Failed, FailureOther
		c.Found = "no price is declared, so every call counts as free"
		c.Fix = fmt.Sprintf("set %s=%s and %s=%s, which the server tells", l.field("price_input"), dollars(in), l.field("price_output"), dollars(out))
	case l.local:
		c.Found = "no price is declared: calls count as free"
	default:
		c.State, c.Failure = Failed, FailureOther
		c.Found = "no price is declared, so every call counts as free"
		c.Fix = "set " + l.field("price_input") + " and price_output (dollars per million tokens) from the provider's page"
	}
	return c
}

// listedPrice returns a price, in dollars per million tokens, from the server's list of models; 0 if there is none.
func (l *checker) listedPrice(name string) float64 {
	perToken, err := strconv.ParseFloat(stringOf(jsonField(l.entry["pricing"], name)), 64)
	if err != nil || perToken < 0 || perToken > 1 {
		return 0
	}
	return perToken * 1e6
}

func dollars(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
