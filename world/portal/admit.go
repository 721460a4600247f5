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

// place is where a request stands when it is judged.
type place struct {
	source wire.AgentID
	tick   wire.Tick
	cycle  wire.Cycle
	epoch  uint32
}

// no is why a request is refused.
type no struct {
	code uint32
	world.Refusal
	host string // whose rule it was, if it was one
}

func refusal(cat wire.Category, reason string, details ...world.Detail) *no {
	return &no{code: wire.ErrorCode(sys, cat), Refusal: world.Refusal{Category: cat, Reason: reason, Details: details}}
}

// judge says why a request is refused before the cache is asked, or nil. It is the same in the
// prepare stage and at the commit, as long as the agent has not asked meanwhile.
func (d *Daemon) judge(q *wire.WebRequest, at place) *no {
	if r := world.CheckBounds(q); r != nil {
		return refusal(r.Category, r.Reason, r.Details...)
	}
	if x := d.open(q.Method, at.epoch); x != nil {
		return x
	}
	if x := d.spare(at); x != nil {
		return x
	}
	if x := wellFormed(q); x != nil {
		return x
	}
	host, ok := CheckURL(q.URL)
	if !ok {
		return refusal(wire.CategoryInvalidRequest, "url", world.Field("url"))
	}
	if category := d.domains.blocked(host); category != "" {
		x := refusal(wire.CategoryUnauthorized, "domain_blocked", world.Detail{Key: "category", Value: category})
		x.code, x.host = codeDomain, host
		return x
	}
	return nil
}

// open says whether the epoch serves a method. The receive pipeline has asked before.
func (d *Daemon) open(m wire.HTTPMethod, epoch uint32) *no {
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
	x := refusal(wire.CategoryUnauthorized, reason, world.Status(level))
	x.code = codeClosed
	return x
}

// spare says whether the agent may ask now: once in a tick, not while it rests, and not more often
// in a cycle than its quota.
func (d *Daemon) spare(at place) *no {
	u := d.usage.of(at.source)
	if next := max(u.Until, u.Last+1); u.Last > 0 && at.tick < next {
		return refusal(wire.CategoryQuotaExceeded, "rate", world.Until(next))
	}
	limit := d.quota(at.epoch)
	if uint64(u.Used) < limit {
		return nil
	}
	return refusal(wire.CategoryQuotaExceeded, "quota", world.Limit(limit), world.Have(0), world.Until(d.rules.Calendar.First(at.cycle+1)))
}

// quota is how many requests an agent has in a cycle of an epoch.
func (d *Daemon) quota(epoch uint32) uint64 {
	return quota(epoch) + uint64(max(0, d.nexus.Param("portal.quota_bonus", 0)))
}

// wellFormed refuses what is not sent on, so that nobody believes it was.
func wellFormed(q *wire.WebRequest) *no {
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
	return refusal(r.Category, r.Reason, r.Details...)
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
