package world

import "kingdom/wire/action"

// Bounds of the answer to a query (docs/WORLD.md, bounds), in bytes.
const (
	answerBytes = 262_144 // of all results together
	longText    = 4_096   // of one result's text, unless it was asked for alone
)

// Page is which of the matches of a query its answer holds.
type Page struct {
	offset, limit int
	alone         bool // one result was asked for
}

// PageOf reads limit and offset of a request that keeps their bounds.
func PageOf(limit, offset uint32) Page {
	p := Page{offset: int(offset), limit: int(limit), alone: limit == 1}
	if limit == 0 {
		p.limit = action.DefaultLimit
	}
	return p
}

// Reach is how many matches a search must find for the page, and to know whether any follow.
func (p Page) Reach() int { return p.offset + p.limit + 1 }

// LeavesOut says whether a text of length bytes is left out, so that long texts do not push
// out other results.
func (p Page) LeavesOut(length int) bool { return !p.alone && length > longText }

// Part returns those of the matches found that the page holds if they fit.
func Part[T any](p Page, found []T) []T {
	return found[min(p.offset, len(found)):min(p.offset+p.limit, len(found))]
}

// Fit is how many of n results go into one answer: as many as fit, at least one. rough is
// at least the size of the encoded result i, exact its size, asked only where rough does not
// decide.
func Fit(n int, rough, exact func(i int) int) int {
	sum := 0
	for i := range n {
		sum += rough(i)
	}
	if sum <= answerBytes {
		return n
	}
	sum = 0
	for i := range n {
		if sum += exact(i); i > 0 && sum > answerBytes {
			return i
		}
	}
	return n
}

// Next is the offset of the first match after those shown; nil if none of those found follows.
func (p Page) Next(shown, found int) *uint32 {
	if p.offset+shown >= found {
		return nil
	}
	n := uint32(p.offset + shown)
	return &n
}
