package scripted

import (
	"slices"
	"strconv"

	"kingdom/det"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// answer writes the JSON of a choice: the affordance's parameters, with the parts
// that the mind composes replaced, and now and then something to remember.
func (m *Mind) answer(dst []byte, s *det.Stream, p *llm.Prompt, a *llm.Affordance) []byte {
	w := writer{dst: dst, seed: m.seed, p: p, a: a, rng: s}
	w.rng.Reset(m.seed, det.MindContent, p.ID, uint64(p.Tick))
	w.raw(`{"action":`)
	w.str(a.Name())
	w.raw(`,"params":`)
	w.params()
	w.raw(`,"reasoning":"`)
	if a.Action == nil || a.Action.IsRest() {
		w.raw(`nothing is worth its cost`)
	} else {
		w.raw(w.purpose())
		w.raw(` at priority `)
		w.ratio(a.Priority)
	}
	w.raw(`"`)
	w.remember()
	w.raw(`}`)
	return w.dst
}

// writer builds one answer.
type writer struct {
	dst  []byte
	seed wire.Hash
	p    *llm.Prompt
	a    *llm.Affordance
	rng  *det.Stream
}

func (w *writer) raw(s string)    { w.dst = append(w.dst, s...) }
func (w *writer) str(s string)    { w.dst = codec.AppendJSONString(w.dst, s) }
func (w *writer) ratio(v float64) { w.dst = strconv.AppendFloat(w.dst, v, 'f', 3, 64) }

// hash writes a 32-byte id as a JSON string.
func (w *writer) hash(h [32]byte) {
	const hex = "0123456789abcdef"
	w.dst = append(w.dst, '"')
	for _, b := range h {
		w.dst = append(w.dst, hex[b>>4], hex[b&15])
	}
	w.dst = append(w.dst, '"')
}

// hashes writes ids as a JSON list.
func (w *writer) hashes(list []wire.Hash) {
	w.raw(`[`)
	for i, h := range list {
		if i > 0 {
			w.raw(`,`)
		}
		w.hash(h)
	}
	w.raw(`]`)
}

// purpose names what the choice is for.
func (w *writer) purpose() string {
	if w.a.GoalKind == "" {
		return "no goal in particular"
	}
	return w.a.GoalKind
}

// chance draws once.
func (w *writer) chance(p float64) bool { return w.rng.Float64() < p }

// remember now and then adds a memory_update: a note of what was done, a piece of knowledge, what an
// author's statement was worth, rarely a goal.
func (w *writer) remember() {
	const each = 0.12
	if !w.chance(each) {
		return
	}
	f := w.a.Finding
	w.raw(`,"memory_update":{`)
	switch n := w.rng.IntN(16); {
	case n < 6:
		w.raw(`"note":{"set":{"focus":`)
		w.str(w.purpose())
		w.raw(`}}`)
	case n < 10 && f != nil && f.Says != "":
		w.raw(`"knowledge":[{"label":`)
		w.str(f.Title)
		w.raw(`,"content":`)
		w.str(f.Says)
		w.raw(`}]`)
	case n < 15 && f != nil && w.a.Said != nil:
		w.raw(`"lesson":`)
		w.str(w.a.Author + " states of " + f.Subject + " what differs from my own count by " + strconv.FormatFloat(w.a.Said.Distance, 'f', 2, 64))
	case f == nil || f.Title == "" || w.a.Said == nil || w.a.Said.Distance <= doubtDistance:
		w.raw(`"note":{"set":{"focus":`)
		w.str(w.purpose())
		w.raw(`}}`)
	default: // what others state of the same
		w.raw(`"goals":[{"layer":"TASK","text":`)
		w.str("Look up " + f.Title)
		w.raw(`,"deadline":null}]`)
		if w.may("entry_query") && w.may("entry_get") {
			w.raw(`,"plan":[{"action":"entry_query","params":{"about":`)
			w.str(f.Title)
			w.raw(`,"sort":"RELEVANT","limit":3}}]`) // it shows the words as well
		}
	}
	w.raw(`}`)
}

// doubtDistance is how far a statement lies from the mind's own count before it looks up what others state.
const doubtDistance = 0.15

// may reports whether an action is available to the agent.
func (w *writer) may(name string) bool {
	return slices.ContainsFunc(w.p.Actions, func(r *action.Row) bool { return r.Name == name })
}
