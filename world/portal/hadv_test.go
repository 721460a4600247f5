package portal

import (
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// A web server answers a page in the language and the form that the headers ask for. The cache's key has no headers, so the
// first who asks chooses for all others, for ten cycles.
func TestHadv_HeadersChooseThePageOfAll(t *testing.T) {
	l := newLab(t, 3)
	ask := func(a int, language string) (string, uint64, bool) {
		l.at(l.c.Tick + 1)
		q := &wire.WebRequest{Agent: agentID(a), URL: []byte("https://docs.test/"), Method: wire.HTTPMethodGet, Filter: usual,
			Headers: codec.BinMap{{Key: "Accept-Language", Value: []byte(language)}}}
		if _, ok := l.n.money[q.Agent]; !ok {
			l.n.money[q.Agent] = 100
		}
		had := l.n.money[q.Agent]
		l.msgs++
		l.c.Source, l.c.Prepared, l.c.Msg = q.Agent, nil, wire.Hash{byte(l.msgs)}
		for _, task := range l.Prepare(l.c.Tick, []world.Request{{Source: l.c.Source, Msg: l.c.Msg, Payload: q}}) {
			var f wire.WebFetch
			if err := wire.WebFetchCodec.DecodeCanonical(task.Fetch, &f); err != nil {
				t.Fatal(err)
			}
			body := wire.WebFetchedCodec.Append(nil, &wire.WebFetched{Status: 200, ContentType: []byte("text/plain"), Content: append([]byte("the page in "), f.Headers[0].Value...)})
			l.c.Prepared = task.Run(world.Answer{Body: body})[0]
		}
		r := l.Apply(l.c, q)
		if r.Err != nil {
			t.Fatal(string(r.Err.Message))
		}
		w := r.Body.(*wire.WebResponse)
		return string(w.Content), had - l.n.money[q.Agent], w.Cached
	}
	page, paid, _ := ask(0, "tlh")
	t.Logf("the attacker pays %d ⚡ and gets %q", paid, page)
	wrong := 0
	for range ttlCycles - 1 {
		for a := 1; a < 24; a++ {
			if page, _, cached := ask(a, "en"); page == "the page in tlh" && cached {
				wrong++
			}
		}
		l.endCycle()
	}
	t.Logf("%d of %d requests of 23 honest agents for the page in English get %q", wrong, 23*(ttlCycles-1), "the page in tlh")
	if wrong == 0 {
		t.Error("closed")
	}
}

// A page of the cache costs nothing, uses no quota and no text counts, but each request is a record for ever.
func TestHadv_CacheHitsGrowTheState(t *testing.T) {
	l := newLab(t, 3)
	url := "https://docs.test/?" + strings.Repeat("x", 2048-19)
	if got := reasonOf(l.send(0, url, wire.HTTPMethodGet)); got != "" {
		t.Fatal(got)
	}
	money, before := l.n.money[agentID(0)], l.requests.Count()
	var events int
	for range 253 { // 64 ticks of the cycle and 189 that were bought
		if got := reasonOf(l.send(0, url, wire.HTTPMethodGet)); got != "" {
			t.Fatal(got)
		}
		for _, e := range l.c.Events {
			_ = e
			events++
		}
	}
	bytes := len(requestCodec.Append(nil, &Request{Agent: agentID(0), URL: []byte(url), Method: wire.HTTPMethodGet, Status: 200, Cached: true, Ticks: 1, Tick: l.c.Tick}))
	t.Logf("%d hits in a cycle: %d ⚡, %d records of %d bytes, %d events; quota used %d", 253, money-l.n.money[agentID(0)], l.requests.Count()-before, bytes, events, l.usage.find(agentID(0)).Used)
}
