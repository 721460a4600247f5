package portal

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"kingdom/wire"
)

// Warnings of the filter.
const (
	warnDense = "high code density detected"
	warnCut   = "cut to max_size"
	warnShort = "cut to 512 blocks"
)

// summaryBytes is how long a SUMMARY may be.
const summaryBytes = 1024

// Filter turns content into what an agent may read: it cuts it, removes code, and converts the rest to the format.
// The result depends on the arguments alone.
func Filter(f *wire.ContentFilter, contentType, content []byte) ([]byte, wire.FilterSummary) {
	sum := wire.FilterSummary{Warnings: [][]byte{}}
	most := int(f.MaxSize)
	if most == 0 {
		most = contentMost
	}
	text := strings.ToValidUTF8(string(content), "\uFFFD")
	if len(text) > most {
		text = whole(text[:most])
		sum.Warnings = append(sum.Warnings, []byte(warnCut))
	}
	before := len(text)
	html := bytes.Contains(bytes.ToLower(contentType), []byte("html"))
	text, sum.CodeBlocksRemoved = stripBlocks(text, html)
	text = stripSpans(text, html)
	sum.BytesStripped = uint64(max(0, before-len(text)))
	if f.TransformExamples {
		var n uint32
		text, n = replaceExamples(text)
		sum.Transformations += n
	}
	if f.TransformAPIs {
		var n uint32
		text, n = replaceCalls(text)
		sum.Transformations += n
	}
	if dense(text) {
		sum.Warnings = append(sum.Warnings, []byte(warnDense))
	}
	switch f.Format {
	case wire.ContentFormatStructured:
		blocks, all := blocksOf(plain(text, html))
		if !all {
			sum.Warnings = append(sum.Warnings, []byte(warnShort))
		}
		return wire.BlocksCodec.Append(nil, &blocks), sum
	case wire.ContentFormatSummary:
		return []byte(summary(plain(text, html))), sum
	case wire.ContentFormatRaw:
	}
	return []byte(text), sum
}

// whole drops a character at the end that is not all there.
func whole(text string) string {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(text[len(text)-n:]) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

// summary is the beginning of a text, to the last end of a sentence in it, if there is one.
func summary(text string) string {
	if len(text) <= summaryBytes {
		return text
	}
	text = whole(text[:summaryBytes])
	for i := len(text) - 1; i > 0; i-- {
		if space := text[i] == ' ' || text[i] == '\n'; space && strings.IndexByte(".!?", text[i-1]) >= 0 {
			return text[:i]
		}
	}
	return text
}
