package openai

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

func TestRedactor_AllForms(t *testing.T) {
	const key = "pk+planted/0123456789=abcdef&ghij"
	r := newRedactor(key)
	lower := func(s string) string { // as some servers and libraries write %2f
		return regexp.MustCompile(`%..`).ReplaceAllStringFunc(s, strings.ToLower)
	}
	var each, mixed, unicode strings.Builder
	for i := range len(key) {
		fmt.Fprintf(&each, "%%%02x", key[i])
		fmt.Fprintf(&mixed, []string{"%c", "%%%02x", "%%%02X"}[i%3], key[i])
		fmt.Fprintf(&unicode, `\u%04x`, key[i])
	}
	b64 := base64.StdEncoding.EncodeToString
	for name, text := range map[string]string{
		"plain":        "Incorrect API key provided: " + key + ".",
		"beginning":    "Incorrect API key provided: " + key[:12] + "***",
		"query":        "?k=" + url.QueryEscape(key),
		"path":         "/k/" + url.PathEscape(key),
		"lower query":  "?k=" + lower(url.QueryEscape(key)),
		"query twice":  "?k=" + url.QueryEscape(url.QueryEscape(key)),
		"each byte":    "?k=" + each.String(),
		"mixed":        "?k=" + mixed.String(),
		"json":         strings.ReplaceAll(key, "/", `\/`),
		"json twice":   strings.ReplaceAll(key, "/", `\\/`),
		"json unicode": unicode.String(),
		"base64":       b64([]byte(key)),
		"basic":        "Basic " + b64([]byte("user:"+key)),
		"in a header":  b64([]byte("Bearer " + key)),
		"in a header2": b64([]byte("Bearer: " + key + " and more")),
		"url base64":   base64.RawURLEncoding.EncodeToString([]byte(key)),
		"hex":          hex.EncodeToString([]byte(key)),
		"twice":        key + key,
		"cut":          strings.Repeat("x", 290) + key,
	} {
		got := r.clean(text)
		if !strings.Contains(got, redacted) {
			t.Errorf("%s: %s", name, got)
		}
		for _, form := range []string{key[:8], "ghij", "%6", "%78", "78", url.QueryEscape(key)[:8], b64([]byte(key))[4:12], b64([]byte("x" + key))[4:12], b64([]byte("xx" + key))[4:12], hex.EncodeToString([]byte(key))[:10]} {
			if strings.Contains(got, form) {
				t.Errorf("%s: %q is still in %s", name, form, got)
			}
		}
	}
	if text := `{"reasoning":"pk+planted flowers","act":{"nop":{}}}`; r.answer(text) != text {
		t.Errorf("an answer without the key was changed: %s", r.answer(text))
	}
	if got := r.answer(`{"reasoning":"` + key + `"}`); got != `{"reasoning":"[REDACTED]"}` {
		t.Errorf("an answer with the key: %s", got)
	}
	if got := r.answer(`{"reasoning":"` + each.String() + `"}`); got != `{"reasoning":"[REDACTED]"}` {
		t.Errorf("an answer with the encoded key: %s", got)
	}
	if got := newRedactor("none").answer("none of it"); got != "none of it" {
		t.Errorf("a placeholder was taken for a secret: %s", got)
	}
	if got := fmt.Sprintf("%v %+v %#v", r, r, *r); strings.Contains(got, "planted") {
		t.Errorf("formatting shows the key: %s", got)
	}
}
