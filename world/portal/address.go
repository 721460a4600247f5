package portal

import (
	"net/url"
	"strings"

	"kingdom/world"
)

// CheckURL returns the host of a URL in lower case, if Portal may ask it: the scheme is http or https, the port 80 or
// 443, the host has a public name (world.PublicName), and there are no credentials. Otherwise ok is false.
func CheckURL(raw []byte) (host string, ok bool) {
	for _, b := range raw {
		if b <= ' ' || b >= 0x7F || b == '\\' {
			return "", false
		}
	}
	u, err := url.Parse(string(raw))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
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
