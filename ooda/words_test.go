package ooda

import (
	"strings"
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

func TestTextOf_JoinsBlocksUpToReadingLimit(t *testing.T) {
	blocks := []wire.ContentBlock{
		{Section: &wire.SectionBlock{Heading: "H", Children: []wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: "p"}}}}},
		{Code: &wire.CodeBlock{Source: "c"}},
		{Definition: &wire.DefinitionBlock{Term: "t", Meaning: "m"}},
		{Assertion: &wire.AssertionBlock{Claim: "a"}},
		{Warning: &wire.WarningBlock{Severity: wire.WarningLevelCaution, Text: "w"}},
		{Example: &wire.ExampleBlock{Input: "i", ExpectedOutput: "o"}},
		{Reference: &wire.ReferenceBlock{Context: "r"}},
	}
	if got := string(textOf(wire.BlocksCodec.Append(nil, &blocks))); got != "H\np\n\nc\nt: m\na\nw\ni = o\nr\n" {
		t.Errorf("%q", got)
	}
	long := []wire.ContentBlock{
		{Paragraph: &wire.ParagraphBlock{Text: strings.Repeat("x", memory.ReadingText-1)}}, {Paragraph: &wire.ParagraphBlock{Text: "y"}},
	}
	if got := string(textOf(wire.BlocksCodec.Append(nil, &long))); len(got) != memory.ReadingText || strings.Contains(got, "y") {
		t.Errorf("%d bytes", len(got))
	}
	if textOf([]byte{0xC1}) != nil {
		t.Error("a body that is none has words")
	}
}

func TestMessageText(t *testing.T) {
	if got := messageText(textContent("plain")); string(got) != "plain" {
		t.Errorf("%q", got)
	}
	// {"more":1,"text":"with more"} and {"more":1}: maps that say more than text, or none
	if got := messageText([]byte("\x82\xa4more\x01\xa4text\xa9with more")); string(got) != "with more" {
		t.Errorf("%q", got)
	}
	if got := messageText([]byte("\x81\xa4more\x01")); got != nil {
		t.Errorf("%q of a content without text", got)
	}
	if got := messageText([]byte{0xC1}); got != nil {
		t.Errorf("%q of what is no content", got)
	}
}
