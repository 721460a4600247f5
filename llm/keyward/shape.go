package keyward

import (
	"regexp"
	"unicode"
	"unicode/utf8"
)

// shapes are what keys of the known providers and headers look like.
var shapes = regexp.MustCompile(`sk-[A-Za-z0-9_-]{12,}|AIzaSy[A-Za-z0-9_-]{20,}|(?:gsk_|xai-|hf_)[A-Za-z0-9]{20,}|(?i:bearer\s+)[^\s"',}]+|(?i:api-?key["']?\s*[:=]\s*["']?)[^\s"',}&]+|\bkey=[^\s"'&]+`)

// ReplaceShapes replaces whatever in a text looks like a key. It replaces too much rather than too little.
func ReplaceShapes(text, by string) string { return shapes.ReplaceAllString(text, by) }

// minShape is the length of the shortest match of shapes that [LooksLikeKey] takes for a key.
const minShape = 15

// LooksLikeKey reports whether a text holds what is most likely a key: it begins where a word begins, and is not short.
func LooksLikeKey(text string) bool {
	for _, at := range shapes.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		if at[1]-at[0] >= minShape && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
	}
	return false
}

var namesOfKeys = regexp.MustCompile(`^(?i:(x[-_])?(api[-_]?key|authorization|password|secret|(access|auth|bearer)[-_]?token))$`)

// NamesKey reports whether a field or header of this name holds a key.
func NamesKey(name string) bool { return namesOfKeys.MatchString(name) }
