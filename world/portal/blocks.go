package portal

import (
	"html"
	"regexp"
	"strings"

	"kingdom/wire"
)

// maxBlocks bounds the blocks of a STRUCTURED answer, so that it fits into an envelope.
const maxBlocks = 512

var (
	htmlHeading = regexp.MustCompile(`(?i)<h[1-6]\b[^>]*>`)
	htmlBreak   = regexp.MustCompile(`(?i)</?(?:p|div|li|ul|ol|tr|table|section|article|header|footer|br|h[1-6])\b[^>]*>`)
	htmlTag     = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)|<[/!?a-zA-Z][^>]*(?:>|\z)`)
	blankLines  = regexp.MustCompile(`\n[ \t\r]*(?:\n[ \t\r]*)+`)
)

// plainText removes HTML tags: headings become lines with '#', and block tags become blank lines.
func plainText(text string, isHTML bool) string {
	if isHTML {
		text = htmlHeading.ReplaceAllString(text, "\n\n# ")
		text = htmlBreak.ReplaceAllString(text, "\n\n")
		text = html.UnescapeString(htmlTag.ReplaceAllString(text, ""))
		text, _ = stripBlocks(text, false) // fences and spans that were written as entities
		text = stripSpans(text, false)
	}
	return strings.TrimSpace(blankLines.ReplaceAllString(text, "\n\n"))
}

// blocksOf splits a plain text into sections, each a heading with the paragraphs up to the next heading. all is false
// if there are more than maxBlocks blocks and the rest was left out.
func blocksOf(text string) (blocks []wire.ContentBlock, all bool) {
	var section *wire.SectionBlock
	n := 0
	for _, paragraph := range strings.Split(text, "\n\n") {
		paragraph = strings.TrimSpace(paragraph)
		heading, rest := "", paragraph
		if strings.HasPrefix(paragraph, "#") {
			heading, rest, _ = strings.Cut(paragraph, "\n")
			heading, rest = strings.TrimSpace(strings.TrimLeft(heading, "#")), strings.TrimSpace(rest)
		}
		for _, part := range []string{heading, rest} {
			if part != "" {
				n++
			}
		}
		if n > maxBlocks {
			return blocks, false
		}
		if heading != "" {
			section = &wire.SectionBlock{Heading: heading, Children: []wire.ContentBlock{}}
			blocks = append(blocks, wire.ContentBlock{Section: section})
		}
		if rest == "" {
			continue
		}
		p := wire.ContentBlock{Paragraph: &wire.ParagraphBlock{Text: rest}}
		if section != nil {
			section.Children = append(section.Children, p)
		} else {
			blocks = append(blocks, p)
		}
	}
	return blocks, true
}
