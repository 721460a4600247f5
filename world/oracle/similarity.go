package oracle

import (
	"bytes"

	"kingdom/det"
	"kingdom/wire"
)

// gram is the length of the pieces that titles are compared by, in bytes.
const gram = 4

// Jaccard is the share of distinct 4-grams that two texts have in common, ASCII letters
// without case; a text shorter than that is its own single piece.
func Jaccard(a, b []byte) float64 {
	x, y := grams(a), grams(b)
	both := 0
	for g := range x { //house:sorted a count has no order
		if _, ok := y[g]; ok {
			both++
		}
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

func grams(text []byte) map[string]struct{} {
	low := bytes.Map(lower, text)
	set := map[string]struct{}{}
	if len(low) > 0 && len(low) < gram {
		set[string(low)] = struct{}{}
	}
	for i := 0; i+gram <= len(low); i++ {
		set[string(low[i:i+gram])] = struct{}{}
	}
	return set
}

// lower folds ASCII only: Unicode's tables change with the version of the language.
func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// Similarity is 0.4·tag Jaccard + 0.3·same kind + 0.3·title 4-gram Jaccard.
func Similarity(a, b *wire.OracleEntry) float64 {
	tags := 0.0
	if n := len(a.Tags) + len(b.Tags); n > 0 {
		both := shared(a.Tags, b.Tags)
		tags = float64(both) / float64(n-both)
	}
	kind := 0.0
	if a.Kind == b.Kind {
		kind = 1
	}
	return det.Quantise(float64(0.4*tags) + float64(0.3*kind) + float64(0.3*Jaccard(a.Title, b.Title)))
}
