package openai_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/wire"
)

// Each server's error for a schema that it does not accept lowers the output level by one, once.
func TestThink_SchemaErrorOfEachServerLowersOutputLevel(t *testing.T) {
	for name, text := range map[string]string{
		"first keys":  `{"error":{"message":"Objects provided via 'anyOf' must not share identical first keys"}}`,
		"too large":   `{"error":{"message":"The compiled grammar is too large, which would cause performance issues"}}`,
		"many states": `{"error":{"message":"The specified schema produces a constraint that has too many states for serving."}}`,
		"LM Studio":   `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`,
		"xgrammar":    `{"object":"error","message":"The provided JSON schema contains features not supported by xgrammar."}`,
		"llama.cpp":   `{"error":{"code":400,"message":"failed to parse grammar","type":"invalid_request_error"}}`,
		"samplers":    `{"error":{"message":"Failed to initialize samplers"}}`,
		"Gemini":      `[{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}]`,
	} {
		l := newLab(t, fakellm.Then(body(400, text)), nil)
		for range 2 {
			if th := l.think(t, 5*time.Second); th.Outcome != llm.Answered {
				t.Errorf("%s: %v (%s)", name, th.Outcome, th.Error)
			}
		}
		reqs := l.server.Requests()
		if len(reqs) != 3 {
			t.Errorf("%s: %d requests, want 3", name, len(reqs))
			continue
		}
		if !strings.Contains(string(reqs[0].Format), `"strict":true`) || string(reqs[1].Format) != string(reqs[2].Format) || !strings.Contains(string(reqs[1].Format), `"params":{"type":"string"}`) || strings.Contains(string(reqs[1].Format), `"act":`) {
			t.Errorf("%s: forms %.60s, %.60s, %.60s", name, reqs[0].Format, reqs[1].Format, reqs[2].Format)
		}
	}
}

// A thousand calls with equal rights have the same system message and schema to the byte.
func TestThink_SystemMessageAndSchemaAreEqualForAll(t *testing.T) {
	var mu sync.Mutex
	seen, told := map[[32]byte]bool{}, map[[32]byte]bool{}
	l := newLab(t, func(_ int, r *fakellm.Request) fakellm.Act {
		sum := sha256.Sum256(append([]byte(r.Messages[0].Content), r.Format...))
		mu.Lock()
		seen[sum], told[sha256.Sum256([]byte(r.Messages[1].Content))] = true, true
		mu.Unlock()
		return body(200, completion(`{"content":"{}"}`))
	}, func(m *openai.Model) { m.Concurrency = 2 })
	l.server.Forget = true
	for i := range 1000 {
		l.prompt.Alias, l.prompt.Tick = fmt.Sprintf("%08x", i), wire.Tick(i)
		l.think(t, 20*time.Second)
	}
	if len(seen) != 1 {
		t.Errorf("%d different beginnings", len(seen))
	}
	if len(told) != 1000 {
		t.Errorf("%d different messages of the user, want 1000: the prompts are too alike to show anything", len(told))
	}
}

// A wait that a server asks for holds for all agents: no call is made before it is over.
func TestThink_RetryAfterHoldsForAllAgents(t *testing.T) {
	const wait = 400 * time.Millisecond
	var mu sync.Mutex
	var at []time.Time
	l := newLab(t, func(n int, _ *fakellm.Request) fakellm.Act {
		mu.Lock()
		at = append(at, time.Now())
		mu.Unlock()
		if n == 0 {
			return body(429, overload, "retry-after", "0.4")
		}
		return nil
	}, nil)
	var wg sync.WaitGroup
	first := make(chan struct{})
	wg.Go(func() { close(first); l.think(t, 10*time.Second) })
	<-first
	for l.server.Counts().Requests == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // the refusal is read
	for range 10 {
		wg.Go(func() {
			if th := l.think(t, 10*time.Second); th.Outcome != llm.Answered || len(th.Calls) != 1 {
				t.Errorf("%v (%s) after %d calls", th.Outcome, th.Error, len(th.Calls))
			}
		})
	}
	wg.Wait()
	if len(at) != 12 {
		t.Fatalf("%d requests, want 12", len(at))
	}
	if d := at[1].Sub(at[0]); d < wait {
		t.Errorf("the second request came after %v, the server asked for %v", d, wait)
	}
}

// At each level the system message says the form that the schema enforces.
func TestThink_FormOfTheAnswerIsThatOfTheSchema(t *testing.T) {
	for _, tt := range []struct {
		output       openai.Output
		format, says string
	}{
		{openai.OutputStrict, `"properties":{"reasoning":{"type":"string"},"act":{"anyOf":`, `{"reasoning":"...","act":{"<action>":`},
		{openai.OutputSmall, `"properties":{"reasoning":{"type":"string"},"action":{"type":"string","enum":["nop","msg_post","bounty_claim"]},"params":{"type":"string"},`, `{"reasoning":"...","action":"<action>","params":"<`},
		{openai.OutputObject, `"schema":{"type":"object"}`, ""},
		{openai.OutputJSON, `{"type":"json_object"}`, ""},
		{openai.OutputPrompt, "", ""},
	} {
		l := newLab(t, nil, func(m *openai.Model) { m.Output = tt.output })
		if th := l.think(t, 5*time.Second); th.Outcome != llm.Answered {
			t.Fatalf("%v: %v (%s)", tt.output, th.Outcome, th.Error)
		}
		r := l.server.Requests()[0]
		if !strings.Contains(string(r.Format), tt.format) || (tt.format == "") != (len(r.Format) == 0) {
			t.Errorf("%v: response_format %.200s, want %s", tt.output, r.Format, tt.format)
		}
		if _, form, _ := strings.Cut(r.Messages[0].Content, "Here the answer has this form: "); !strings.HasPrefix(form, tt.says) || (tt.says == "") != (form == "") {
			t.Errorf("%v: the system message ends with %.80q, want %q", tt.output, form, tt.says)
		}
	}
}
