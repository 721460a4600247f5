package engine

import (
	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
)

// slotRoom is what a slot needs while it lasts. As many are in use as slots are open at the same time.
type slotRoom struct {
	tray  *ooda.Tray
	sheet llm.Sheet   // what the prompt is written on
	asked []wire.Hash // what the view says the fate of
}

// slot is one slot of one agent up to the barrier: view, ask, think, act.
func (e *Engine) slot(s *seat, j *job) error {
	if s.turn.Pauses() {
		e.pause(s, j)
		return nil
	}
	room := e.rooms.Get().(*slotRoom)
	room.asked = s.turn.Subjects(room.asked[:0])
	e.realm.View(s.id, room.asked, &s.view) // the world before the tick
	budget := min(s.alloc.Budget, e.cal.TicksPerCycle)
	s.view.SlotsLeft = slotsLeft(e.cal.Offset(j.tick), budget, e.cal.TicksPerCycle)
	s.thinks = s.thinks[:0]
	s.mark = [32]byte{}
	room.tray.LendTo(s.turn)
	defer func() {
		s.sats, s.faults = s.turn.Satisfactions(), s.turn.Faults()
		room.tray.TakeFrom(s.turn)
		e.rooms.Put(room)
	}()
	asked, w := s.turn.Ask(&s.view), e.explained.of(s)
	if w != nil {
		w.Asked(s.turn, asked.Prompt)
		defer func() { w.Acted(&s.step) }()
	}
	if asked.Kind == ooda.AskSilent {
		s.step = s.turn.Act(llm.Thought{})
		e.seal(s)
		return nil
	}
	defer asked.Prompt.Forget()
	s.thought = 0
	s.marks.Reset()
	for {
		th, err := e.thinker.think(s, j, asked.Prompt, &room.sheet)
		if err != nil {
			return err
		}
		s.fold(&th)
		s.step = s.turn.Act(th)
		if s.step.Think != nil {
			s.thinks = append(s.thinks, *s.step.Think)
		}
		if w != nil {
			w.Thought(th, s.step.Think)
		}
		if s.step.Kind != ooda.StepAgain {
			break
		}
	}
	s.marks.Sum(s.mark[:0])
	e.seal(s)
	return nil
}

// pause is a slot that passes unseen.
func (e *Engine) pause(s *seat, j *job) {
	s.thinks, s.sats, s.faults = s.thinks[:0], nil, nil
	s.mark = [32]byte{}
	s.turn.Pause(j.tick)
	w := e.explained.of(s)
	if w != nil {
		w.Asked(s.turn, nil)
	}
	s.step = s.turn.Act(llm.Thought{})
	if w != nil {
		w.Acted(&s.step)
	}
	e.seal(s)
}

// fold takes a thought into the running hash of its slot.
func (s *seat) fold(th *llm.Thought) {
	n := len(th.Text)
	s.mark = [32]byte{byte(th.Outcome), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)} // room that need not be allocated
	s.marks.Write(s.mark[:5])
	s.marks.Write(th.Text)
}
