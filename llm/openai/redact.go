package openai

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxErrorText is the length, in bytes, of the longest text of a server that gets into logs.
const maxErrorText = 300

// redacted stands where a key was.
const redacted = "[REDACTED]"

// keyShapes are what keys of the known providers and headers look like.
var keyShapes = regexp.MustCompile(`sk-[A-Za-z0-9_-]{12,}|AIzaSy[A-Za-z0-9_-]{20,}|(?i:bearer\s+)[^\s"',}]+|(?i:api-?key["']?\s*[:=]\s*["']?)[^\s"',}&]+|\bkey=[^\s"'&]+`)

// redactor removes one key, in all the forms in which a server may echo it, and
// whatever looks like another key.
type redactor struct{ secrets []string }

// minSecret is the length of the shortest part of a key that is recognised.
const minSecret = 8

func newRedactor(key string) *redactor {
	r := &redactor{}
	if key == "" {
		return r
	}
	forms := []string{key, url.QueryEscape(key), base64.StdEncoding.EncodeToString([]byte(key)), base64.RawURLEncoding.EncodeToString([]byte(key))}
	r.secrets = append(r.secrets, forms...)
	for n := len(key) - 1; n >= minSecret; n-- {
		r.secrets = append(r.secrets, key[:n]) // "Incorrect API key provided: sk-abcde***"
	}
	return r
}

// clean returns a server's text fit for logs, errors and the journal: without keys,
// on one line, printable, at most maxErrorText bytes.
func (r *redactor) clean(text string) string {
	for _, s := range r.secrets {
		text = strings.ReplaceAll(text, s, redacted)
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
