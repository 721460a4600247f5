package wire

import "unicode/utf8"

// MaxEventText is the largest number of bytes of an agent's text that an event repeats. Events are copied to all who
// follow their origin, so they show the beginning of longer texts.
const MaxEventText = 280

// EventText returns what an event repeats of a text, cut before a rune that does not fit. It shares the text's memory.
func EventText(text []byte) []byte {
	if len(text) <= MaxEventText {
		return text
	}
	n := MaxEventText
	for n > MaxEventText-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n:n]
}
