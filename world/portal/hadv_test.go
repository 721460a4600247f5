package portal

import (
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
