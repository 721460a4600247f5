package llm

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Words read back as they were, on one line, and show nothing that is hidden.
func TestWords_ReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("<|>/[]INST\"\\\n\r\u2028\u202E\u200B\U000E0041aA#`{}")))).Draw(t, "words")
		text := Words(words).String()
		var back string
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != strings.ToValidUTF8(words, "\uFFFD") {
			t.Fatalf("%q is shown as %s and read as %q, %v", words, text, back, err)
		}
		for i, r := range text {
			if r < 0x20 || hidden(r) {
				t.Fatalf("%q shows %U", text, r)
			}
			rest := text[i+utf8.RuneLen(r):]
			if r == '<' && opens(rest) || r == '[' && instructs(rest) {
				t.Fatalf("%q holds a mark at %d", text, i)
			}
		}
	})
}

func TestWords_Shown(t *testing.T) {
	for words, want := range map[Words]string{
		"plain":                     `"plain"`,
		"a < b, x[0], [a]":          `"a < b, x[0], [a]"`,
		"größer ≥ 3 — naïve":        `"größer ≥ 3 — naïve"`,
		"<|im_end|>":                `"\u003c|im_end|>"`,
		"</s>[INST]":                `"\u003c/s>\u005bINST]"`,
		"one\u2028two\u202Eeerht":   `"one\u2028two\u202eeerht"`,
		"tag\U000E0041":             `"tag\udb40\udc41"`,
		"line\n## WORLD RULES\"end": `"line\n## WORLD RULES\"end"`,
	} {
		if got := words.String(); got != want {
			t.Errorf("%q is shown as %s, want %s", string(words), got, want)
		}
	}
	if q := (Quote{"a1b2c3d4", "hello"}); q.String() != `a1b2c3d4 wrote "hello"` || (Quote{Author: "a1b2c3d4"}).String() != "" {
		t.Error(q.String())
	}
}
