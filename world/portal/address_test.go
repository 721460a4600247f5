package portal

import (
	"net/netip"
	"net/url"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire/codec"
)

func TestCheckURL(t *testing.T) {
	for raw, host := range map[string]string{
		"https://docs.rs/a?b#c": "docs.rs", "http://Docs.RS": "docs.rs", "HTTPS://docs.rs:443/": "docs.rs", "http://docs.rs:80": "docs.rs",
		"https://docs.rs:443?x": "docs.rs", "https://xn--bcher-kva.example/": "xn--bcher-kva.example", "https://a-b.c1.org": "a-b.c1.org",
		"https://docs.rs/!": "docs.rs", "https://docs.rs/[a]~": "docs.rs",

		"": "", "docs.rs": "", "//docs.rs/": "", "https:docs.rs": "", "https:///x": "", "ftp://docs.rs/": "", "file:///etc/passwd": "", "gopher://docs.rs": "",
		"https://me@docs.rs/": "", "https://me:x@docs.rs/": "", "https://@docs.rs/": "", "https://docs.rs:8080/": "", "https://docs.rs:/": "", "https://docs.rs:080/": "",
		"http://127.0.0.1/": "", "http://127.1/": "", "http://2130706433/": "", "http://0x7f.0.0.1/": "", "http://0x7f000001/": "", "http://0177.0.0.1": "", "http://127.0.0.0x1": "",
		"http://[::1]/": "", "http://[::ffff:127.0.0.1]:80/": "", "http://[fe80::1%25eth0]/": "", "http://1.2.3.4.": "",
		"http://localhost/": "", "http://a.localhost": "", "http://intranet/": "", "http://printer.local/": "", "http://x.internal": "", "http://docs.rs./": "", "http://.docs.rs/": "",
		"http://docs..rs/": "", "http://-docs.rs/": "", "http://docs_rs.org": "", "http://doc%73.rs/": "", "http://dócs.rs/": "", "http://docs.rs\\@127.0.0.1/": "", "http://docs.rs /": "",
		"http://docs.rs/\n": "", "http://docs.rs\x00/": "", "http://127.0.0.1#@docs.rs/": "",
		"https://docs.rs/a b": "", "https://docs.rs/?a b": "", "https://docs.rs/\\": "", "https://docs.rs/\x7F": "", "https://docs.rs/é": "",
	} {
		if got, ok := CheckURL([]byte(raw)); ok != (host != "") || ok && got != host {
			t.Errorf("%q: host %q, %t; want %q", raw, got, ok, host)
		}
	}
}

// TestCheckURL_Property: what passes is what the standard library takes it for, and no address.
func TestCheckURL_Property(t *testing.T) {
	part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"http", "https", "://", ":", "/", "@", "docs.rs", "127.0.0.1", "0x7f", "[::1]", ".", "80", "443", "#", "?", "\\", "%2e"}))
	rapid.Check(t, func(t *rapid.T) { checkURL(t, rapid.SliceOfN(part, 0, 12).Draw(t, "parts")) })
}

func checkURL(t interface {
	Fatalf(string, ...any)
}, parts []string,
) {
	var raw string
	for _, p := range parts {
		raw += p
	}
	host, ok := CheckURL([]byte(raw))
	if !ok {
		return
	}
	u, err := url.Parse(raw)
	if err != nil || u.User != nil || u.Port() != "" && u.Port() != "80" && u.Port() != "443" {
		t.Fatalf("%q passes: %v", raw, err)
	}
	if _, err := netip.ParseAddr(host); err == nil {
		t.Fatalf("%q is an address", host)
	}
}

func FuzzCheckURL(f *testing.F) {
	f.Add("https://docs.rs/")
	f.Add("http://[::1]/")
	f.Fuzz(func(t *testing.T, raw string) { checkURL(t, []string{raw}) })
}

// Headers are sent as they are, so they may have nothing but printable ASCII.
func TestPlainHeaders(t *testing.T) {
	for value, want := range map[string]bool{"text/html": true, " ~": true, "": true, "\x1F": false, "a\tb": false, "a\r\nHost: b": false, "\x7F": false, "é": false} {
		if got := plainHeaders(codec.BinMap{{Key: "Accept", Value: []byte(value)}}); got != want {
			t.Errorf("%q: %t, want %t", value, got, want)
		}
	}
}
