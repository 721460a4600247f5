package scripted

import (
	"strconv"
	"strings"

	"kingdom/det"
	"kingdom/llm"
)

// careless is how probably this mind gets something wrong that it writes or judges: who does not know
// the topic, and who does not take the time to check.
func (w *writer) careless() float64 {
	const least, unknowing = 0.03, 0.15
	return min(least+float64(unknowing*(1-w.a.Know))+w.hasty(), most)
}

// most is the greatest share of mistakes.
const most = 0.6

// hasty is how probably this mind leaves unchecked what it writes: hardly ever who takes its time, one in five times who is in
// the middle, and more than every second time who ships fast.
func (w *writer) hasty() float64 {
	speed := float64(w.p.Speed)
	return min(float64(1.6*float64(speed*float64(speed*speed))), 1)
}

// What makes an entry that is handed in a defective one: any may be, more of those of who ships fast, and more of those
// of who knows less of the topic than an ordinary piece of work asks for.
const (
	defective  = 0.05
	perSpeed   = 0.4
	perUnknown = 0.5
	ordinary   = 0.45 // knowledge that a bounty of moderate difficulty asks for
)

// unfinished draws whether an entry is handed in before its text is: the library takes none without. Who remembers that
// such a draft came back looks twice. It has numbers of its own, so that what the entry says does not depend on it.
func (w *writer) unfinished() bool {
	chance := defective + float64(perSpeed*float64(w.p.Speed)) + float64(perUnknown*max(ordinary-w.a.Know, 0))
	if w.a.Lesson.Text != "" {
		chance = float64(0.5 * chance)
	}
	var s det.Stream
	s.Reset(w.seed, det.MindDefect, w.p.ID, uint64(w.p.Tick))
	return s.Float64() < chance
}

// slipped is a statement as who does not check it writes it: of a share what was not the case is stated for what
// was, an amount is counted twice. A statement without such a number stays as it is.
func slipped(f *llm.Finding) string {
	end := strings.LastIndex(f.Says, " (n ")
	if end < 0 {
		return f.Says
	}
	for _, of := range [...]struct {
		digits int
		value  float64
	}{{2, 1 - f.Value}, {1, 1 + float64(2*f.Value)}} {
		right := strconv.FormatFloat(f.Value, 'f', of.digits, 64)
		if at := strings.LastIndex(f.Says[:end], right); at > 0 && f.Says[at-1] == ' ' {
			return f.Says[:at] + strconv.FormatFloat(of.value, 'f', of.digits, 64) + f.Says[at+len(right):]
		}
	}
	return f.Says
}
