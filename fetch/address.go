package fetch

import "net/netip"

// reserved are the blocks that no public host has, beside those that netip knows of.
var reserved = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

// publicV6 is all that is in use of IPv6; what embeds an IPv4 address lies outside of it, or in
// reserved.
var publicV6 = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, p := range list {
		out[i] = netip.MustParsePrefix(p)
	}
	return out
}

// Public reports whether an address is a public address of the internet: not loopback, link-local, private, shared
// (RFC 6598), multicast, unspecified or reserved, nor an IPv6 form of one.
func Public(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !publicV6.Contains(a) {
		return false
	}
	return !containsAny(reserved, a)
}

func containsAny(list []netip.Prefix, a netip.Addr) bool {
	for _, p := range list {
		if p.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}
