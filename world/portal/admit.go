package portal

import (
	"strings"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Codes of Portal beside those of its categories.
const (
	codeClosed = 0x0700
	codeDomain = 0x0702
	codeFetch  = 0x0703
)

// requestContext is where a request stands when it is judged.
type requestContext struct {
	source wire.AgentID
	tick   wire.Tick
	cycle  wire.Cycle
	epoch  uint32
}

// denial is why a request is refused.
type denial struct {
	code uint32
	world.Refusal
	blockedHost string // whose rule it was, if it was one
}

func deny(cat wire.Category, reason string, details ...world.Detail) *denial {
	return &denial{code: wire.ErrorCode(sys, cat), Refusal: world.Refusal{Category: cat, Reason: reason, Details: details}}
}

// check says why a request is refused before the cache is asked, or nil. It is the same in the
// prepare stage and at the commit, as long as the agent has not asked meanwhile.
func (d *Daemon) check(q *wire.WebRequest, rc requestContext) *denial {
	if r := world.CheckBounds(q); r != nil {
		return deny(r.Category, r.Reason, r.Details...)
	}
	if refused := d.checkEpoch(q.Method, rc.epoch); refused != nil {
		return refused
	}
	if refused := d.checkQuota(rc); refused != nil {
		return refused
	}
	if refused := wellFormed(q); refused != nil {
		return refused
	}
	host, ok := CheckURL(q.URL)
	if !ok {
		return deny(wire.CategoryInvalidRequest, "url", world.Field("url"))
	}
	if category := d.domains.blocked(host); category != "" {
		refused := deny(wire.CategoryUnauthorized, "domain_blocked", world.Detail{Key: "category", Value: category})
		refused.code, refused.blockedHost = codeDomain, host
		return refused
	}
	return nil
}

// checkEpoch says whether the epoch serves a method. The receive pipeline has asked before.
func (d *Daemon) checkEpoch(m wire.HTTPMethod, epoch uint32) *denial {
	level := Level(epoch)
	reason := ""
	switch {
	case level == wire.AccessLevelClosed:
		reason = "portal_closed"
	case level == wire.AccessLevelReadOnly && m == wire.HTTPMethodPost:
		reason = "read_only"
	default:
		return nil
	}
	refused := deny(wire.CategoryUnauthorized, reason, world.Status(level))
	refused.code = codeClosed
	return refused
}

// checkQuota says whether the agent may ask now: once in a tick, not while it rests, and not more often
// in a cycle than its quota.
func (d *Daemon) checkQuota(rc requestContext) *denial {
	u := d.usage.find(rc.source)
	if next := max(u.Until, u.Last+1); u.Last > 0 && rc.tick < next {
		return deny(wire.CategoryQuotaExceeded, "rate", world.Until(next))
	}
	limit := d.quota(rc.epoch)
	if uint64(u.Used) < limit {
		return nil
	}
	return deny(wire.CategoryQuotaExceeded, "quota", world.Limit(limit), world.Have(0), world.Until(d.rules.Calendar.First(rc.cycle+1)))
}

// quota is how many requests an agent has in a cycle of an epoch.
func (d *Daemon) quota(epoch uint32) uint64 {
	return quota(epoch) + uint64(max(0, d.nexus.Param("portal.quota_bonus", 0)))
}

// wellFormed refuses what is not sent on, so that nobody believes it was.
func wellFormed(q *wire.WebRequest) *denial {
	field := ""
	switch {
	case !q.Filter.StripCodeBlocks:
		field = "filter.strip_code_blocks"
	case !q.Filter.StripInlineCode:
		field = "filter.strip_inline_code"
	case q.Body != nil && q.Method != wire.HTTPMethodPost:
		field = "body"
	case !plainHeaders(q.Headers):
		field = "headers"
	default:
		return nil
	}
	r := world.InvalidIf(true, field)
	return deny(r.Category, r.Reason, r.Details...)
}

// plainHeaders says whether headers are those that are sent on, each once, in printable ASCII.
func plainHeaders(h codec.BinMap) bool {
	seen := map[string]bool{}
	for i := range h {
		name := strings.ToLower(h[i].Key)
		if name != "accept" && name != "accept-language" || seen[name] {
			return false
		}
		seen[name] = true
		for _, b := range h[i].Value {
			if b < ' ' || b >= 0x7F {
				return false
			}
		}
	}
	return true
}
