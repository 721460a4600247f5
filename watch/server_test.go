package watch

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestServer_Answers(t *testing.T) {
	server := serve(t, dirWith(t, nil), nil)
	for _, c := range []struct {
		path, host string
		status     int
		want       string
	}{
		{"/", "", 200, "<!doctype html>"},
		{"/page.js", "", 200, "'use strict'"},
		{"/page.css", "", 200, ":root"},
		{"/api/run", "", 200, inspected},
		{"/api/agents", "", 200, `[{"number":1,`},
		{"/api/agents/1", "", 200, `"alias":"aaaaaaaa"`},
		{"/api/agents/anna", "", 200, `"alias":"aaaaaaaa"`},
		{"/api/agents/bb11", "", 200, `"alias":"bbbbbbbb"`},
		{"/api/agents/bbbbbbbb", "", 200, `"number":2`},
		{"/api/agents/carl", "", 404, `there is no agent \"carl\"; want a number, name, alias or id of /api/agents`},
		{"/api/metrics", "", 200, "[]"},
		{"/api/metrics?from=-1", "", 400, `from is \"-1\"; want a number from 0 on`},
		{"/api/timeline", "", 200, "[]"},
		{"/api/timeline?level=loud&after=x", "", 400, `level is \"loud\"; want routine, notable or critical\nafter is \"x\"`},
		{"/api/stuck", "", 200, "[]"},
		{"/ws?level=loud", "", 400, "want routine, notable or critical"},
		{"/ws", "", 400, `{"error":"/ws is a WebSocket; want a request that opens one"}`},
		{"/api/timeline?levels=routine", "", 400, `there is no parameter \"levels\"; the parameters are from, level, after and limit`},
		{"/api", "", 404, "there is no GET /api"},
		{"/api/run", "localhost:3000", 200, inspected},
		{"/api/run", "[::1]:3000", 200, inspected},
		{"/api/run", "evil.example", 421, "this server is not evil.example; open http://127.0.0.1:"},
	} {
		status, body, header := get(t, server, c.path, c.host)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s (%s): %d %.200s\nwant %d %s", c.path, c.host, status, body, c.status, c.want)
		}
		if csp := header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'") {
			t.Errorf("%s: content security policy %q", c.path, csp)
		}
	}
}

// Requests for another host are refused: a web site may not read the run through a name that it points here.
func TestServer_Hosts(t *testing.T) {
	for _, c := range []struct {
		own    string // "" if everybody may ask
		as     string
		served bool
	}{
		{"127.0.0.1:3000", "127.0.0.1:3000", true},
		{"127.0.0.1:3000", "127.0.0.1", true},
		{"127.0.0.1:3000", "127.8.9.1:3000", true},
		{"127.0.0.1:3000", "localhost", true},
		{"127.0.0.1:3000", "LocalHost:3000", true},
		{"127.0.0.1:3000", "[::1]", true},
		{"127.0.0.1:3000", "[::1]:80", true},
		{"127.0.0.1:3000", "8.8.8.8:3000", false},
		{"127.0.0.1:3000", "[2001:db8::1]", false},
		{"127.0.0.1:3000", "evil.example", false},
		{"127.0.0.1:3000", "localhost.evil.example:3000", false},
		{"127.0.0.1:3000", "127.0.0.1.evil.example", false},
		{"192.0.2.7:3000", "192.0.2.7:3000", true},
		{"192.0.2.7:3000", "192.0.2.7", true},
		{"192.0.2.7:3000", "192.0.2.8:3000", false},
		{"", "evil.example", true},
		{"", "192.0.2.7:3000", true},
	} {
		out := ask(New(Run{}).Handler(c.own), "/api/metrics", func(r *http.Request) { r.Host = c.as })
		if refused := out.Code == http.StatusMisdirectedRequest; refused == c.served || c.served && strings.TrimSpace(out.Body.String()) == "" {
			t.Errorf("a server at %q is asked as %q: %d %s", c.own, c.as, out.Code, out.Body)
		}
	}
}

// Every answer says what it is, and that no browser may guess that, keep it, or tell others where it was.
func TestServer_Headers(t *testing.T) {
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/page.js": "text/javascript; charset=utf-8", "/page.css": "text/css; charset=utf-8",
		"/api/timeline": "application/json", "/api/metrics?from=x": "application/json", "/nothing": "application/json",
	} {
		h := ask(New(Run{}).Handler(""), path, nil).Header()
		for name, want := range map[string]string{"Content-Type": kind, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
}

// ask asks a handler without a network. with changes the request; nil: nothing.
func ask(h http.Handler, path string, with func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if with != nil {
		with(r)
	}
	out := httptest.NewRecorder()
	h.ServeHTTP(out, r)
	return out
}

// An error is one line of JSON; what has no form in JSON is an error.
func TestServer_Errors(t *testing.T) {
	out := ask(New(Run{}).Handler(""), "/api/timeline?limit=many", nil)
	if want := `{"error":"limit is \"many\"; want a number from 0 on"}` + "\n"; out.Code != 400 || out.Body.String() != want {
		t.Errorf("%d %q, want %q", out.Code, out.Body, want)
	}
	out = httptest.NewRecorder()
	answer(out, json.RawMessage("{"))
	if out.Code != 500 || !strings.HasPrefix(out.Body.String(), `{"error":"`) {
		t.Errorf("%d %s", out.Code, out.Body)
	}
}

// The newest 200 items are answered unless a request says how many.
func TestServer_TimelineLimit(t *testing.T) {
	w := New(Run{})
	w.feed.add(make([]Item, 300)...)
	w.feed.add(Item{Level: Notable})
	for query, want := range map[string][2]int{"level=routine": {200, 102}, "level=routine&limit=7": {7, 295}, "level=routine&after=290": {11, 291}, "": {1, 301}, "limit=0": {}} {
		var got []struct{ Number int }
		if err := json.Unmarshal(ask(w.Handler(""), "/api/timeline?"+query, nil).Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if len(got) != want[0] || len(got) > 0 && (got[0].Number != want[1] || got[len(got)-1].Number != 301) {
			t.Errorf("%q: %d items, %v; want %d from number %d on", query, len(got), got, want[0], want[1])
		}
	}
}

func TestServer_SaysWhyTheRunCannotBeInspected(t *testing.T) {
	server := serve(t, dirWith(t, nil), func(r *Run) {
		r.Inspect = func(context.Context) ([]byte, error) { return nil, errors.New("the store is gone") }
	})
	if status, body, _ := get(t, server, "/api/run", ""); status != 503 || !strings.Contains(body, "inspect the run: the store is gone") {
		t.Errorf("%d %s", status, body)
	}
}

// The page sets texts as text only: none of the functions that read markup is in it.
func TestPage_TakesNoMarkup(t *testing.T) {
	for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("} {
		if strings.Contains(string(script), word) {
			t.Errorf("the page uses %s", word)
		}
	}
}
