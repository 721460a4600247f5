package action

import "kingdom/wire"

var portalRefusals = map[string][]Refusal{
	"web_request": {
		{unauthorized, "portal_closed", "status", "the outside is closed in this epoch"},
		{unauthorized, "read_only", "status", "POST while only reading is allowed"},
		{unauthorized, "domain_blocked", "category", "the domain is not allowed"},
		{exceeded, "quota", "limit have until", "the requests of the cycle are used up"},
		{exceeded, "rate", "until", "a second request in a tick, or a rest after the outside was busy"},
		{invalid, "url", "field", "it is no address of the outside"},
		{invalid, "body", "field", "a body that is not of a POST"},
		{invalid, "headers", "field", "others than Accept and Accept-Language, or one of them twice"},
		{invalid, "strip_code_blocks", "field", "code never enters"},
		{invalid, "strip_inline_code", "field", "code never enters"},
		{wire.CategoryInternal, "fetch_failed", "status? until?", "nothing came back, or that the outside is busy; it costs 1 ⚡ and counts as a request"},
		{wire.CategoryInternal, "timeout", "", "nothing came back in time; it costs the same"},
		{wire.CategoryInternal, "redirects", "", "it led on too often, or to where the Portal does not go; it costs the same"},
		{exceeded, "funds", "have need", "the price was not there before the tick"},
	},
}

// portalCodes are the codes of Portal that daemon and category do not decide.
var portalCodes = map[string]uint32{
	"portal_closed": 0x0700, "read_only": 0x0700, "domain_blocked": 0x0702,
	"fetch_failed": 0x0703, "timeout": 0x0703, "redirects": 0x0703,
}
