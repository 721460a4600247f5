package agora

import (
	"slices"
	"strings"
)

const (
	maxTags = 8
	maxWord = 64
)

// topicTags picks the words that carry a text's topic, as entry tags: its n
// longest distinct words in lower case, in the order of the text. Length stands in
// for weight: the words of asking ("how", "does", "the") are short.
func topicTags(text []byte, n int) [][]byte {
	words := strings.FieldsFunc(strings.ToLower(clip(text, len(text))), func(r rune) bool {
		return r < 0x80 && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	var seen []string
	for _, w := range words {
		if len(w) >= 3 && len(w) <= maxWord && !slices.Contains(seen, w) {
			seen = append(seen, w)
		}
		if len(seen) == maxWord { // a long text is judged by its beginning
			break
		}
	}
	ranked := slices.Clone(seen)
	slices.SortStableFunc(ranked, func(a, b string) int { return len(b) - len(a) })
	ranked = ranked[:min(n, len(ranked))]
	tags := [][]byte{}
	for _, w := range seen {
		if slices.Contains(ranked, w) {
			tags = append(tags, []byte(w))
		}
	}
	return tags
}
