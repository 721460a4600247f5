package openai_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
)

// A model that the server does not know is asked once and closed. The other models of the endpoint go on, and an agent
// whose tier names one has no outage.
func TestThink_UnknownModelClosesOnlyThatModel(t *testing.T) {
	server := &fakellm.Server{Seed: 1, Script: func(_ int, r *fakellm.Request) fakellm.Act {
		if bytes.Contains(r.Body, []byte(`"model":"gone"`)) {
			return body(404, `{"error":{"message":"The model gone does not exist","code":"model_not_found"}}`)
		}
		return nil
	}}
	ts := httptest.NewServer(server)
	t.Cleanup(ts.Close)
	model := func(name, id string) openai.Model {
		return openai.Model{Name: name, Endpoint: ts.URL + "/v1", ID: id, MaxContext: 32768, MaxOutput: 512, Concurrency: 2}
	}
	gone, good := model("old", "gone"), model("new", "fake")
	mind, err := openai.NewEndpoints(planted).Mind([3][]openai.Model{{gone}, {gone, good}, {good}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	prompt := newLab(t, nil, nil).prompt
	ask := func(tier llm.Tier) llm.Thought {
		p := prompt
		p.Tier = tier
		th, err := mind.Think(t.Context(), &p)
		if err != nil {
			t.Fatal(err)
		}
		return th
	}
	for range 2 { // the second time without asking
		th := ask(llm.Tier1)
		if th.Outcome != llm.ProviderError || !th.Outage || !strings.Contains(th.Error, `does not serve the model "old"`) {
			t.Errorf("tier 1: %v, outage %v: %s", th.Outcome, th.Outage, th.Error)
		}
	}
	for _, tier := range []llm.Tier{llm.Tier2, llm.Tier3} {
		if th := ask(tier); th.Outcome != llm.Answered || th.Outage || th.Model != "new" {
			t.Errorf("tier %d: %v of %q: %s", tier, th.Outcome, th.Model, th.Error)
		}
	}
	asked := map[string]int{}
	for _, r := range server.Requests() {
		var b struct{ Model string }
		if err := json.Unmarshal(r.Body, &b); err != nil {
			t.Fatal(err)
		}
		asked[b.Model]++
	}
	if asked["gone"] != 1 || asked["fake"] != 2 {
		t.Errorf("asked %v", asked)
	}
}

// All agents that wait to ask a model are told when the server turns out not to know it.
func TestThink_UnknownModelWhileOthersWait(t *testing.T) {
	l := newLab(t, fakellm.Always(body(404, `{"error":{"message":"no such model","code":"model_not_found"}}`)), func(m *openai.Model) { m.Concurrency = 1 })
	done := make(chan llm.Thought, 20)
	for range cap(done) {
		go func() {
			th, err := l.mind.Think(t.Context(), &l.prompt)
			if err != nil {
				t.Error(err)
			}
			done <- th
		}()
	}
	for range cap(done) {
		select {
		case th := <-done:
			if !th.Outage {
				t.Errorf("got %v: %s", th.Outcome, th.Error)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("an agent still waits for a model that is not there")
		}
	}
	if n := l.server.Counts().Requests; n != 1 {
		t.Errorf("%d requests for a model that is not there", n)
	}
}
