package portal

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// fetched is the result of a fetch, which all requests for the same page share.
type fetched struct {
	answer wire.WebFetched
	failed string // why the fetch failed, else empty
	paid   bool   // set at the commit by the first request that pays; for the others it counts as cached
}

// Prepare returns what has to be fetched: the pages for requests that would be answered and that the cache does not
// have. Several requests for the same page cause one fetch. For an agent that cannot pay before the tick nothing is
// fetched; it is refused at the commit even if it received money in between.
func (d *Daemon) Prepare(t wire.Tick, requests []world.Request) (tasks []world.Task) {
	rc := requestContext{tick: t, cycle: d.rules.Calendar.Cycle(t), epoch: d.nexus.Epoch()}
	shared := map[wire.Hash]int{} // the task of a page
	var methods []wire.HTTPMethod // of the tasks
	for i := range requests {
		q, ok := requests[i].Payload.(*wire.WebRequest)
		if !ok {
			continue
		}
		rc.source = requests[i].Source
		if d.check(q, rc) != nil || d.mint.Available(rc.source) < int64(action.WebCost(q.Method).Spark) {
			continue
		}
		key := cacheKey(q)
		if d.cache.Get(key) != nil {
			continue
		}
		if n, ok := shared[key]; ok && q.Method != wire.HTTPMethodPost {
			tasks[n].Seats = append(tasks[n].Seats, requests[i].Seat)
			continue
		}
		shared[key] = len(tasks)
		methods = append(methods, q.Method)
		tasks = append(tasks, world.Task{Seats: []int{requests[i].Seat}, Fetch: d.encodeFetch(q)})
	}
	for i := range tasks {
		seats := len(tasks[i].Seats)
		tasks[i].Run = func(a world.Answer) []any {
			f := decodeAnswer(a, methods[i])
			return slices.Repeat([]any{f}, seats)
		}
	}
	return tasks
}

// encodeFetch returns the encoded fetch for a request.
func (d *Daemon) encodeFetch(q *wire.WebRequest) []byte {
	f := &wire.WebFetch{URL: q.URL, Method: q.Method, Headers: q.Headers, Open: d.rules.PortalUnlisted}
	if q.Body != nil {
		f.Body = *q.Body
	}
	f.Allow, f.Block = d.domains.patterns()
	return wire.WebFetchCodec.Append(nil, f)
}

// decodeAnswer decodes the answer to a fetch, or tells why it failed.
func decodeAnswer(a world.Answer, m wire.HTTPMethod) *fetched {
	f := &fetched{failed: wire.FetchFailure(a.Failed)}
	if f.failed == "" && wire.WebFetchedCodec.Decode(a.Body, &f.answer) != nil {
		f.failed = wire.FetchFailed
	}
	switch {
	case m == wire.HTTPMethodHead:
		f.answer.Content = nil
	case len(f.answer.Content) > maxContent:
		f.answer.Content = f.answer.Content[:maxContent]
	}
	return f
}
