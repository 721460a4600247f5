package portal

import (
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// ready prepares a request of agent 0 for a page, with an answer, so that it can be applied.
func (l *lab) ready(m wire.HTTPMethod, answer world.Answer) *wire.WebRequest {
	l.t.Helper()
	l.at(l.c.Tick + 1)
	q := &wire.WebRequest{Agent: agentID(0), URL: []byte("https://docs.test/"), Method: m, Filter: usual}
	l.n.money[q.Agent] = 10
	other := world.Request{Source: agentID(1), Payload: &wire.PortalReport{}} // not for Prepare
	tasks := l.Prepare(l.c.Tick, []world.Request{other, {Source: q.Agent, Payload: q, Seat: 1}})
	if len(tasks) != 1 || len(tasks[0].Seats) != 1 || tasks[0].Seats[0] != 1 {
		l.t.Fatalf("tasks %+v", tasks)
	}
	l.c.Source, l.c.Prepared = q.Agent, tasks[0].Run(answer)[0]
	return q
}

func answered(content string) world.Answer {
	return world.Answer{Body: wire.WebFetchedCodec.Append(nil, &wire.WebFetched{Status: 200, Content: []byte(content)})}
}

// An agent whose money was taken after its page was fetched is refused, and the page is not kept.
func TestFunds_ThatAreGoneAtTheCommit(t *testing.T) {
	for money, want := range map[uint64]string{1: "funds 0701", 2: ""} {
		l := newLab(t, 3)
		q := l.ready(wire.HTTPMethodGet, answered("A map."))
		l.n.money[q.Agent] = money
		r := l.Apply(l.c, q)
		if got := reasonOf(r); got != want {
			t.Errorf("%d ⚡: %q, want %q", money, got, want)
		}
		if refused := want != ""; refused != (l.cache.Len() == 0) || refused != (l.requests.Count() == 0) || refused != (l.n.money[q.Agent] == money) {
			t.Errorf("%d ⚡: %d pages, %d records, %d ⚡ left", money, l.cache.Len(), l.requests.Count(), l.n.money[q.Agent])
		}
	}
}

// What the outside answers is bounded and checked again: the world may be run with another fetcher.
func TestAnswers_ThatAreNotAsTheyShouldBe(t *testing.T) {
	const get, head = wire.HTTPMethodGet, wire.HTTPMethodHead
	for name, c := range map[string]struct {
		method wire.HTTPMethod
		answer world.Answer
		reason string
		bytes  int // kept in the cache
	}{
		"as long as may be":      {get, answered(strings.Repeat("x", maxContent)), "", maxContent},
		"a byte longer":          {get, answered(strings.Repeat("x", maxContent+1)), "", maxContent},
		"content without asking": {head, answered("A map."), "", 0},
		"no answer's encoding":   {get, world.Answer{Body: []byte("\xFF")}, "fetch_failed 0703", 0},
		"a reason with details":  {get, world.Answer{Failed: "timeout: after 10 s"}, "timeout 0703", 0},
	} {
		l := newLab(t, 3)
		r := l.Apply(l.c, l.ready(c.method, c.answer))
		if got := reasonOf(r); got != c.reason || l.cache.bytes != c.bytes {
			t.Errorf("%s: %q and %d bytes kept; want %q and %d", name, got, l.cache.bytes, c.reason, c.bytes)
		}
		if r.Err == nil && len(r.Body.(*wire.WebResponse).Content) != c.bytes {
			t.Errorf("%s: the agent reads %d bytes", name, len(r.Body.(*wire.WebResponse).Content))
		}
	}
}

// Portal answers no messages but web requests.
func TestApply_OtherMessages(t *testing.T) {
	l := newLab(t, 3)
	r := l.Apply(l.c, &wire.PortalReport{})
	if r.Err == nil || r.Err.Code != uint32(wire.CodeUnknownType) || string(r.Err.Message) != "unknown_type" {
		t.Errorf("%+v", r.Err)
	}
}
