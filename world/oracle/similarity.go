package oracle

import (
	"bytes"
	"slices"

	"kingdom/det"
)

// gramLength is the length of the grams by which titles are compared, in bytes.
const gramLength = 4

// gramSet holds the distinct 4-grams of a text, ascending, with ASCII letters in lower case. A text shorter than 4
// bytes is a single gram.
type gramSet struct {
	short bool // the text has fewer than 4 bytes; its gram also encodes their number
	grams []uint32
}

func gramsOf(text []byte) gramSet {
	low := bytes.Map(lower, text)
	if len(low) == 0 {
		return gramSet{}
	}
	if len(low) < gramLength {
		packed := uint32(len(low))
		for _, b := range low {
			packed = packed<<8 | uint32(b)
		}
		return gramSet{short: true, grams: []uint32{packed}}
	}
	grams := make([]uint32, 0, len(low)-gramLength+1)
	var packed uint32
	for i, b := range low {
		if packed = packed<<8 | uint32(b); i >= gramLength-1 {
			grams = append(grams, packed)
		}
	}
	slices.Sort(grams)
	return gramSet{grams: slices.Compact(grams)}
}

// lower folds ASCII letters only, because the Unicode tables change with the Go version.
func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// jaccard returns the Jaccard similarity of two gram sets, 0 to 1.
func (p *gramSet) jaccard(o *gramSet) float64 {
	if p.short != o.short {
		return 0
	}
	return jaccard(common(p.grams, o.grams), len(p.grams), len(o.grams))
}

// jaccard returns the Jaccard similarity of two sets with a and b elements, of which both are in common.
func jaccard(both, a, b int) float64 {
	if a+b == 0 {
		return 0
	}
	return float64(both) / float64(a+b-both)
}

// common returns the number of elements that two ascending lists have in common.
func common(a, b []uint32) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x < y:
			a = a[1:]
		case x > y:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// shared returns the number of elements that two short lists without duplicates have in common.
func shared(a, b []uint32) (n int) {
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

// similarity returns 0.4·tag Jaccard + 0.3·same kind + 0.3·title 4-gram Jaccard, and whether it is above floor; v is
// exact only if it is. The title of x must be the text of s.titles; tags is the Jaccard similarity of the tags.
func (s *entries) similarity(x, y *packedEntry, tags, floor float64) (v float64, above bool) {
	kind := 0.0
	if x.kind == y.kind {
		kind = 1
	}
	weigh := func(title float64) float64 {
		return det.Quantise(float64(0.4*tags) + float64(0.3*kind) + float64(0.3*title))
	}
	if most := weigh(1); most <= floor { // skip the titles, which are costly: sums and rounding are monotonic
		return most, false
	}
	v = weigh(s.titles.similarityTo(s.title(y)))
	return v, v > floor
}
