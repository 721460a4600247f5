package portal

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// askIn has agent a ask for a page in a language ("": with no header). The server answers in it.
func (l *lab) askIn(a int, header, language string) (page string, cached bool) {
	l.t.Helper()
	l.at(l.c.Tick + 1)
	q := &wire.WebRequest{Agent: agentID(a), URL: []byte("https://docs.test/"), Method: wire.HTTPMethodGet, Filter: usual}
	if header != "" {
		q.Headers = codec.BinMap{{Key: header, Value: []byte(language)}}
	}
	l.n.money[q.Agent] = 100
	l.msgs++
	l.c.Source, l.c.Prepared, l.c.Msg = q.Agent, nil, wire.Hash{byte(l.msgs)}
	for _, task := range l.Prepare(l.c.Tick, []world.Request{{Source: l.c.Source, Msg: l.c.Msg, Payload: q}}) {
		body := wire.WebFetchedCodec.Append(nil, &wire.WebFetched{Status: 200, ContentType: []byte("text/plain"), Content: []byte("in " + language)})
		l.c.Prepared = task.Run(world.Answer{Body: body})[0]
	}
	r := l.Apply(l.c, q)
	if r.Err != nil {
		l.t.Fatal(string(r.Err.Message))
	}
	w := r.Body.(*wire.WebResponse)
	return string(w.Content), w.Cached
}

// A web server may answer in the language and the form that the headers ask for, so the first reader of a page does not
// choose them for others. Who asks for the same shares the page, however the name of the header is written.
func TestCache_HeadersBelongToTheKey(t *testing.T) {
	l := newLab(t, 3)
	for i, c := range []struct {
		header, language string
		cached           bool
	}{
		{"Accept-Language", "tlh", false},
		{"Accept-Language", "en", false},
		{"accept-language", "en", true},
		{"Accept", "en", false},
		{"", "", false},
		{"", "", true},
		{"Accept-Language", "", false}, // empty is not missing
		{"Accept-Language", "tlh", true},
	} {
		if page, cached := l.askIn(i, c.header, c.language); page != "in "+c.language || cached != c.cached {
			t.Errorf("request %d, %s: %q: %q, cached %t; want %t", i, c.header, c.language, page, cached, c.cached)
		}
	}
}

// A page of the cache is free and uses no quota, but each request for it leaves a record. So an agent gets four times as
// many in a cycle as it may fetch, also of those that others fetch in the same tick. Others are not concerned.
func TestCache_HitsOfAnAgentAreLimited(t *testing.T) {
	l := newLab(t, 3)
	url := "https://docs.test/" + strings.Repeat("x", 2000)
	ask := func(a int, want string) {
		t.Helper()
		if got := reasonOf(l.send(a, url, wire.HTTPMethodGet)); got != want {
			t.Fatalf("agent %d: %q, want %q", a, got, want)
		}
	}
	ask(0, "")
	for cycle := range 2 {
		before := l.requests.Count()
		for range 4 * 5 {
			ask(1, "")
		}
		ask(1, "quota 0701")
		if got := l.requests.Count() - before; got != 20 {
			t.Errorf("%d records, want 20", got)
		}
		if u := l.usage.find(agentID(1)); u.Used != 0 {
			t.Errorf("hits use %d of the quota", u.Used)
		}
		ask(2, "")
		if got := reasonOf(l.send(1, fmt.Sprintf("https://docs.test/%d", cycle), wire.HTTPMethodGet)); got != "" {
			t.Errorf("a page that the cache does not have: %q", got)
		}
		l.restore()
		ask(1, "quota 0701")
		l.endCycle()
	}
}

// Who shares the fetch of another in the same tick has a hit too.
func TestCache_SharedFetchIsAHit(t *testing.T) {
	for _, hits := range []uint32{19, 20} {
		l := newLab(t, 3)
		l.at(l.c.Tick + 1)
		q := &wire.WebRequest{URL: []byte("https://docs.test/"), Method: wire.HTTPMethodGet, Filter: usual}
		var requests []world.Request
		for i := range 2 {
			l.n.money[agentID(i)] = 10
			requests = append(requests, world.Request{Source: agentID(i), Msg: wire.Hash{byte(i)}, Payload: q, Seat: i})
		}
		l.usage.Put(agentID(1), &Usage{Hits: hits})
		task := l.Prepare(l.c.Tick, requests)[0]
		prepared := task.Run(world.Answer{Body: wire.WebFetchedCodec.Append(nil, &wire.WebFetched{Status: 404})}) // not kept
		for i, want := range []string{"", map[uint32]string{19: "", 20: "quota 0701"}[hits]} {
			l.c.Source, l.c.Msg, l.c.Prepared = agentID(i), requests[i].Msg, prepared[i]
			if got := reasonOf(l.Apply(l.c, q)); got != want {
				t.Errorf("after %d hits, agent %d: %q, want %q", hits, i, got, want)
			}
		}
	}
}

// Both headers in either order are the same request; their values do not run into each other.
func TestCacheKey_OfTwoHeaders(t *testing.T) {
	key := func(h ...string) wire.Hash {
		q := &wire.WebRequest{URL: []byte("https://docs.test/"), Method: wire.HTTPMethodGet}
		for i := 0; i < len(h); i += 2 {
			q.Headers = append(q.Headers, codec.BinMap{{Key: h[i], Value: []byte(h[i+1])}}...)
		}
		return cacheKey(q)
	}
	if key("Accept", "a", "Accept-Language", "b") != key("accept-language", "b", "ACCEPT", "a") {
		t.Error("the order of the headers matters")
	}
	if key("Accept", "ab") == key("Accept", "a", "Accept-Language", "b") || key("Accept", "a\x01b") == key("Accept", "a", "Accept-Language", "b") {
		t.Error("two requests have the same key")
	}
	if key() != CacheKey([]byte("https://docs.test/"), wire.HTTPMethodGet, nil) {
		t.Error("a request without headers has another key")
	}
	b := key()
	laid := slices.Concat(b[:], []byte("\x00\x00\x00\x00\x01a\x01\x00\x00\x00\x02bc")) // recorded worlds have keys of this form
	if key("Accept", "a", "Accept-Language", "bc") != sha256.Sum256(laid) {
		t.Error("a key of two headers is laid out in another way")
	}
}

// The method and the body belong to the key.
func TestCacheKey_OfTheRequest(t *testing.T) {
	one, two := []byte("x=1"), []byte("x=2")
	keys := map[wire.Hash]bool{}
	for _, q := range []wire.WebRequest{
		{Method: wire.HTTPMethodGet},
		{Method: wire.HTTPMethodHead},
		{Method: wire.HTTPMethodPost},
		{Method: wire.HTTPMethodPost, Body: &one},
		{Method: wire.HTTPMethodPost, Body: &two},
	} {
		keys[cacheKey(&q)] = true
	}
	if len(keys) != 5 {
		t.Errorf("five requests have %d keys", len(keys))
	}
}
