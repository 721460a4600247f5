package oracle

import (
	"math/bits"
	"unicode/utf8"

	"kingdom/wire/action"
)

// titleMatcher compares one text with many titles, without keeping the pieces of these: a title is
// cut up while it is looked up in a table of the text's pieces.
type titleMatcher struct {
	text  gramSet
	slots []slot
	mask  uint32
	round uint32 // of the title looked at
}

// slot is a piece of the text, or one of a title that the text does not have. The latter is free
// again when another title is looked at; no piece of the text lies behind one.
type slot struct {
	gram   uint32
	round  uint32 // of the title in which it last came up
	inText bool   // of the text
}

// setText makes the text the one to compare titles with.
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

// find is the slot of a piece, or the first free one for it.
func (x *titleMatcher) find(gram uint32) *slot {
	for i := gram * 0x9E3779B1 >> 8 & x.mask; ; i = (i + 1) & x.mask {
		s := &x.slots[i]
		if s.inText && s.gram == gram || !s.inText && (s.round != x.round || s.gram == gram || s.round == 0) {
			return s
		}
	}
}

// similarityTo is the share of the pieces that the text and a title have in common.
func (x *titleMatcher) similarityTo(title []byte) float64 {
	if x.text.short || len(title) < gramLength || len(title) > action.MaxTitle || !utf8.Valid(title) {
		p := gramsOf(title)
		return x.text.jaccard(&p)
	}
	x.round++
	both, all := 0, 0 // of the title's distinct pieces
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
