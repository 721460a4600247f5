package openai_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/keyward"
	"kingdom/llm/openai"
)

// A deployment of Azure in the old form gets path, query and header as it wants them, from runs and from doctor.
func TestThink_AzureDeployment(t *testing.T) {
	for _, slash := range []string{"", "/"} {
		var asked atomic.Int64
		chat := &fakellm.Server{Seed: 1}
		ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			refuse := func(status int, text string) { fakellm.Status(status, `{"error":{"message":"`+text+`"}}`)(w, r, nil) }
			switch {
			case r.Header.Get("Api-Key") != plantedKey || r.Header.Get("Authorization") != "":
				refuse(401, "Access denied due to invalid subscription key")
			case r.URL.RawQuery != "api-version=2024-10-21":
				refuse(404, "Resource not found")
			case r.Method == http.MethodGet && r.URL.Path == "/openai/models":
				fakellm.Status(200, `{"data":[{"id":"gpt-4o-2024-11-20"}]}`)(w, r, nil)
			case r.Method == http.MethodPost && r.URL.Path == "/openai/deployments/mine/chat/completions":
				asked.Add(1)
				r.URL.Path = "/v1/chat/completions"
				chat.ServeHTTP(w, r)
			default:
				refuse(404, "Resource not found")
			}
		}))
		defer ts.Close()
		m := openai.Model{
			Name: "default", Endpoint: ts.URL + "/openai/deployments/mine" + slash + "?api-version=2024-10-21", ID: "mine", MaxContext: 32768, MaxOutput: 512,
			Prices: openai.Prices{Input: 1},
		}
		l := newLab(t, nil, func(lab *openai.Model) { *lab = m })
		if th := l.think(t, openai.DefaultTimeout); th.Outcome != llm.Answered || asked.Load() != 1 {
			t.Errorf("got %v (%s) after %d requests", th.Outcome, th.Error, asked.Load())
		}
		states := func(checks []openai.Check) (s string) {
			for _, c := range checks {
				s += c.Name + " " + c.State.String() + " "
			}
			return s
		}
		if got, want := states(openai.Preflight(t.Context(), &m, planted(nil))), "reachable ok key ok model skip "; got != want {
			t.Errorf("preflight: %s, want %s", got, want)
		}
		if got := states(openai.Examine(t.Context(), &m, planted(nil), 5000)); strings.Contains(got, "FAIL") || !strings.Contains(got, "model ok context skip call ok") {
			t.Errorf("examined: %s", got)
		}
		other, err := keyward.New([]byte("another-key-of-some-length"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := states(openai.Preflight(t.Context(), &m, other)), "reachable ok key FAIL "; got != want {
			t.Errorf("with another key: %s, want %s", got, want)
		}
	}
}

// An API before max_completion_tokens says so in words of its own.
func TestThink_UnrecognizedArgumentIsDropped(t *testing.T) {
	l := newLab(t, fakellm.Then(body(400, `{"error":{"message":"Unrecognized request argument supplied: seed","type":"invalid_request_error","param":null,"code":null}}`)), func(m *openai.Model) {
		seed := int64(7)
		m.Seed = &seed
	})
	if th := l.think(t, openai.DefaultTimeout); th.Outcome != llm.Answered || strings.Contains(string(l.server.Requests()[1].Body), `"seed"`) {
		t.Errorf("got %v (%s)", th.Outcome, th.Error)
	}
}
