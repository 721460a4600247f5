package portal

import (
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
}
