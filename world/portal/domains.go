package portal

import (
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

// maxVoted is how many domains votes may have blocked at the same time.
const maxVoted = 256

// unlisted is the category of domains without a rule.
const unlisted = "unlisted"

// byVote is the category of domains that a vote blocked.
const byVote = "vote"

// domains holds the rules about domains, by pattern. A pattern is a host name, which stands for itself and its
// subdomains.
type domains struct {
	*world.Table[string, Rule]
	rules *world.Rules
}

func newDomains(s *world.State, r *world.Rules) *domains {
	return &domains{world.NewTable[string](s, "rules", ruleCodec), r}
}

// blocked returns why requests to a host are refused: the category of the rule, or unlisted. It returns "" if they are
// allowed.
func (x *domains) blocked(host string) (category string) {
	allowed := x.rules.PortalUnlisted
	for name := host; ; {
		if r := x.Get(name); r != nil {
			switch {
			case r.Block:
				return string(r.Category)
			case r.Voted:
				return byVote
			}
			allowed = true // a rule that does not block allows
		}
		_, rest, ok := strings.Cut(name, ".")
		if !ok {
			break
		}
		name = rest
	}
	if allowed {
		return ""
	}
	return unlisted
}

// addScenarioRules adds the rules of the scenario.
func (x *domains) addScenarioRules(c *world.Context) {
	for _, r := range x.rules.PortalAllow {
		x.addScenarioRule(c, r, true)
	}
	for _, r := range x.rules.PortalBlock {
		x.addScenarioRule(c, r, false)
	}
}

// addScenarioRule adds a rule of the scenario. A pattern that is in both lists is blocked.
func (x *domains) addScenarioRule(c *world.Context, r world.DomainRule, allow bool) {
	rule, action := Rule{Category: []byte(r.Category)}, wire.DomainActionBlock
	if old := x.Get(r.Pattern); old != nil {
		rule = *old
		rule.Category = []byte(r.Category)
	}
	if rule.Allow = rule.Allow || allow; allow {
		action = wire.DomainActionAllow
	} else {
		rule.Block = true
	}
	x.Put(r.Pattern, &rule)
	x.emitRule(c, r.Pattern, action, r.Category, "scenario")
}

// MaySetBlock reports whether a vote may block a domain, or lift such a block. It returns false if pattern is not the name of
// a domain, if the block was not made by a vote, and if there are too many blocks.
func (d *Daemon) MaySetBlock(pattern string, block bool) bool {
	r := d.domains.Get(pattern)
	switch {
	case !world.PublicName(pattern):
		return false
	case !block:
		return r != nil && r.Voted
	}
	voted := 0
	d.domains.Each(func(_ string, r *Rule) {
		if r.Voted {
			voted++
		}
	})
	return voted < maxVoted
}

// SetBlock blocks a domain, or lifts a block that an earlier vote made. What the scenario does not allow stays closed. It
// does nothing if MaySetBlock returns false.
func (d *Daemon) SetBlock(c *world.Context, pattern string, block bool) {
	if !d.MaySetBlock(pattern, block) {
		return
	}
	old := d.domains.Get(pattern)
	switch {
	case old == nil: // only a block may be the first rule
		d.domains.Put(pattern, &Rule{Voted: true, Category: []byte(byVote)})
	case block:
		d.domains.Edit(pattern).Voted = true
	case !old.Allow && !old.Block:
		d.domains.Delete(pattern)
	default:
		d.domains.Edit(pattern).Voted = false
	}
	if block {
		d.domains.emitRule(c, pattern, wire.DomainActionBlock, byVote, "vote")
	} else {
		d.domains.emitRule(c, pattern, wire.DomainActionAllow, byVote, "vote_lifted")
	}
}

func (x *domains) emitRule(c *world.Context, pattern string, action wire.DomainAction, category, reason string) {
	c.Emit(sys, wire.KindDomainRuleUpdated, me, &wire.DomainRuleUpdatedEvent{
		Pattern: []byte(pattern), Action: action, Category: []byte(category), Reason: []byte(reason),
	}, nil)
}

// patterns lists the patterns that are allowed and those that are blocked, ascending.
func (x *domains) patterns() (allow, block []string) {
	x.Each(func(pattern string, r *Rule) {
		if r.Allow {
			allow = append(allow, pattern)
		}
		if r.Block || r.Voted {
			block = append(block, pattern)
		}
	})
	return allow, block
}

// Allows reports whether a redirect may lead to a URL: it passes CheckURL, and the rules in the request allow its
// host.
func Allows(f *wire.WebFetch, raw []byte) bool {
	host, ok := CheckURL(raw)
	return ok && !covers(f.Block, host) && (f.Open || covers(f.Allow, host))
}

// covers reports whether one of the patterns stands for host.
func covers(patterns []string, host string) bool {
	for _, p := range patterns {
		if host == p || strings.HasSuffix(host, "."+p) {
			return true
		}
	}
	return false
}
