package world

import (
	"strings"
	"testing"
)

func TestPublicName(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, c := range []struct {
		why, host string
		want      bool
	}{
		{"two parts", "docs.rs", true},
		{"three parts", "en.wikipedia.org", true},
		{"digits and '-' inside", "a-1.b2.c3", true},
		{"digit first", "1a.org", true},
		{"last part begins with the first letter", "a.a", true},
		{"part of 63 bytes", long + ".org", true},
		{"part of 64 bytes", "a" + long + ".org", false},
		{"253 bytes", strings.Repeat("a.", 126) + "a", true},
		{"255 bytes", strings.Repeat("a.", 127) + "a", false},
		{"254 bytes", strings.Repeat("a.", 126) + "aa", false},
		{"nothing", "", false},
		{"one part", "org", false},
		{"empty part", "a..org", false},
		{"dot first", ".org", false},
		{"dot last", "docs.rs.", false},
		{"part that begins with '-'", "-a.org", false},
		{"part that ends with '-'", "a-.org", false},
		{"last part that ends with '-'", "a.org-", false},
		{"upper case", "Docs.rs", false},
		{"other letters", "bücher.de", false},
		{"port", "docs.rs:443", false},
		{"path", "docs.rs/a", false},
		{"address of IPv4", "127.0.0.1", false},
		{"last part begins with a digit", "a.1b", false},
		{"name of every network", "localhost", false},
		{"below a name of every network", "printer.local", false},
		{"a name of every network with two parts", "home.arpa", false},
		{"below one with two parts", "a.home.arpa", false},
		{"ends in the letters of such a name", "notlocal.notlocal", true},
	} {
		if got := PublicName(c.host); got != c.want {
			t.Errorf("%s: %q is public: %t, want %t", c.why, c.host, got, c.want)
		}
	}
}

// Every domain of the default lists is a public name, is listed once, and has the category of its list.
func TestDefaultDomains(t *testing.T) {
	in := map[string]string{}
	for _, rule := range append(DefaultAllow(), DefaultBlock()...) {
		if _, twice := in[rule.Pattern]; twice || !PublicName(rule.Pattern) {
			t.Errorf("%q is listed twice, or is no public name", rule.Pattern)
		}
		in[rule.Pattern] = rule.Category
	}
	for domain, want := range map[string]string{
		"docs.rs": "reference", "arxiv.org": "reference", "github.com": "code_host", "pastebin.com": "code_host",
		"openai.com": "ai_model", "deepseek.com": "ai_model", "x.com": "social_media", "youtube.com": "social_media",
	} {
		if in[domain] != want {
			t.Errorf("%s has the category %q, want %q", domain, in[domain], want)
		}
	}
}
