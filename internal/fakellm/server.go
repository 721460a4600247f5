package fakellm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Server is the handler. The zero value answers every request well.
type Server struct {
	Seed   uint64
	Model  string // the one model it knows; "": any
	Key    string // the one key it accepts; "": any or none
	Script Script // nil: every answer is good
	Forget bool   // do not keep the requests

	Context uint64 // tokens of prompt and answer that it takes, and says that it takes; 0: any, and it says 65536

	Latency time.Duration // from the request to the answer

	mu       sync.Mutex
	counts   Counts
	read     int // chat requests that were read
	requests []Request

	last atomic.Pointer[Request] // that opened in other words than the one before
}

// Script says what happens to the n-th chat request (from 0).
type Script func(n int, r *Request) Act

// Act writes a reply; good is the body of the good one.
type Act func(w http.ResponseWriter, r *http.Request, good []byte)

// Request is a chat request as it came.
type Request struct {
	Model               string
	Messages            []Told
	MaxTokens           uint64
	MaxCompletionTokens uint64
	Format              json.RawMessage // response_format
	Header              http.Header
	Body                []byte

	strict  bool   // what Format asks for
	opening []byte // the first message's content, quoted
}

// Told is one message of a chat request.
type Told struct{ Role, Content string }

// Counts are what the server saw, for comparison with what a client accounts for.
type Counts struct {
	Requests     uint64 // chat requests, those with a wrong key included
	Answers      uint64 // replies that are chat completions, whatever they say
	PromptTokens uint64 // that replies reported, failures too
	OutputTokens uint64
}

// Counts returns what was served so far.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Requests returns the chat requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// maxRequest is the length, in bytes, of the longest request that is read.
const maxRequest = 8 << 20

// ServeHTTP implements http.Handler: POST …/v1/chat/completions and GET …/v1/models. Other paths are not found, as at
// other servers.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Path, "/v1/") {
		reply(w, http.StatusNotFound, `{"error":{"message":"404 page not found: the API is under /v1","type":"invalid_request_error"}}`)
		return
	}
	if s.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.Key {
		if r.Method == http.MethodPost {
			s.mu.Lock()
			s.counts.Requests++
			s.mu.Unlock()
		}
		reply(w, http.StatusUnauthorized, `{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}`)
		return
	}
	if r.Method == http.MethodGet {
		name, _ := json.Marshal(s.name(""))
		reply(w, http.StatusOK, `{"object":"list","data":[{"id":`+string(name)+`,"object":"model","max_model_len":`+strconv.FormatUint(cmp.Or(s.Context, 65536), 10)+`}]}`)
		return
	}
	half, answered := time.After(s.Latency/2), time.After(s.Latency) // what it takes to read and answer is part of it
	raw := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), maxRequest)+bytes.MinRead))
	_, err := raw.ReadFrom(io.LimitReader(r.Body, maxRequest))
	select { // a client on the same machine needs the processors until it has made its other requests
	case <-half:
	case <-r.Context().Done():
	}
	var req Request
	if err == nil {
		before := s.last.Load()
		req, err = read(raw.Bytes(), before)
		if err == nil && (before == nil || !bytes.Equal(req.opening, before.opening) || !bytes.Equal(req.Format, before.Format)) {
			kept := req
			s.last.Store(&kept)
		}
	}
	if err != nil || !s.Forget && !json.Valid(raw.Bytes()) { // who keeps requests looks at them all
		reply(w, http.StatusBadRequest, `{"error":{"message":"the request is no chat completion","type":"invalid_request_error"}}`)
		return
	}
	req.Header, req.Body = r.Header, raw.Bytes()
	n := s.note(&req)
	if s.Model != "" && req.Model != s.Model {
		reply(w, http.StatusNotFound, `{"error":{"message":"The model does not exist","type":"invalid_request_error","code":"model_not_found"}}`)
		return
	}
	good, usage := s.goodReply(&req)
	select {
	case <-answered:
	case <-r.Context().Done():
		return
	}
	act := s.tooLong(&req, usage.Prompt)
	if act == nil && s.Script != nil {
		act = s.Script(n, &req)
	}
	if act == nil {
		s.count(usage, true)
		reply(w, http.StatusOK, string(good))
		return
	}
	to := &sent{ResponseWriter: w}
	act(to, r, good)
	s.count(to.usage())
}

// count counts a reply that reported these tokens.
func (s *Server) count(u Usage, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answered {
		s.counts.Answers++
	}
	s.counts.PromptTokens += u.Prompt
	s.counts.OutputTokens += u.Completion
}

func (s *Server) note(req *Request) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.read
	s.read++
	s.counts.Requests++
	if !s.Forget {
		s.requests = append(s.requests, *req)
	}
	return n
}

func (s *Server) name(asked string) string {
	switch {
	case s.Model != "":
		return s.Model
	case asked != "":
		return asked
	}
	return "fake"
}

func reply(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}
