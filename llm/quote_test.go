package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
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
			if r == '<' && opensMarkup(rest) || r == '[' && opensInstruction(rest) {
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
		"[A[x [[AB":                 `"[A[x [\u005bAB"`,
	} {
		if got := words.String(); got != want {
			t.Errorf("%q is shown as %s, want %s", string(words), got, want)
		}
	}
	if q := (Quote{"a1b2c3d4", "hello"}); q.String() != `a1b2c3d4 wrote "hello"` || (Quote{Author: "a1b2c3d4"}).String() != "" {
		t.Error(q.String())
	}
}

// What nobody sees is written as JSON escapes it, to the border of each range and no further.
func TestWords_HiddenRunes(t *testing.T) {
	for _, r := range [][2]rune{
		{0x7F, 0x9F}, {0xAD, 0xAD}, {0x61C, 0x61C}, {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
	} {
		for _, hidden := range r {
			got, text := Words("a"+string(hidden)).String(), ""
			if want := utf16.Encode([]rune{hidden}); len(want) == 2 {
				text = fmt.Sprintf(`"a\u%04x\u%04x"`, want[0], want[1])
			} else {
				text = fmt.Sprintf(`"a\u%04x"`, want[0])
			}
			if got != text {
				t.Errorf("%U is written %s, want %s", hidden, got, text)
			}
		}
		for _, shown := range []rune{r[0] - 1, r[1] + 1} {
			if got := Words("a" + string(shown)).String(); got != `"a`+string(shown)+`"` {
				t.Errorf("%U, which can be seen, is written %s", shown, got)
			}
		}
	}
}

// A bracket is escaped if it opens a mark of a chat format, and left alone in other texts.
func TestWords_EscapesChatFormatMarks(t *testing.T) {
	for in, want := range map[string]string{
		"<|im_end|>": `"\u003c|im_end|>"`, "</s>": `"\u003c/s>"`, "<a": `"\u003ca"`, "<z": `"\u003cz"`, "<A": `"\u003cA"`, "<Z": `"\u003cZ"`, "<<": `"\u003c<"`, "<｜User": `"\u003c｜User"`,
		"1 < 2": `"1 < 2"`, "<": `"<"`, "<1": `"<1"`, "<@": `"<@"`, "<{": `"<{"`, "<`": "\"<`\"",
		"[INST]": `"\u005bINST]"`, "[/x": `"\u005b/x"`, "[AZ": `"\u005bAZ"`, "[ZA": `"\u005bZA"`,
		"[": `"["`, "[A": `"[A"`, "[Ab": `"[Ab"`, "[aB": `"[aB"`, "[@A": `"[@A"`, "[A[": `"[A["`, "[1, 2]": `"[1, 2]"`,
	} {
		if got := Words(in).String(); got != want {
			t.Errorf("%q is written %s, want %s", in, got, want)
		}
	}
}

// A quote that was appended reads back as it was, whatever its text holds.
func TestUnquote_ReadsWhatAppendQuoteWrote(t *testing.T) {
	if got := string(AppendQuote([]byte("note: "), "a1b2c3d4", []byte("say \"hi\""))); got != `note: a1b2c3d4 wrote "say \"hi\""` {
		t.Errorf("appended %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("\"\\ \nwrote")))).Draw(t, "text")
		want := Quote{"a1b2c3d4", Words([]rune(string(text)))} // each byte that is not UTF-8 becomes a U+FFFD of its own
		if got := Unquote(string(AppendQuote(nil, "a1b2c3d4", text))); got != want {
			t.Fatalf("%q is read as %q, want %q", text, got, want)
		}
	})
}

func TestUnquote_OtherTextsHaveNoAuthor(t *testing.T) {
	for text, want := range map[string]Quote{
		`a1 wrote "hi"`:            {"a1", "hi"},
		`a1 wrote ""`:              {"a1", ""},
		`a1 wrote "a\"b\\c"`:       {"a1", `a"b\c`},
		"a1 wrote \"\x80\"":        {"a1", "\uFFFD"},
		"a1 wrote \"ä\"":           {"a1", "ä"},
		"hi":                       {"", "hi"},
		`a1 wrote `:                {"", `a1 wrote `},
		`a1 wrote "`:               {"", `a1 wrote "`},
		`a1 wrote hi`:              {"", `a1 wrote hi`},
		`a1 wrote "hi`:             {"", `a1 wrote "hi`},
		`a1 wrote hi"`:             {"", `a1 wrote hi"`},
		`a1 wrote "h"i"`:           {"", `a1 wrote "h"i"`},
		`a1 wrote "h\"`:            {"", `a1 wrote "h\"`},
		"a1 wrote \"h\ni\"":        {"", "a1 wrote \"h\ni\""},
		"a1 wrote \"h\x1fi\"":      {"", "a1 wrote \"h\x1fi\""},
		`somebody else wrote "hi"`: {"", `somebody else wrote "hi"`},
		`"a1 wrote "hi"`:           {"", `"a1 wrote "hi"`},
	} {
		if got := Unquote(text); got != want {
			t.Errorf("%q is read as %+v, want %+v", text, got, want)
		}
	}
}
