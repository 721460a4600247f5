package openai

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxErrorText is the length, in bytes, of the longest text of a server that gets into logs.
const maxErrorText = 300

// redacted replaces a key.
const redacted = "[REDACTED]"

// keyShapes are what keys of the known providers and headers look like.
var keyShapes = regexp.MustCompile(`sk-[A-Za-z0-9_-]{12,}|AIzaSy[A-Za-z0-9_-]{20,}|(?i:bearer\s+)[^\s"',}]+|(?i:api-?key["']?\s*[:=]\s*["']?)[^\s"',}&]+|\bkey=[^\s"'&]+`)

// redactor removes one key, in all the forms in which a server may echo it, and whatever looks like another key. It
// keeps the forms behind a function, so that printing a redactor does not show them.
type redactor struct{ forms func() []string }

// minSecret is the length of the shortest part of a key that is recognised: servers say
// "Incorrect API key provided: sk-abcde***". A shorter key is a placeholder, such as
// "none" for a local server.
const minSecret = 8

func newRedactor(key string) *redactor {
	if key == "" {
		return &redactor{func() []string { return nil }}
	}
	forms := []string{key}
	if len(key) >= minSecret {
		forms = append(forms, url.QueryEscape(key), url.PathEscape(key), hex.EncodeToString([]byte(key)))
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 { // the key may begin anywhere in the encoded text, as in base64("Bearer "+key)
				coded := enc.EncodeToString([]byte("xx"[:shift] + key))
				forms = append(forms, coded[(shift*8+5)/6:len(coded)-1])
			}
		}
	}
	return &redactor{func() []string { return forms }}
}

// answer removes the key from what a model said, which is otherwise left as it is.
func (r *redactor) answer(text string) string {
	for _, form := range r.forms() {
		if len(form) >= minSecret {
			text = strings.ReplaceAll(text, form, redacted)
		}
	}
	return text
}

// redactForm removes one form of the key, also if only its first minSecret bytes or more are there.
func redactForm(text, form string) string {
	start := form[:min(minSecret, len(form))]
	var b strings.Builder
	for {
		i := strings.Index(text, start)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := i + len(start)
		for end < len(text) && end-i < len(form) && text[end] == form[end-i] {
			end++
		}
		b.WriteString(text[:i] + redacted)
		text = text[end:]
	}
}

// clean returns a server's text fit for logs, errors and the journal: without keys,
// on one line, printable, at most maxErrorText bytes.
func (r *redactor) clean(text string) string {
	for _, form := range r.forms() {
		text = redactForm(text, form)
	}
	text = keyShapes.ReplaceAllString(text, redacted)
	text = strings.Map(func(c rune) rune {
		if c == utf8.RuneError || isControl(c) {
			return ' '
		}
		return c
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxErrorText {
		return text
	}
	cut := maxErrorText
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
