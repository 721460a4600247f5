package world

import "kingdom/wire"

// TextQuota refuses a text of more bytes for an agent that has used so many of its limit in
// this cycle (text_quota); nil if they are left, or if limit is 0: then there is none.
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
