package portal

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"kingdom/wire"
)

// Warnings of the filter.
const (
	warnDense  = "high code density detected"
	warnCut    = "cut to max_size"
	warnBlocks = "cut to 512 blocks"
)

// summaryBytes is the maximum length of a SUMMARY.
const summaryBytes = 1024

// Filter turns content into what an agent may read: it cuts it, removes code, and converts the rest to the format.
// The result depends on the arguments alone.
func Filter(f *wire.ContentFilter, contentType, content []byte) ([]byte, wire.FilterSummary) {
	result := wire.FilterSummary{Warnings: [][]byte{}}
	limit := int(f.MaxSize)
	if limit == 0 {
		limit = maxContent
	}
	text := strings.ToValidUTF8(string(content), "\uFFFD")
	if len(text) > limit {
		text = firstBytes(text, limit)
		result.Warnings = append(result.Warnings, []byte(warnCut))
	}
	before := len(text)
	html := bytes.Contains(bytes.ToLower(contentType), []byte("html"))
	text, result.CodeBlocksRemoved = stripBlocks(text, html)
	text = stripSpans(text, html)
	result.BytesStripped = uint64(max(0, before-len(text)))
	if f.TransformExamples {
		var n uint32
		text, n = replaceExamples(text)
		result.Transformations += n
	}
	if f.TransformAPIs {
		var n uint32
		text, n = replaceCalls(text)
		result.Transformations += n
	}
	if mostlyCode(text) {
		result.Warnings = append(result.Warnings, []byte(warnDense))
	}
	switch f.Format {
	case wire.ContentFormatStructured:
		blocks, all := blocksOf(plainText(text, html))
		if !all {
			result.Warnings = append(result.Warnings, []byte(warnBlocks))
		}
		return wire.BlocksCodec.Append(nil, &blocks), result
	case wire.ContentFormatSummary:
		return []byte(summary(plainText(text, html))), result
	case wire.ContentFormatRaw:
	}
	return []byte(text), result
}

// firstBytes returns the first n bytes of a valid text that is longer, without the beginning of a character that does not
// fit.
func firstBytes(text string, n int) string {
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// summary returns the first summaryBytes bytes of a text, cut at the last end of a sentence in them if there is one.
func summary(text string) string {
	if len(text) <= summaryBytes {
		return text
	}
	text = firstBytes(text, summaryBytes)
	for i := len(text) - 1; i > 0; i-- {
		if space := text[i] == ' ' || text[i] == '\n'; space && strings.IndexByte(".!?", text[i-1]) >= 0 {
			return text[:i]
		}
	}
	return text
}
