package oracle

import (
	"math/bits"
	"unicode/utf8"

	"kingdom/wire/action"
)

// likeness compares one text with many titles, without keeping the pieces of these: a title is
// cut up while it is looked up in a table of the text's pieces.
type likeness struct {
	of    pieces
	slots []slot
	mask  uint32
	round uint32 // of the title looked at
}

// slot is a piece of the text, or one of a title that the text does not have. The latter is free
// again when another title is looked at; no piece of the text lies behind one.
type slot struct {
	piece uint32
	round uint32 // of the title in which it last came up
	own   bool   // of the text
}

// compareWith makes the text the one to compare titles with.
func (x *likeness) compareWith(text []byte) {
	x.of = piecesOf(text)
	size := 1 << bits.Len(uint(2*(len(x.of.grams)+action.MaxTitle)))
	if len(x.slots) < size {
		x.slots = make([]slot, size)
	} else {
		clear(x.slots)
	}
	x.mask, x.round = uint32(len(x.slots)-1), 0
	for _, g := range x.of.grams {
		*x.find(g) = slot{piece: g, own: true}
	}
}

// find is the slot of a piece, or the first free one for it.
func (x *likeness) find(piece uint32) *slot {
	for i := piece * 0x9E3779B1 >> 8 & x.mask; ; i = (i + 1) & x.mask {
		s := &x.slots[i]
		if s.own && s.piece == piece || !s.own && (s.round != x.round || s.piece == piece || s.round == 0) {
			return s
		}
	}
}

// to is the share of the pieces that the text and a title have in common.
func (x *likeness) to(title []byte) float64 {
	if x.of.short || len(title) < gram || len(title) > action.MaxTitle || !utf8.Valid(title) {
		p := piecesOf(title)
		return x.of.jaccard(&p)
	}
	x.round++
	both, all := 0, 0 // of the title's distinct pieces
	var piece uint32
	for i, b := range title {
		if piece = piece<<8 | uint32(lower(rune(b))); i < gram-1 {
			continue
		}
		s := x.find(piece)
		switch {
		case s.own && s.round != x.round:
			s.round = x.round
			both++
			all++
		case !s.own && (s.round != x.round || s.piece != piece):
			*s = slot{piece: piece, round: x.round}
			all++
		}
	}
	return float64(both) / float64(len(x.of.grams)+all-both)
}
