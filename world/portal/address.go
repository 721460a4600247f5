package portal

import (
	"net/url"
	"strings"

	"kingdom/world"
)

// CheckURL returns the host of a URL that the Portal may ask, in lower case, or ok false: it is
// http or https on port 80 or 443, of a host with a public name (world.PublicName), without
// credentials.
func CheckURL(raw []byte) (host string, ok bool) {
	for _, b := range raw {
		if b <= ' ' || b >= 0x7F || b == '\\' {
			return "", false
		}
	}
	u, err := url.Parse(string(raw))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Opaque != "" {
		return "", false
	}
	host = strings.ToLower(u.Hostname())
	switch u.Host[min(len(host), len(u.Host)):] {
	case "", ":80", ":443":
	default:
		return "", false
	}
	return host, world.PublicName(host)
}
