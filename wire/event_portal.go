package wire

// WebRequestSubmittedEvent: web_request_submitted, of a request that the cache or the outside
// will answer.
type WebRequestSubmittedEvent struct {
	RequestID Hash       `kdom:"request_id"`
	Agent     AgentID    `kdom:"agent"`
	URL       []byte     `kdom:"url"`
	Method    HTTPMethod `kdom:"method"`
	Purpose   []byte     `kdom:"purpose"`
}

// WebRequestCompletedEvent: web_request_completed.
type WebRequestCompletedEvent struct {
	RequestID Hash    `kdom:"request_id"`
	Agent     AgentID `kdom:"agent"`
	URL       []byte  `kdom:"url"`
	Status    uint16  `kdom:"status"`
	Cached    bool    `kdom:"cached"`
	TickCost  uint64  `kdom:"tick_cost"`
	SparkCost uint64  `kdom:"spark_cost"`
}

// WebRequestBlockedEvent: web_request_blocked; the request was refused because of its domain.
type WebRequestBlockedEvent struct {
	RequestID Hash    `kdom:"request_id"`
	Agent     AgentID `kdom:"agent"`
	URL       []byte  `kdom:"url"`
	Reason    []byte  `kdom:"reason"` // the category of the rule, or "unlisted"
}

// WebRequestFailedEvent: web_request_failed; the outside gave no answer.
type WebRequestFailedEvent struct {
	RequestID Hash    `kdom:"request_id"`
	Agent     AgentID `kdom:"agent"`
	URL       []byte  `kdom:"url"`
	Error     []byte  `kdom:"error"` // the reason of the refusal
}

// ContentFilteredEvent: content_filtered, where a filter took something out or warned.
type ContentFilteredEvent struct {
	RequestID         Hash     `kdom:"request_id"`
	CodeBlocksRemoved uint32   `kdom:"code_blocks_removed"`
	BytesStripped     uint64   `kdom:"bytes_stripped"`
	Warnings          [][]byte `kdom:"warnings"`
}

// CacheHitEvent: cache_hit.
type CacheHitEvent struct {
	RequestID Hash    `kdom:"request_id"`
	Agent     AgentID `kdom:"agent"`
	CacheKey  Hash    `kdom:"cache_key"`
}

// CacheStoredEvent: cache_stored.
type CacheStoredEvent struct {
	CacheKey  Hash   `kdom:"cache_key"`
	URL       []byte `kdom:"url"`
	TTLCycles uint64 `kdom:"ttl_cycles"`
	Shared    bool   `kdom:"shared"` // always: everybody reads what is there
}

// CacheEvictedEvent: cache_evicted.
type CacheEvictedEvent struct {
	CacheKey Hash   `kdom:"cache_key"`
	Reason   []byte `kdom:"reason"` // "expired" or "full"
}

// DomainRuleUpdatedEvent: domain_rule_updated, at the bootstrap or by a vote.
type DomainRuleUpdatedEvent struct {
	Pattern  []byte       `kdom:"pattern"`
	Action   DomainAction `kdom:"action"`
	Category []byte       `kdom:"category"`
	Reason   []byte       `kdom:"reason"` // "scenario", "vote" or "vote_lifted"
}

// QuotaExhaustedEvent: quota_exhausted; the agent has used its last request of the cycle.
type QuotaExhaustedEvent struct {
	Agent        AgentID `kdom:"agent"`
	Cycle        Cycle   `kdom:"cycle"`
	RequestsUsed uint32  `kdom:"requests_used"`
}

// PortalReportPublishedEvent: portal_report_published, the fields of [PortalReport].
type PortalReportPublishedEvent = PortalReport
