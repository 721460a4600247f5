package world

import "kingdom/wire"

// TextQuota returns a refusal (text_quota) if an agent that has used so many bytes of its limit in this cycle may not
// add more bytes; else nil. A limit of 0 means no limit.
func (c *Context) TextQuota(used, more, limit uint64) *Refusal {
	left := limit - min(limit, used)
	if limit == 0 || more <= left {
		return nil
	}
	return &Refusal{
		Category: wire.CategoryQuotaExceeded, Reason: "text_quota",
		Details: []Detail{Limit(limit), Have(left), Need(more), c.UntilCycle(c.Cycle + 1)},
	}
}
