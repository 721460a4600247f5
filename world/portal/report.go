package portal

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

const (
	topUsers    = 3  // agents that a report names
	reportHosts = 64 // hosts that it names
)

// traffic counts the requests of the open cycle.
type traffic struct {
	report wire.PortalReport
	hits   uint32
	users  map[wire.AgentID]uint32
	hosts  map[string]struct{}
}

func (t *traffic) add(r *Request, host string) {
	if t.users == nil {
		t.users, t.hosts = map[wire.AgentID]uint32{}, map[string]struct{}{}
	}
	t.users[r.Agent]++
	t.hosts[host] = struct{}{}
	t.report.TotalRequests++
	t.report.TotalCost += r.Cost
	if r.Cached {
		t.hits++
	}
	if r.Filtered.BytesStripped > 0 {
		t.report.CodeFilterHits++
	}
}

// Report returns the traffic of the cycle that ends, and starts a new count.
func (d *Daemon) Report(c *world.Context) wire.PortalReport {
	t := &d.traffic
	r := t.report
	r.Cycle = c.Cycle
	if r.TotalRequests > 0 {
		r.CacheHitRate = float32(det.Quantise(float64(t.hits) / float64(r.TotalRequests)))
	}
	for _, host := range det.SortedKeys(t.hosts) {
		if len(r.DomainsAccessed) < reportHosts {
			r.DomainsAccessed = append(r.DomainsAccessed, []byte(host))
		}
	}
	r.TopUsers = t.top()
	d.traffic = traffic{}
	c.Emit(sys, wire.KindPortalReportPublished, me, &r, nil)
	return r
}

// top returns the agents with most requests, ties by id.
func (t *traffic) top() []wire.WebUser {
	out := []wire.WebUser{}
	for _, a := range det.SortedKeysFunc(t.users, wire.AgentID.Compare) {
		out = append(out, wire.WebUser{Agent: a, Requests: t.users[a]})
	}
	slices.SortStableFunc(out, func(a, b wire.WebUser) int { return int(b.Requests) - int(a.Requests) })
	return out[:min(topUsers, len(out))]
}
