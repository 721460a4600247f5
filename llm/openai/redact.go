package openai

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"kingdom/llm/keyward"
)

// maxErrorText is the length, in bytes, of the longest text of a server that gets into logs.
const maxErrorText = 300

// redacted replaces a key.
const redacted = "[REDACTED]"

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
		forms = append(forms, hex.EncodeToString([]byte(key)))
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
			text = redactForm(text, form, len(form))
		}
	}
	return text
}

// redactForm removes one form of the key, also if only its first least bytes or more are there, and if some or all of
// them are escaped.
func redactForm(text, form string, least int) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(text); {
		if c := text[i]; c != form[0] && c != '%' && c != '\\' { // the usual case
			i++
			continue
		}
		size, found := lengthOf(form, text[i:])
		if found < least {
			i++
			continue
		}
		b.WriteString(text[from:i] + redacted)
		i += size
		from = i
	}
	if from == 0 {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}

// lengthOf returns how many bytes of a form of the key a text begins with, and how many bytes of the text they take.
func lengthOf(form, text string) (size, found int) {
	for found < len(form) && size < len(text) {
		n := sizeOf(form[found], text[size:])
		if n == 0 {
			break
		}
		size, found = size+n, found+1
	}
	return size, found
}

// sizeOf returns how many bytes the byte c takes at the beginning of a text: one if it is there as it is, more if it is
// percent-encoded (once or several times) or escaped as in JSON; 0 if the text begins with something else.
func sizeOf(c byte, text string) int {
	for at := 1; text[0] == '%'; at += len("25") {
		if isHex(c, text[at:]) {
			return at + 2
		}
		if !strings.HasPrefix(text[at:], "25") {
			break
		}
	}
	if text[0] == c {
		return 1
	}
	slashes := 0 // JSON inside of JSON doubles them
	for slashes < min(len(text), maxSlashes) && text[slashes] == '\\' {
		slashes++
	}
	switch after := text[slashes:]; {
	case slashes == 0:
		return 0
	case c == '/' && strings.HasPrefix(after, "/"):
		return slashes + 1
	case strings.HasPrefix(after, "u00") && isHex(c, after[len("u00"):]):
		return slashes + len("u00") + 2
	}
	return 0
}

// maxSlashes is the largest number of backslashes of one escape.
const maxSlashes = 8

// isHex reports whether a text begins with the byte c as two hex digits.
func isHex(c byte, text string) bool {
	if len(text) < 2 {
		return false
	}
	v, err := strconv.ParseUint(text[:2], 16, 8)
	return err == nil && byte(v) == c
}

// clean returns a server's text fit for logs, errors and the journal: without keys,
// on one line, printable, at most maxErrorText bytes.
func (r *redactor) clean(text string) string {
	for _, form := range r.forms() {
		text = redactForm(text, form, min(minSecret, len(form)))
	}
	text = keyward.ReplaceShapes(text, redacted)
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
