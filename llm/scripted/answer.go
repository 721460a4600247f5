package scripted

import (
	"strconv"
	"strings"

	"kingdom/det"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// answer writes the JSON of a choice: the affordance's parameters, with the parts
// that the mind composes replaced, and now and then something to remember.
func (m *Mind) answer(dst []byte, s *det.Stream, p *llm.Prompt, a *llm.Affordance) []byte {
	w := writer{dst: dst, p: p, a: a, rng: s}
	w.rng.Reset(m.seed, det.MindContent, p.ID, uint64(p.Tick))
	w.raw(`{"action":`)
	w.str(a.Name())
	w.raw(`,"params":`)
	w.params()
	w.raw(`,"reasoning":"`)
	if a.Action == nil || a.Action.Rests() {
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
	dst []byte
	p   *llm.Prompt
	a   *llm.Affordance
	rng *det.Stream
}

func (w *writer) raw(s string)    { w.dst = append(w.dst, s...) }
func (w *writer) str(s string)    { w.dst = codec.AppendJSONString(w.dst, s) }
func (w *writer) num(n uint64)    { w.dst = strconv.AppendUint(w.dst, n, 10) }
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

// careless is how probably this mind gets something wrong that it writes:
// shipping fast and taking risks both show.
func (w *writer) careless() float64 {
	return 0.06 + float64(0.2*float64(w.p.Speed)) + float64(0.08*float64(w.p.Risk))
}

// pick draws a fragment. Specialists return to few of them, generalists roam.
func (w *writer) pick() *fragment {
	span := 4 + int(float64(float64(w.p.Breadth)*float64(len(library)-4)))
	home := int(w.p.ID[0]) % len(library)
	return &library[(home+w.rng.IntN(span))%len(library)]
}

// phrase writes a template with its one %s filled in, unescaped: library text
// holds nothing that JSON must escape in these.
func (w *writer) phrase(template, topic string) {
	before, after, _ := strings.Cut(template, "%s")
	w.raw(before)
	w.raw(topic)
	w.raw(after)
}

// remember now and then adds a memory_update: a note of what was done, a belief,
// a piece of knowledge, a lesson, rarely a goal.
func (w *writer) remember() {
	const each = 0.12
	if !w.chance(each) {
		return
	}
	f := w.pick()
	w.raw(`,"memory_update":{`)
	switch n := w.rng.IntN(16); {
	case n < 5:
		w.raw(`"note":{"set":{"focus":`)
		w.str(w.purpose())
		w.raw(`}}`)
	case n < 9:
		g := w.pick()
		w.raw(`"knowledge":[{"label":`)
		w.str(f.topic)
		w.raw(`,"content":`)
		w.str(f.sentence)
		w.raw(`},{"label":`)
		w.str(g.topic)
		w.raw(`,"content":`)
		w.str(g.sentence)
		w.raw(`,"relates_to":[{"to":`)
		w.str(f.topic)
		w.raw(`,"relation":"seen_with","weight":`)
		w.ratio(0.3 + float64(0.6*w.rng.Float64()))
		w.raw(`}]}]`)
	case n < 12:
		w.raw(`"beliefs":[{"claim":"`)
		w.raw(f.topic)
		w.raw(` is worth documenting","confidence":`)
		w.ratio(0.5 + float64(0.5*w.rng.Float64()))
		w.raw(`}]`)
	case n < 15:
		w.raw(`"lesson":"`)
		w.raw(w.a.Name())
		w.raw(` serves `)
		w.raw(w.purpose())
		w.raw(`"`)
	default:
		w.raw(`"goals":[{"layer":"TASK","text":"Look up `)
		w.raw(f.topic)
		w.raw(`","deadline":null}]`)
	}
	w.raw(`}`)
}
