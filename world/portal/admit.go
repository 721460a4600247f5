package portal

import (
	"slices"
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

// requestContext is the sender and the time of a request that is checked.
type requestContext struct {
	source wire.AgentID
	tick   wire.Tick
	cycle  wire.Cycle
	epoch  uint32
}

// denial is the reason of a refusal.
type denial struct {
	code uint32
	world.Refusal
	blockedHost string // set if a rule about this domain is the reason
}

func deny(cat wire.Category, reason string, details ...world.Detail) *denial {
	return &denial{code: wire.ErrorCode(sys, cat), Refusal: world.Refusal{Category: cat, Reason: reason, Details: details}}
}

// check returns why a request is refused before the cache is searched, or nil. The result is the same in the prepare
// stage and at the commit, unless the agent sent another request in between.
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

// checkEpoch refuses methods that the epoch has not opened. The receive pipeline has checked this before.
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

// checkQuota refuses a second request in a tick, a request while the agent has to wait, and a request above the quota
// of the cycle.
func (d *Daemon) checkQuota(rc requestContext) *denial {
	u := d.usage.find(rc.source)
	if next := max(u.Until, u.Last+1); rc.tick < next {
		return deny(wire.CategoryQuotaExceeded, "rate", world.Until(next))
	}
	limit := d.quota(rc.epoch)
	if uint64(u.Used) < limit {
		return nil
	}
	return d.overQuota(limit, rc)
}

// checkHits refuses a request that the cache would answer if the agent has had as many of these as it may in a cycle.
func (d *Daemon) checkHits(rc requestContext) *denial {
	limit := hitFactor * d.quota(rc.epoch)
	if u := d.usage.find(rc.source); uint64(u.Hits) < limit {
		return nil
	}
	return d.overQuota(limit, rc)
}

func (d *Daemon) overQuota(limit uint64, rc requestContext) *denial {
	return deny(wire.CategoryQuotaExceeded, "quota", world.Limit(limit), world.Have(0), world.Until(d.rules.Calendar.First(rc.cycle+1)))
}

// quota returns the number of requests that an agent has in a cycle of an epoch.
func (d *Daemon) quota(epoch uint32) uint64 {
	return quota(epoch) + uint64(max(0, d.nexus.Param("portal.quota_bonus", 0)))
}

// wellFormed refuses filter settings, bodies and headers that would be ignored, so that no agent relies on them.
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

// headerNames are the headers that are sent.
var headerNames = [...]string{"accept", "accept-language"}

// plainHeaders reports whether all headers are among those that are sent, each once, in printable ASCII.
func plainHeaders(h codec.BinMap) bool {
	seen := map[string]bool{}
	for i := range h {
		name := strings.ToLower(h[i].Key)
		if !slices.Contains(headerNames[:], name) || seen[name] {
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
