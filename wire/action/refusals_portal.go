package action

import "kingdom/wire"

var portalRefusals = map[string][]Refusal{
	"web_request": {
		{unauthorized, "portal_closed", "status", "Portal is closed in this epoch"},
		{unauthorized, "read_only", "status", "POST in an epoch that allows only GET and HEAD"},
		{unauthorized, "domain_blocked", "category", "the domain is not allowed"},
		{exceeded, "quota", "limit have until", "the requests of the cycle are used up"},
		{exceeded, "rate", "until", "a second request in a tick, or less than 10 ticks after status 429 or 503"},
		{invalid, "url", "field", "it is not a URL that Portal may request (docs/WORLD.md, Portal)"},
		{invalid, "body", "field", "a body, but the method is not POST"},
		{invalid, "headers", "field", "a header other than Accept and Accept-Language, or one of them twice"},
		{invalid, "strip_code_blocks", "field", "the filter may not let code in: it must be true"},
		{invalid, "strip_inline_code", "field", "the filter may not let code in: it must be true"},
		{wire.CategoryInternal, "fetch_failed", "status? until?", "the server could not be reached or answered with 429 or 503; the request costs 1 ⚡ and counts towards the quota"},
		{wire.CategoryInternal, "timeout", "", "the server did not answer in time; costs the same"},
		{wire.CategoryInternal, "redirects", "", "more than two redirects, or one to a URL that Portal may not request; costs the same"},
		{exceeded, "funds", "have need", "the sender could not pay the price before the tick"},
	},
}

// portalCodes are the codes of Portal that daemon and category do not decide.
var portalCodes = map[string]uint32{
	"portal_closed": 0x0700, "read_only": 0x0700, "domain_blocked": 0x0702,
	"fetch_failed": 0x0703, "timeout": 0x0703, "redirects": 0x0703,
}
