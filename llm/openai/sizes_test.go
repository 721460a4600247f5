package openai_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/wire"
)

// Models of different sizes replace each other: each gets a prompt of its size, and none refuses it.
func TestThink_FallbackModelGetsPromptOfItsSize(t *testing.T) {
	l := newLab(t, nil, nil)
	for i := range 60 {
		l.prompt.Affordances = append(l.prompt.Affordances, llm.Affordance{
			Action: l.prompt.Actions[2], Params: &wire.BountyClaim{}, GoalKind: fmt.Sprint("goal", i), Author: "x", Text: []byte("some words of another agent about what is to be done here"),
		})
	}
	system, user := l.prompt.Messages()
	whole := uint64(llm.Tokens(len(system)+len(user))) + 512
	var down bool // the large one is out
	sent := map[string]int{}
	sizes := map[string]uint64{"large": 32768, "small": whole - 2000}
	server := &fakellm.Server{Script: func(_ int, r *fakellm.Request) fakellm.Act {
		n := 0
		for _, m := range r.Messages {
			n += len(m.Content)
		}
		sent[r.Model] = n
		switch {
		case r.Model == "large" && down:
			return fakellm.Status(http.StatusUnauthorized, `{"error":{"message":"no"}}`)
		case uint64(llm.Tokens(n))+r.MaxTokens > sizes[r.Model]:
			return fakellm.Status(http.StatusBadRequest, `{"error":{"message":"too long","code":"context_length_exceeded"}}`)
		}
		return nil
	}}
	ts := httptest.NewServer(server)
	defer ts.Close()
	var tier []openai.Model
	for _, name := range []string{"large", "small"} {
		at := ts.URL + "/v1"
		if name == "large" { // an endpoint of its own, which can be out alone
			at = ts.URL + "/large/v1"
		}
		tier = append(tier, openai.Model{Name: name, ID: name, Endpoint: at, MaxContext: sizes[name], MaxOutput: 512, Timeout: 5 * time.Second})
	}
	mind, err := openai.NewEndpoints(planted).Mind([3][]openai.Model{tier, tier, tier}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.prompt.Hash()
	for i, want := range []string{"large", "small", "small"} {
		th, err := mind.Think(t.Context(), &l.prompt)
		if err != nil || th.Outcome != llm.Answered || th.Model != want {
			t.Fatalf("think %d: %v by %q (%s), %v; want an answer of %s", i, th.Outcome, th.Model, th.Error, err, want)
		}
		down = true
	}
	if sent["small"] >= sent["large"] || sent["large"] < len(system)+len(user) {
		t.Errorf("bytes sent: %v; want the whole prompt of %d bytes for the large one and less for the small one", sent, len(system)+len(user))
	}
	if n := server.Counts().Requests; n != 4 { // large, large refused, small twice
		t.Errorf("%d requests, want 4: a prompt was refused for its length", n)
	}
}

// What cannot be cut to a model is refused before a run, at the exact token.
func TestModel_Fits(t *testing.T) {
	m := openai.Model{Name: "default", MaxOutput: 512, Output: openai.OutputPrompt}
	const system = 5000
	for _, tt := range []struct {
		context uint64
		fits    bool
	}{{system + llm.LeastUser + 512, true}, {system + llm.LeastUser + 511, false}} {
		m.MaxContext = tt.context
		if err := m.Fits(system); (err == nil) != tt.fits {
			t.Errorf("context %d: %v", tt.context, err)
		}
	}
}
