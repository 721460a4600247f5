package llm

import (
	"strconv"
	"unicode/utf8"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/action"
)

// parseMemory reads the memory_update of an answer. Wrong forms are refused;
// items beyond the bounds are dropped and counted.
func parseMemory(raw []byte, rows []*action.Row) (MemoryUpdate, error) {
	var m MemoryUpdate
	s := scanner{src: raw}
	err := s.object(func(key []byte) error {
		switch string(key) {
		case "note":
			return under("note", s.note(&m))
		case "beliefs":
			return under("beliefs", s.beliefs(&m))
		case "knowledge":
			return under("knowledge", s.knowledge(&m))
		case "goals":
			return under("goals", s.goals(&m))
		case "plan":
			return under("plan", s.plan(&m, rows))
		case "lesson":
			if s.null() {
				return nil
			}
			text, err := s.text("lesson")
			m.Lesson = clip(text, &m.Dropped)
			return err
		default:
			return s.errorf("unknown key %q", key)
		}
	})
	return m, err
}

// null consumes a null if there is one: an optional part that the mind left out.
func (s *scanner) null() bool {
	return s.peek() == 'n' && s.word("null") == nil
}

func (s *scanner) note(m *MemoryUpdate) error {
	if s.null() {
		return nil
	}
	return s.object(func(key []byte) error {
		switch string(key) {
		case "set":
			return s.object(func(key []byte) error {
				value, err := s.noteValue()
				if err != nil {
					return err
				}
				if len(value) > action.MaxNoteBytes || len(key) > action.MaxNoteBytes {
					m.Dropped++
					return nil
				}
				m.Set = append(m.Set, Note{Key: string(key), Value: value})
				return nil
			})
		case "drop":
			return s.array(func(int) error {
				text, err := s.text("drop")
				m.Drop = append(m.Drop, text)
				return err
			})
		default:
			return s.errorf("unknown key %q", key)
		}
	})
}

// noteValue consumes a note: a string, or any other value kept as its JSON text.
func (s *scanner) noteValue() (string, error) {
	if s.peek() == '"' {
		b, err := s.str()
		return string(b), err
	}
	raw, err := s.skip(1)
	return string(raw), err
}

func (s *scanner) beliefs(m *MemoryUpdate) error {
	if s.null() {
		return nil
	}
	return s.array(func(i int) error {
		b := Belief{Confidence: 0.5}
		err := s.object(func(key []byte) error {
			var err error
			switch string(key) {
			case "claim":
				b.Claim, err = s.text("claim")
			case "confidence":
				b.Confidence, err = s.ratio("confidence")
			default:
				err = s.errorf("unknown key %q", key)
			}
			return err
		})
		if err != nil {
			return err
		}
		if b.Claim == "" {
			return s.errorf("belief %d has no claim", i)
		}
		if i >= action.MaxBeliefs || len(b.Claim) > maxWords {
			m.Dropped++
			return nil
		}
		m.Beliefs = append(m.Beliefs, b)
		return nil
	})
}

func (s *scanner) knowledge(m *MemoryUpdate) error {
	if s.null() {
		return nil
	}
	return s.array(func(i int) error {
		var k Knowledge
		err := s.object(func(key []byte) error {
			var err error
			switch string(key) {
			case "label":
				k.Label, err = s.text("label")
			case "content":
				k.Content, err = s.text("content")
			case "relates_to":
				err = under("relates_to", s.relations(&k))
			default:
				err = s.errorf("unknown key %q", key)
			}
			return err
		})
		if err != nil {
			return err
		}
		if k.Label == "" {
			return s.errorf("knowledge %d has no label", i)
		}
		if i >= action.MaxKnowledge || len(k.Label) > maxWords || len(k.Content) > action.MaxNoteBytes {
			m.Dropped++
			return nil
		}
		m.Knowledge = append(m.Knowledge, k)
		return nil
	})
}

func (s *scanner) relations(k *Knowledge) error {
	if s.null() {
		return nil
	}
	return s.array(func(i int) error {
		r := Relation{Relation: "relates_to", Weight: 0.5}
		err := s.object(func(key []byte) error {
			var err error
			switch string(key) {
			case "to":
				r.To, err = s.text("to")
			case "relation":
				r.Relation, err = s.text("relation")
			case "weight":
				r.Weight, err = s.ratio("weight")
			default:
				err = s.errorf("unknown key %q", key)
			}
			return err
		})
		if err != nil {
			return err
		}
		if r.To == "" {
			return s.errorf("relation %d names no label", i)
		}
		k.RelatesTo = append(k.RelatesTo, r)
		return nil
	})
}

func (s *scanner) goals(m *MemoryUpdate) error {
	if s.null() {
		return nil
	}
	return s.array(func(i int) error {
		var g OwnGoal
		err := s.object(func(key []byte) error {
			var err error
			switch string(key) {
			case "layer":
				var layer string
				if layer, err = s.text("layer"); err != nil {
					return err
				}
				switch layer {
				case "TASK":
				case "OBJECTIVE":
					g.Objective = true
				default:
					err = s.errorf("layer %q: a goal of one's own is a TASK or an OBJECTIVE", layer)
				}
			case "text":
				g.Text, err = s.text("text")
			case "deadline":
				g.Deadline, err = s.tick("deadline")
			default:
				err = s.errorf("unknown key %q", key)
			}
			return err
		})
		if err != nil {
			return err
		}
		if g.Text == "" {
			return s.errorf("goal %d has no text", i)
		}
		if i >= action.MaxGoals || len(g.Text) > maxWords {
			m.Dropped++
			return nil
		}
		m.Goals = append(m.Goals, g)
		return nil
	})
}

func (s *scanner) plan(m *MemoryUpdate, rows []*action.Row) error {
	if s.null() {
		return nil
	}
	return s.array(func(i int) error {
		var st PlanStep
		err := s.object(func(key []byte) error {
			var err error
			switch string(key) {
			case "action":
				var name string
				if name, err = s.text("action"); err != nil {
					return err
				}
				if st.Action = find(rows, name); st.Action == nil {
					err = s.errorf("%s", unknownAction(name))
				}
			case "params":
				st.Params, err = s.optionalObject("params")
			default:
				err = s.errorf("unknown key %q", key)
			}
			return err
		})
		if err != nil {
			return err
		}
		if st.Action == nil {
			return s.errorf("step %d names no action", i)
		}
		if i >= action.MaxPlanSteps {
			m.Dropped++
			return nil
		}
		m.Plan = append(m.Plan, st)
		return nil
	})
}

// ratio consumes a number in [0,1] and quantises it.
func (s *scanner) ratio(path string) (float64, error) {
	raw, err := s.skip(1)
	if err != nil {
		return 0, under(path, err)
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, &ParseError{Offset: s.pos, Path: path, Reason: "must be a number from 0 to 1"}
	}
	return det.Quantise(v), nil
}

// tick consumes a tick or null.
func (s *scanner) tick(path string) (*wire.Tick, error) {
	if s.null() {
		return nil, nil
	}
	raw, err := s.skip(1)
	if err != nil {
		return nil, under(path, err)
	}
	v, err := strconv.ParseUint(string(raw), 10, 63)
	if err != nil {
		return nil, &ParseError{Offset: s.pos, Path: path, Reason: "must be a tick number or null"}
	}
	t := wire.Tick(v)
	return &t, nil
}

// clip cuts a lesson to its bound at a rune border and counts the cut.
func clip(text string, dropped *int) string {
	if len(text) <= action.MaxLessonSize {
		return text
	}
	*dropped++
	n := action.MaxLessonSize
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
