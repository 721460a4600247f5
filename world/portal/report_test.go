package portal

import (
	"fmt"
	"testing"

	"kingdom/wire"
)

// A report counts what the cycle brought, and the next begins with nothing.
func TestReport_CountsACycle(t *testing.T) {
	l := newLab(t, 3)
	l.page = "Call `f(x)` now."
	for i, url := range []string{"https://docs.test/1", "https://docs.test/1", "https://docs.test/1", "https://a.docs.test/", "https://code.docs.test/", "https://other.test/"} {
		l.send(i%4, url, wire.HTTPMethodGet)
	}
	l.page = "Prose."
	l.send(1, "https://docs.test/2", wire.HTTPMethodGet)
	l.status = 503
	l.send(1, "https://docs.test/3", wire.HTTPMethodGet)
	r, _ := l.endCycle()
	if got, want := fmt.Sprint(r.TotalRequests, r.BlockedRequests, r.CodeFilterHits, r.TotalCost), "6 2 4 7"; got != want {
		t.Errorf("requests, blocked ones, code hits and cost: %s, want %s", got, want)
	}
	if share := float32(r.CacheHitRate); share < 0.333 || share > 0.334 {
		t.Errorf("a hit rate of %g, want a third", share)
	}
	if got, want := fmt.Sprintf("%s", r.DomainsAccessed), "[a.docs.test docs.test]"; got != want {
		t.Errorf("hosts %s, want %s", got, want)
	}
	if want := []wire.WebUser{{Agent: agentID(1), Requests: 3}, {Agent: agentID(0), Requests: 1}, {Agent: agentID(2), Requests: 1}}; fmt.Sprint(r.TopUsers) != fmt.Sprint(want) {
		t.Errorf("users %v, want %v", r.TopUsers, want)
	}
	r, events := l.endCycle()
	if r.Cycle != 2 || r.TotalRequests+r.BlockedRequests+r.CodeFilterHits > 0 || r.CacheHitRate != 0 || len(r.DomainsAccessed)+len(r.TopUsers) > 0 || len(events) != 1 {
		t.Errorf("a cycle without requests: %+v, %d events", r, len(events))
	}
}

// A report names the first 64 hosts.
func TestReport_HostsAreLimited(t *testing.T) {
	for _, hosts := range []int{64, 65} {
		l := newLab(t, 3)
		l.rules.PortalUnlisted, l.n.bonus = true, 100
		for i := range hosts {
			l.send(0, fmt.Sprintf("https://h%02d.test/", i), wire.HTTPMethodGet)
		}
		r, _ := l.endCycle()
		if n := len(r.DomainsAccessed); n != 64 || string(r.DomainsAccessed[0]) != "h00.test" || string(r.DomainsAccessed[63]) != "h63.test" {
			t.Errorf("%d hosts: the report names %d of them", hosts, n)
		}
	}
}
