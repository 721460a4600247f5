package adversary

import (
	"slices"
	"strconv"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// move is what a strategy wants to send.
type move struct {
	action  string // name of the catalogue
	payload any    // pointer to the action's request payload
	why     string // for the think log
}

// slot is one slot of one adversary: what the prompt shows it, and what it remembers.
type slot struct {
	*llm.Prompt
	group
	mind   *Mind
	view   *wire.View
	agenda []job // what is to be done, oldest first
	notes  []note
}

type note struct{ key, value string }

func newSlot(m *Mind, p *llm.Prompt) *slot {
	s := &slot{Prompt: p, group: group{self: p.ID, members: m.circle}, mind: m, view: p.Sight.View}
	s.agenda = readAgenda(s.recall(agendaNote))
	return s
}

// recall reads a note; "" if there is none.
func (s *slot) recall(key string) string {
	for i := range s.notes {
		if s.notes[i].key == key {
			return s.notes[i].value
		}
	}
	if s.Sight.Note == nil {
		return ""
	}
	v, _ := s.Sight.Note(key)
	return string(v)
}

// remember sets a note. A note lives on only if it is set in every cycle.
func (s *slot) remember(key, value string) {
	s.notes = append(slices.DeleteFunc(s.notes, func(n note) bool { return n.key == key }), note{key, value})
}

// keepNotes sets the notes of the strategy's keptNotes again, so that they outlast the cycle.
func (s *slot) keepNotes() {
	for _, key := range s.mind.strategy.keptNotes {
		if text := s.recall(key); text != "" && !slices.ContainsFunc(s.notes, func(n note) bool { return n.key == key }) {
			s.remember(key, text)
		}
	}
}

// isOpen reports whether an action is open to the agent at this epoch. Doing nothing always is.
func (s *slot) isOpen(name string) bool {
	return name == "nop" || slices.ContainsFunc(s.Actions, func(r *action.Row) bool { return r.Name == name })
}

// oncePer divides the cycle into parts of so many slots and returns the number of the present part, from 0. ok is true
// once in each part.
func (s *slot) oncePer(slots uint64) (part uint64, ok bool) {
	part = s.Slot / slots
	now := s.cycleText() + "." + strconv.FormatUint(part, 10)
	if s.recall("beat") == now {
		return part, false
	}
	s.remember("beat", now)
	return part, true
}

// cycleText returns the number of the present cycle as text, for notes.
func (s *slot) cycleText() string { return strconv.FormatUint(uint64(s.Cycle), 10) }

// uniqueWord returns a word that nobody has used: stem, alias and tick.
func (s *slot) uniqueWord(stem string) string {
	return stem + s.Alias + "t" + strconv.FormatUint(uint64(s.Tick), 10)
}

// available returns the money that is not locked, in ⚡.
func (s *slot) available() uint64 {
	return uint64(max(0, s.view.Balance-int64(s.view.Locked)))
}

// answer writes the JSON of a move, and the notes.
func (s *slot) answer(m move) []byte {
	row, ok := action.ByName(m.action)
	if !ok {
		panic("adversary: " + m.action + " is not in the catalogue")
	}
	dst := append([]byte(nil), `{"action":"`...)
	dst = append(append(dst, m.action...), `","params":`...)
	dst = row.AppendJSON(dst, m.payload)
	dst = codec.AppendJSONString(append(dst, `,"reasoning":`...), s.mind.strategy.Name+": "+m.why)
	s.keepAgenda()
	s.keepNotes()
	if len(s.notes) > 0 {
		dst = append(dst, `,"memory_update":{"note":{"set":{`...)
		for i, n := range s.notes {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = codec.AppendJSONString(dst, n.key)
			dst = codec.AppendJSONString(append(dst, ':'), n.value)
		}
		dst = append(dst, `}}}`...)
	}
	return append(dst, '}')
}
