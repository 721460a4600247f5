package adversary

import (
	"strconv"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// hoardPages asks the outside for a page in every slot: pages that nobody has asked for, so that the cache
// keeps none that others want; the same one again and again, which costs nothing; and what it must not be
// given: hosts that are not allowed, the machine it runs on, a host that only looks like an allowed one.
func hoardPages(s *slot) (move, bool) {
	domain := "docs.rs"
	if s.Limits != nil && len(s.Limits.Domains) > 0 {
		domain = s.Limits.Domains[0]
	}
	host := "https://" + domain
	switch s.Slot % 8 {
	case 0, 1:
		return page(host+"/"+s.Alias+"/"+strconv.FormatUint(uint64(s.Tick), 10), "asks for a page that nobody wants"), true
	case 2, 3:
		return page(host+"/", "asks for the same page once more"), true
	case 4:
		return page("http://localhost/", "asks for the machine itself"), true
	case 5:
		return page("http://169.254.169.254/", "asks for an address beside the machine"), true
	case 6:
		return page(host+".example/", "asks for a host that looks like another"), true
	}
	return page("https://"+domain+"@example.org/", "hides a host behind another's name"), true
}

// page asks for a page, with as much around it as may be sent.
func page(url, why string) move {
	return move{"web_request", &wire.WebRequest{
		URL: []byte(url), Method: wire.HTTPMethodGet, Headers: codec.BinMap{{Key: "Accept", Value: []byte("text/plain")}}, Purpose: []byte("hoarding"),
		Filter: wire.ContentFilter{StripCodeBlocks: true, StripInlineCode: true, MaxSize: 65_536, Format: wire.ContentFormatRaw},
	}, why}
}
