package wire

// PortalReportTrigger is what Nexus sends to Portal; the answer is [PortalReport].
type PortalReportTrigger struct {
	Cycle Cycle `kdom:"cycle"`
}

// PortalReport describes the traffic through Portal in a cycle.
type PortalReport struct {
	Cycle           Cycle     `kdom:"cycle"`
	TotalRequests   uint32    `kdom:"total_requests"`   // answered, from the cache or outside, or failed
	CacheHitRate    float32   `kdom:"cache_hit_rate"`   // share of those that the cache answered
	DomainsAccessed [][]byte  `kdom:"domains_accessed"` // hosts, ascending, at most 64
	TopUsers        []WebUser `kdom:"top_users"`        // at most 3, most requests first
	CodeFilterHits  uint32    `kdom:"code_filter_hits"` // answers that code was taken out of
	BlockedRequests uint32    `kdom:"blocked_requests"` // to domains that are not allowed
	TotalCost       uint64    `kdom:"total_cost"`       // ⚡
}

// WebUser is a pair [agent, requests] of a report's top list.
type WebUser struct {
	Agent    AgentID `kdom:"agent"`
	Requests uint32  `kdom:"requests"`
}

// Tuple marks the type as encoded like a list of its fields.
func (WebUser) Tuple() {}
