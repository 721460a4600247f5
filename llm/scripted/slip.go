package scripted

import (
	"strconv"
	"strings"

	"kingdom/det"
	"kingdom/llm"
)

// careless returns the probability that the agent writes or judges something wrong. It is higher if the agent knows the
// topic little, and if it does not take the time to check.
func (w *writer) careless() float64 {
	const least, unknowing = 0.03, 0.15
	return min(least+float64(unknowing*(1-w.a.Know))+w.hasty(), maxCareless)
}

// maxCareless is the highest value of careless.
const maxCareless = 0.6

// hasty returns the probability that the agent does not check what it writes: 1.6 · speed³, at most 1. That is near 0 for
// a slow agent, 0.2 for a speed of 0.5, and more than 0.5 from a speed of 0.68 on.
func (w *writer) hasty() float64 {
	speed := float64(w.p.Speed)
	return min(float64(1.6*float64(speed*float64(speed*speed))), 1)
}

// The probability that an entry is handed in defective: a base, and more for an agent that ships fast or that knows less
// of the topic than ordinary work requires.
const (
	defective  = 0.05
	perSpeed   = 0.4
	perUnknown = 0.5
	ordinary   = 0.45 // knowledge that a bounty of moderate difficulty asks for
	warned     = 0.35 // what is left of the probability for an agent that remembers a lesson about it
)

// isDefective draws whether an entry is handed in without its text, which Oracle refuses. An agent that remembers a lesson
// about it does so about a third as often. The draw has a random stream of its own, so that the content does not depend on it.
func (w *writer) isDefective() bool {
	chance := defective + float64(perSpeed*float64(w.p.Speed)) + float64(perUnknown*max(ordinary-w.a.Know, 0))
	if w.a.Lesson.Text != "" {
		chance = float64(warned * chance)
	}
	var s det.Stream
	s.Reset(w.seed, det.MindDefect, w.p.ID, uint64(w.p.Tick))
	return s.Float64() < chance
}

// misstate returns a finding's statement with a wrong number: a share becomes 1 minus the share, an amount becomes twice
// itself plus 1. A statement without such a number is returned as it is.
func misstate(f *llm.Finding) string {
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
