package fakellm

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask posts a chat request with a prompt of so many bytes and returns the reply.
func ask(s *Server, key string, size int) *httptest.ResponseRecorder {
	body := `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"` + strings.Repeat("x", size) + `"}]}`
	r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// Shares of the requests fail, the same ones whatever the order.
func TestStorm_FailsSharesOfRequests(t *testing.T) {
	served := func(from, step int) (seen map[int]int, bySize map[int]int) {
		script, err := Storm("429:0.2,500:0.1,garbage:0.1", 7)
		if err != nil {
			t.Fatal(err)
		}
		s := &Server{Script: script, Forget: true}
		seen, bySize = map[int]int{}, map[int]int{}
		for i := range 1000 {
			size := from + step*i
			w := ask(s, "", size)
			bySize[size] = w.Code
			if seen[w.Code]++; strings.Contains(w.Body.String(), "garbage") {
				seen[0]++
			}
		}
		return seen, bySize
	}
	seen, one := served(1, 1)
	if seen[429] < 150 || seen[429] > 250 || seen[500] < 60 || seen[500] > 140 || seen[0] < 60 || seen[0] > 140 || seen[200]-seen[0] < 530 {
		t.Errorf("status codes %v", seen)
	}
	_, other := served(1000, -1)
	for size, code := range one {
		if other[size] != code {
			t.Fatalf("the request of %d bytes got %d, and %d in another order", size, code, other[size])
		}
	}
	for _, wrong := range []string{"", "429", "429:2", "429:-1", "200:0.1", "429:NaN", "nosuch:0.1", "429:0.6,500:0.6", "429:0.1,"} {
		if _, err := Storm(wrong, 1); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// A prompt that does not fit together with its answer is refused with both sizes.
func TestServer_RefusesWhatDoesNotFitItsContext(t *testing.T) {
	s := &Server{Context: 200}
	if w := ask(s, "", 330); w.Code != http.StatusOK {
		t.Errorf("200 tokens in a context of 200: %s", w.Body)
	}
	if w := ask(s, "", 333); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "maximum context length is 200 tokens. However, you requested 201 tokens (101 in the messages, 100 in the completion)") {
		t.Errorf("201 tokens in a context of 200: %s", w.Body)
	}
}

// What was sent is counted, whatever it says, and refused keys are requests too.
func TestServer_CountsWhatItSent(t *testing.T) {
	for _, tt := range []struct {
		name string
		act  Act
		key  string
		want Counts
	}{
		{"good", nil, "k", Counts{1, 1, 100, 11}},
		{"no answer", Status(500, "{}"), "k", Counts{Requests: 1}},
		{"no answer that reports tokens", Status(503, `{"usage":{"prompt_tokens":100}}`), "k", Counts{Requests: 1, PromptTokens: 100}},
		{"other words", Content("no", "stop"), "k", Counts{1, 1, 100, 20}},
		{"usage that is none", Reported(`"x"`), "k", Counts{Requests: 1, Answers: 1}},
		{"wrong key", nil, "other", Counts{Requests: 1}},
	} {
		s := &Server{Key: "k", Script: Always(tt.act)}
		ask(s, tt.key, 330)
		if got := s.Counts(); got.Requests != tt.want.Requests || got.Answers != tt.want.Answers || got.PromptTokens != tt.want.PromptTokens || (got.OutputTokens == 0) != (tt.want.OutputTokens == 0) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	babble := &Server{Script: Babble(3)}
	for range 10 {
		ask(babble, "", 330)
	}
	if c := babble.Counts(); c.Answers != 10 || c.PromptTokens != 1000 || c.OutputTokens == 0 {
		t.Errorf("babble: %+v", c)
	}
}

// Who answers an interview is found with the built-in identity and with one of the scenario's own.
func TestAnswer_InterviewNamesTheAgent(t *testing.T) {
	for told, want := range map[string]string{
		"You are agent 01234567, a LIBRARIAN. You read.": "I am 01234567, a LIBRARIAN, and this is question 1.",
		"Persona of 89abcdef: shy.":                      "I am 89abcdef, and this is question 1.",
		"You are shy.":                                   "I am an agent, and this is question 1.",
	} {
		req := &Request{Messages: []Told{{"system", "deadbeef"}, {"user", told + "\n## QUESTION\nWho?"}}}
		if got := new(Server).Answer(req); got != want {
			t.Errorf("%q: %q, want %q", told, got, want)
		}
	}
}
