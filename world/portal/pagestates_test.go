package portal

import (
	"fmt"
	"testing"

	"kingdom/wire"
)

// TestPage_EveryRequestInEveryState: what a request for a page comes to, by what the cache knows of it. What is refused
// changes nothing: send checks it.
func TestPage_EveryRequestInEveryState(t *testing.T) {
	const url = "https://docs.test/page"
	kept := func(l *lab) {
		if got := reasonOf(l.send(0, url, wire.HTTPMethodGet)); got != "" {
			t.Fatal(got)
		}
	}
	ends := func(n int) func(l *lab) {
		return func(l *lab) {
			kept(l)
			for range n {
				l.endCycle()
			}
		}
	}
	states := []struct {
		name string
		come func(l *lab)
	}{
		{"unknown", func(*lab) {}},
		{"fetched a tick ago", kept},
		{"fetched with HEAD alone", func(l *lab) { l.send(0, url, wire.HTTPMethodHead) }},
		{"in the last cycle of its time", ends(ttlCycles - 1)},
		{"past its time", ends(ttlCycles)},
	}
	const (
		got, paid, cached = "asked the outside for 2", "asked the outside for 3", "from the cache for 0"
		head, money       = "asked the outside for 1", "funds 0701"
	)
	for _, tc := range []struct {
		name   string
		method wire.HTTPMethod
		money  uint64
		want   [5]string // by state
	}{
		{"GET", wire.HTTPMethodGet, 100, [5]string{got, cached, got, cached, got}},
		{"HEAD", wire.HTTPMethodHead, 100, [5]string{head, head, cached, head, head}},
		{"POST", wire.HTTPMethodPost, 100, [5]string{paid, paid, paid, paid, paid}},
		{"GET without money", wire.HTTPMethodGet, 1, [5]string{money, cached, money, cached, money}},
	} {
		for i, state := range states {
			l := newLab(t, 4)
			state.come(l)
			l.asked = 0
			l.n.money[agentID(1)] = tc.money
			r := l.send(1, url, tc.method)
			is := reasonOf(r)
			if r.Err == nil {
				answer := r.Body.(*wire.WebResponse)
				is = fmt.Sprintf("from the cache for %d", answer.Cost)
				if l.asked > 0 {
					is = fmt.Sprintf("asked the outside for %d", answer.Cost)
				}
				if answer.Cached != (l.asked == 0) || l.n.money[agentID(1)] != tc.money-answer.Cost {
					t.Errorf("%s when %s: cached %t, %d ⚡ left", tc.name, state.name, answer.Cached, l.n.money[agentID(1)])
				}
			}
			if is != tc.want[i] {
				t.Errorf("%s when %s: %s, want %s", tc.name, state.name, is, tc.want[i])
			}
		}
	}
}
