package openai_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/llm/openai"
)

// Two answers, or an answer followed by more braces, are refused; the first one is never taken for the whole.
func TestThink_TwoAnswersAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"prose with braces": nopAnswer + ` I chose {"action":"nop"} since nothing else fits.`,
		"two answers":       nopAnswer + "\n" + nopAnswer,
		"two fences":        "```json\n" + nopAnswer + "\n```\n```json\n" + nopAnswer + "\n```",
	} {
		l := newLab(t, fakellm.Always(fakellm.Content(text, "stop")), nil)
		th := l.think(t, 10*time.Second)
		if th.Outcome != llm.Answered {
			t.Fatalf("%s: %v (%s)", name, th.Outcome, th.Error)
		}
		_, err := llm.Parse(th.Text, l.prompt.Actions, nil)
		if bad := new(llm.ParseError); !errors.As(err, &bad) || !strings.Contains(err.Error(), "a second object follows") {
			t.Errorf("%s: parsed as %v", name, err)
		}
	}
}

// What a reply calls its model is nothing that the world or the log takes over.
func TestThink_ReplyOfAnotherModel(t *testing.T) {
	for name, model := range map[string]string{
		"another name":       `gpt-x-2031`,
		"1 MB":               strings.Repeat("m", 1<<20-4096),
		"control characters": `\u0007\u001b[31mred\u0000`,
		"the key":            plantedKey,
	} {
		reply := `{"model":"` + model + `","choices":[{"index":0,"message":{"content":` + quoted(nopAnswer) + `},"finish_reason":"stop"}]}`
		l := newLab(t, fakellm.Always(body(200, reply)), nil)
		th := l.think(t, 10*time.Second)
		if th.Outcome != llm.Answered || th.Model != "default" || string(th.Text) != nopAnswer || len(th.Calls) != 1 || th.Calls[0].Model != "default" {
			t.Errorf("%s: %v of %.40q, text %.80q, %d calls: %.80s", name, th.Outcome, th.Model, th.Text, len(th.Calls), th.Error)
		}
	}
}

// Reasoning beside the answer is not read as the answer, wherever a server puts it. If the server does not report its
// tokens, its length is counted.
func TestThink_ReasoningFieldsAreNotTheAnswer(t *testing.T) {
	thoughts := strings.Repeat(`{\"action\":\"msg_post\"} `, 40_000) // about 1 MB
	answer := quoted(nopAnswer)
	for name, message := range map[string]string{
		"reasoning":         `{"reasoning":"` + thoughts + `","content":` + answer + `}`,
		"reasoning_content": `{"reasoning_content":"` + thoughts + `","content":` + answer + `}`,
		"parts":             `{"content":[{"type":"thinking","thinking":[{"type":"text","text":"` + thoughts + `"}]},{"type":"text","text":` + answer + `}]}`,
		"tag in a part":     `{"content":[{"type":"text","text":"<think>` + thoughts + `</think>"},{"type":"text","text":` + answer + `}]}`,
		"only thoughts":     `{"reasoning_content":"` + thoughts + `","content":""}`,
	} {
		l := newLab(t, fakellm.Always(body(200, completion(message))), nil)
		th := l.think(t, 20*time.Second)
		want, says := nopAnswer, ""
		if name == "only thoughts" {
			want, says = "", "the model ended its answer after its reasoning"
		}
		if th.Outcome != llm.Answered || string(th.Text) != want || !strings.Contains(th.Error, says) {
			t.Errorf("%s: %v, text %.80q: %.80s", name, th.Outcome, th.Text, th.Error)
		}
		if th.OutputTokens < 100_000 || !th.Estimated {
			t.Errorf("%s: %d output tokens for 1 MB of thoughts, estimated: %v", name, th.OutputTokens, th.Estimated)
		}
	}
}

// A call of a tool or function is no answer, even if its name is an action's.
func TestThink_ToolCallsAreNoAnswer(t *testing.T) {
	call := map[string]any{"name": "msg_post", "arguments": `{"text":"hi"}`}
	for name, message := range map[string]map[string]any{
		"function_call":              {"content": nil, "function_call": call},
		"function_call and no text":  {"content": "", "function_call": call},
		"one tool call named as row": {"content": nil, "tool_calls": []any{map[string]any{"id": "1", "type": "function", "function": call}}},
	} {
		l := newLab(t, fakellm.Always(fakellm.Message(message, "function_call")), nil)
		th := l.think(t, 10*time.Second)
		if th.Outcome != llm.Answered || len(th.Text) > 0 || !strings.Contains(th.Error, "called a tool instead of answering") {
			t.Errorf("%s: %v, text %q: %s", name, th.Outcome, th.Text, th.Error)
		}
	}
}

// What all calls with equal rights begin with: a change of it costs every provider's cache, so
// it is seen as a diff.
func TestThink_GoldenBeginning(t *testing.T) {
	l := newLab(t, nil, nil)
	l.think(t, 10*time.Second)
	r := l.server.Requests()[0]
	golden.File(t, "testdata/beginning.txt", fmt.Sprintf("system message, SHA-256: %x\nresponse_format, SHA-256: %x\n%s\n",
		sha256.Sum256([]byte(r.Messages[0].Content)), sha256.Sum256(r.Format), r.Format))
}

// A thousand agents ask a server that refuses nine of ten calls: never more calls are open than declared, one at a time
// while a window is closed, and every agent gets an outcome. When the refusals end, all are answered soon.
func TestThink_ThousandAgentsWithNineOfTenCallsRefused(t *testing.T) {
	t.Parallel()
	const agents, most = 1000, 16
	var calm atomic.Bool
	var now, high, refused atomic.Int64
	l := newLab(t, func(n int, _ *fakellm.Request) fakellm.Act {
		high.Store(max(high.Load(), now.Add(1)))
		defer now.Add(-1)
		if calm.Load() || n%10 == 9 {
			return body(200, completion(`{"content":`+quoted(nopAnswer)+`}`))
		}
		refused.Add(1)
		return body(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "retry-after-ms", "1")
	}, func(m *openai.Model) { m.Concurrency = most })
	l.server.Forget = true
	round := func(agents int) (answered int64) {
		var wg sync.WaitGroup
		var good atomic.Int64
		for range agents {
			wg.Go(func() {
				th, err := l.mind.Think(t.Context(), &l.prompt)
				switch {
				case err != nil:
					t.Error(err)
				case th.Outcome == llm.Answered:
					good.Add(1)
				case th.Outcome != llm.ProviderError || !strings.HasPrefix(th.Error, "rate: slow down") || th.Outage:
					t.Errorf("got %v, outage %v: %s", th.Outcome, th.Outage, th.Error)
				}
			})
		}
		wg.Wait()
		return good.Load()
	}
	answered := round(agents)
	asked := int64(l.server.Counts().Requests)
	if answered < agents/10 || asked > 3*agents || high.Load() > most || asked != answered+refused.Load() {
		t.Errorf("%d of %d answered by %d requests, %d refused, %d at once", answered, agents, asked, refused.Load(), high.Load())
	}
	calm.Store(true)
	began := time.Now()
	if n := round(100); n != 100 || time.Since(began) > 5*time.Second {
		t.Errorf("after the storm %d of 100 were answered in %v", n, time.Since(began))
	}
}
