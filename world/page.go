package world

import "kingdom/wire/action"

// Bounds of the answer to a query (docs/WORLD.md, bounds), in bytes.
const (
	answerBytes = 262_144 // of all results together
	longText    = 4_096   // of one result's text, unless it was asked for alone
)

// Page says which of the matches of a query its answer contains.
type Page struct {
	offset, limit int
	alone         bool // one result was asked for
}

// PageOf returns the page for the limit and offset of a valid request.
func PageOf(limit, offset uint32) Page {
	p := Page{offset: int(offset), limit: int(limit), alone: limit == 1}
	if limit == 0 {
		p.limit = action.DefaultLimit
	}
	return p
}

// Reach returns how many matches a search must find to fill the page and to know whether more follow.
func (p Page) Reach() int { return p.offset + p.limit + 1 }

// LeavesOut reports whether a text of length bytes is left out of the answer, so that long texts do not push out
// other results.
func (p Page) LeavesOut(length int) bool { return !p.alone && length > longText }

// Part returns the matches of found that are on the page.
func Part[T any](p Page, found []T) []T {
	return found[min(p.offset, len(found)):min(p.offset+p.limit, len(found))]
}

// Fit returns how many of n results go into one answer: as many as fit, at least one. rough(i) is at least the
// encoded size of result i; exact(i) is its size and is called only if rough does not decide.
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

// Next returns the offset of the first match after those shown; nil if there are no more among those found.
func (p Page) Next(shown, found int) *uint32 {
	if p.offset+shown >= found {
		return nil
	}
	n := uint32(p.offset + shown)
	return &n
}
