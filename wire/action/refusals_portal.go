package action

import "kingdom/wire"

var portalRefusals = map[string][]Refusal{
	"web_request": {
		{unauthorized, "portal_closed", "", "the outside is closed in this epoch"},
		{unauthorized, "read_only", "", "POST while only reading is allowed"},
		{unauthorized, "domain_blocked", "", "the domain is not allowed"},
		{exceeded, "quota", "limit until", "the requests of the cycle are used up"},
		{exceeded, "rate", "limit until", "too many requests to the domain"},
		{invalid, "url", "field", "it is no address of the outside"},
		{wire.CategoryInternal, "fetch_failed", "", "nothing came back"},
		{wire.CategoryInternal, "timeout", "", "nothing came back in time"},
		{wire.CategoryInternal, "redirects", "", "it led on too often"},
		{exceeded, "funds", "have need", "the price is not there"},
	},
}

// portalCodes are the codes of Portal that daemon and category do not decide.
var portalCodes = map[string]uint32{
	"portal_closed": 0x0700, "read_only": 0x0700, "domain_blocked": 0x0702,
	"fetch_failed": 0x0703, "timeout": 0x0703, "redirects": 0x0703,
}
