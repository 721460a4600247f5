package oracle

import (
	"math/bits"
	"unicode/utf8"

	"kingdom/wire/action"
)

// titleMatcher compares one text with many titles by the Jaccard similarity of their 4-grams. The grams of the text
// are in an open-addressing hash table; those of a title are looked up there and not stored.
type titleMatcher struct {
	text  gramSet
	slots []slot
	mask  uint32
	round uint32 // number of the title being compared
}

// slot holds a gram of the text, or a gram of the current title that is not in the text. A slot of the latter kind is
// free again for the next title. Grams of the text are inserted first, so a probe finds them before such slots.
type slot struct {
	gram   uint32
	round  uint32 // last title that contains the gram
	inText bool   // whether it is a gram of the text
}

// setText sets the text with which titles are compared.
func (x *titleMatcher) setText(text []byte) {
	x.text = gramsOf(text)
	size := 1 << bits.Len(uint(2*(len(x.text.grams)+action.MaxTitle)))
	if len(x.slots) < size {
		x.slots = make([]slot, size)
	} else {
		clear(x.slots)
	}
	x.mask, x.round = uint32(len(x.slots)-1), 0
	for _, g := range x.text.grams {
		*x.find(g) = slot{gram: g, inText: true}
	}
}

// find returns the slot of a gram, or the first free slot for it.
func (x *titleMatcher) find(gram uint32) *slot {
	for i := gram * 0x9E3779B1 >> 8 & x.mask; ; i = (i + 1) & x.mask {
		s := &x.slots[i]
		if s.inText && s.gram == gram || !s.inText && (s.round != x.round || s.gram == gram || s.round == 0) {
			return s
		}
	}
}

// similarityTo returns the Jaccard similarity of the text and a title, 0 to 1.
func (x *titleMatcher) similarityTo(title []byte) float64 {
	if x.text.short || len(title) < gramLength || len(title) > action.MaxTitle || !utf8.Valid(title) {
		p := gramsOf(title)
		return x.text.jaccard(&p)
	}
	x.round++
	both, all := 0, 0 // distinct grams of the title: also in the text, and all
	var window uint32
	for i, b := range title {
		if window = window<<8 | uint32(lower(rune(b))); i < gramLength-1 {
			continue
		}
		s := x.find(window)
		switch {
		case s.inText && s.round != x.round:
			s.round = x.round
			both++
			all++
		case !s.inText && (s.round != x.round || s.gram != window):
			*s = slot{gram: window, round: x.round}
			all++
		}
	}
	return float64(both) / float64(len(x.text.grams)+all-both)
}
