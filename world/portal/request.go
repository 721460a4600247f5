package portal

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// Costs of a request that is answered from the cache, and of one whose fetch failed.
const (
	cachedTicks = 1
	failedTicks = 1
	failedSpark = 1
)

// request answers a request from the cache or with what was fetched for it.
func (d *Daemon) request(c *world.Context, q *wire.WebRequest) wire.Reply {
	rc := requestContext{source: c.Source, tick: c.Tick, cycle: c.Cycle, epoch: c.Epoch}
	if refused := d.check(q, rc); refused != nil {
		return d.refuse(c, q, refused)
	}
	host, _ := CheckURL(q.URL)
	key := cacheKey(q)
	if p := d.cache.Get(key); p != nil { // never for a POST
		if refused := d.checkHits(rc); refused != nil {
			return d.refuse(c, q, refused)
		}
		d.submitted(c, q)
		c.Emit(sys, wire.KindCacheHit, c.Source, &wire.CacheHitEvent{RequestID: c.Msg, Agent: c.Source, CacheKey: key}, nil)
		return d.deliver(c, q, host, &p.Answer, true)
	}
	f, _ := c.Prepared.(*fetched)
	if f != nil && f.paid {
		if refused := d.checkHits(rc); refused != nil {
			return d.refuse(c, q, refused)
		}
		d.submitted(c, q)
		return d.deliver(c, q, host, &f.answer, true)
	}
	if price := int64(action.WebCost(q.Method).Spark); f == nil || d.mint.Available(c.Source) < price {
		return c.Refuse(sys, wire.CategoryQuotaExceeded, "funds", world.Have(uint64(max(0, d.mint.Available(c.Source)))), world.Need(uint64(price)))
	}
	d.submitted(c, q)
	switch {
	case f.failed != "":
		return d.fail(c, q, host, f.failed)
	case asksToWait(f.answer.Status):
		return d.fail(c, q, host, wire.FetchFailed, world.Detail{Key: "status", Value: fmt.Sprint(f.answer.Status)})
	}
	f.paid = true
	if f.answer.Status == 200 && q.Method != wire.HTTPMethodPost {
		d.cache.store(c, key, q.URL, &f.answer)
	}
	return d.deliver(c, q, host, &f.answer, false)
}

// asksToWait reports whether an HTTP status asks the client to wait.
func asksToWait(status uint16) bool { return status == 429 || status == 503 }

// refuse refuses a request. If a rule about the domain is the reason, it emits an event.
func (d *Daemon) refuse(c *world.Context, q *wire.WebRequest, reason *denial) wire.Reply {
	if reason.blockedHost != "" {
		d.traffic.report.BlockedRequests++
		c.Emit(sys, wire.KindWebRequestBlocked, c.Source, &wire.WebRequestBlockedEvent{
			RequestID: c.Msg, Agent: c.Source, URL: q.URL, Reason: []byte(reason.Details[0].Value),
		}, nil)
	}
	return c.RefuseCode(reason.code, reason.Category, reason.Reason, reason.Details...)
}

func (d *Daemon) submitted(c *world.Context, q *wire.WebRequest) {
	c.Emit(sys, wire.KindWebRequestSubmitted, c.Source, &wire.WebRequestSubmittedEvent{
		RequestID: c.Msg, Agent: c.Source, URL: q.URL, Method: q.Method, Purpose: q.Purpose,
	}, nil)
}

// deliver filters the content of a page and answers a request with it.
func (d *Daemon) deliver(c *world.Context, q *wire.WebRequest, host string, a *wire.WebFetched, cached bool) wire.Reply {
	cost := action.WebCost(q.Method)
	if cached {
		cost = action.Cost{Ticks: cachedTicks}
	}
	content, summary := Filter(&q.Filter, a.ContentType, a.Content)
	d.record(c, &Request{
		ID: c.Msg, Agent: c.Source, URL: q.URL, Method: q.Method, Purpose: q.Purpose, Tick: c.Tick,
		Status: a.Status, Cached: cached, Ticks: cost.Ticks, Cost: cost.Spark, Filtered: summary,
	}, host)
	if summary.BytesStripped > 0 || len(summary.Warnings) > 0 {
		c.Emit(sys, wire.KindContentFiltered, c.Source, &wire.ContentFilteredEvent{
			RequestID: c.Msg, CodeBlocksRemoved: summary.CodeBlocksRemoved, BytesStripped: summary.BytesStripped, Warnings: summary.Warnings,
		}, nil)
	}
	c.Emit(sys, wire.KindWebRequestCompleted, c.Source, &wire.WebRequestCompletedEvent{
		RequestID: c.Msg, Agent: c.Source, URL: q.URL, Status: a.Status, Cached: cached, TickCost: cost.Ticks, SparkCost: cost.Spark,
	}, nil)
	if !cached {
		d.spend(c, cost.Spark, 0)
	}
	return c.Answer(wire.TypeWebResponse, &wire.WebResponse{
		RequestID: c.Msg, Status: a.Status, Content: content, ContentType: a.ContentType, Filtered: summary, Cached: cached, Cost: cost.Spark,
	})
}

// fail answers a request whose fetch failed. The request is paid for and counts towards the quota. With details the
// agent also has to wait for restTicks.
func (d *Daemon) fail(c *world.Context, q *wire.WebRequest, host, reason string, details ...world.Detail) wire.Reply {
	var rest wire.Tick
	if len(details) > 0 {
		rest = c.Tick + restTicks
		details = append(details, world.Until(rest))
	}
	d.record(c, &Request{
		ID: c.Msg, Agent: c.Source, URL: q.URL, Method: q.Method, Purpose: q.Purpose, Tick: c.Tick,
		Failed: []byte(reason), Ticks: failedTicks, Cost: failedSpark,
	}, host)
	c.Emit(sys, wire.KindWebRequestFailed, c.Source, &wire.WebRequestFailedEvent{
		RequestID: c.Msg, Agent: c.Source, URL: q.URL, Error: []byte(reason),
	}, nil)
	d.spend(c, failedSpark, rest)
	return c.RefuseCode(codeFetch, wire.CategoryInternal, reason, details...)
}

// record appends the record of a request and counts it.
func (d *Daemon) record(c *world.Context, r *Request, host string) {
	u := d.usage.find(c.Source)
	u.Last = c.Tick
	if r.Cached {
		u.Hits++
	}
	d.usage.Put(c.Source, &u)
	d.requests.Append(r)
	d.traffic.add(r, host)
}

// spend charges for a request that was not answered from the cache, and counts it towards the quota. The caller has
// checked that the agent can pay. Until tick rest the agent may send no other request.
func (d *Daemon) spend(c *world.Context, spark uint64, rest wire.Tick) {
	if r := d.mint.Fee(c, c.Source, spark); r != nil {
		panic(fmt.Sprintf("portal: the fee of %d ⚡ was checked but cannot be paid: %s", spark, r.Reason))
	}
	u := d.usage.Edit(c.Source)
	u.Used++
	u.Until = max(u.Until, rest)
	if uint64(u.Used) == d.quota(c.Epoch) {
		c.Emit(sys, wire.KindQuotaExhausted, c.Source, &wire.QuotaExhaustedEvent{Agent: c.Source, Cycle: c.Cycle, RequestsUsed: u.Used}, nil)
	}
}
