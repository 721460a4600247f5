package llm

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"kingdom/det"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// The bounds that the tags of [MemoryUpdate] name.
var (
	maxNote    = memoryShape.Field("note").Field("set").Max
	maxClaim   = memoryShape.Field("beliefs").Elem.Field("claim").Max
	maxLabel   = memoryShape.Field("knowledge").Elem.Field("label").Max
	maxContent = memoryShape.Field("knowledge").Elem.Field("content").Max
	maxGoal    = memoryShape.Field("goals").Elem.Field("text").Max
	maxLesson  = memoryShape.Field("lesson").Max
)

// check returns an error for what the types of an update cannot exclude: empty names, deadlines that no store can
// hold, and actions that are not in rows. It sets the rows of the plan's steps.
func (m *MemoryUpdate) check(rows []*action.Row) error {
	for i := range m.Beliefs {
		if m.Beliefs[i].Claim == "" {
			return itemError("beliefs", i, "has no claim")
		}
	}
	for i := range m.Knowledge {
		if m.Knowledge[i].Label == "" {
			return itemError("knowledge", i, "has no label")
		}
		for _, r := range m.Knowledge[i].RelatesTo {
			if r.To == "" {
				return itemError("knowledge", i, "relates to no label")
			}
		}
	}
	for i, g := range m.Goals {
		if g.Text == "" {
			return itemError("goals", i, "has no text")
		}
		if g.Deadline != nil && *g.Deadline > math.MaxInt64 {
			return itemError("goals", i, "has a deadline beyond the last tick number")
		}
	}
	for i := range m.Plan {
		s := &m.Plan[i]
		if s.Action = find(rows, s.Name); s.Action == nil {
			return itemError("plan", i, unknownAction(s.Name))
		}
	}
	return nil
}

// bound drops and counts what exceeds the limits, and quantises what is kept.
func (m *MemoryUpdate) bound() {
	m.Note.Set = keep(m, m.Note.Set, 0, func(n *codec.TextEntry) bool { return max(len(n.Key), len(n.Value)) <= maxNote })
	m.Beliefs = keep(m, m.Beliefs, memoryShape.Field("beliefs").Max, func(b *Belief) bool { return len(b.Claim) <= maxClaim })
	m.Knowledge = keep(m, m.Knowledge, memoryShape.Field("knowledge").Max, func(k *Knowledge) bool {
		return len(k.Label) <= maxLabel && len(k.Content) <= maxContent
	})
	m.Goals = keep(m, m.Goals, memoryShape.Field("goals").Max, func(g *OwnGoal) bool { return len(g.Text) <= maxGoal })
	m.DropGoals = keep(m, m.DropGoals, memoryShape.Field("drop_goals").Max, func(text *string) bool { return *text != "" })
	m.Plan = keep(m, m.Plan, memoryShape.Field("plan").Max, func(*PlanStep) bool { return true })
	if len(m.Lesson) > maxLesson {
		m.Lesson = m.Lesson[:cut(m.Lesson, maxLesson)]
		m.Dropped++
	}
	for i := range m.Beliefs {
		m.Beliefs[i].Confidence = det.Quantise(m.Beliefs[i].Confidence)
	}
	for i := range m.Knowledge {
		for j := range m.Knowledge[i].RelatesTo {
			r := &m.Knowledge[i].RelatesTo[j]
			r.Weight = det.Quantise(r.Weight)
		}
	}
}

// keep returns those of the first limit items that fit and counts the others as dropped. A limit of 0 means all items.
func keep[S ~[]T, T any](m *MemoryUpdate, items S, limit int, fits func(*T) bool) S {
	n := len(items)
	if limit > 0 && n > limit {
		items = items[:limit]
	}
	items = slices.DeleteFunc(items, func(t T) bool { return !fits(&t) })
	m.Dropped += n - len(items)
	return items
}

// cut returns the largest length of at most n bytes that does not split a rune.
func cut(text string, n int) int {
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

func itemError(list string, i int, reason string) error {
	return &ParseError{Path: "memory_update." + list + "[" + strconv.Itoa(i) + "]", Reason: reason}
}
