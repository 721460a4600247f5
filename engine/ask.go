package engine

import (
	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
)

// slotBuffers are the buffers of a slot in progress. They are pooled: as many are in use as slots run at the same time.
type slotBuffers struct {
	offers   *ooda.OfferBuffers
	rendered llm.Rendered   // buffer for the text of the prompt
	subjects []wire.Subject // things whose state the view has to show
}

// slot is one slot of one agent up to the barrier: view, ask, think, act.
func (e *Engine) slot(s *seat, j *job) error {
	if s.turn.Pauses() {
		e.pause(s, j)
		return nil
	}
	buf := e.slotBuffers.Get().(*slotBuffers)
	buf.subjects = s.turn.Subjects(buf.subjects[:0])
	e.realm.View(s.id, buf.subjects, &s.view) // the world before the tick
	budget := min(s.alloc.Budget, e.cal.TicksPerCycle)
	s.view.SlotsLeft = slotsLeft(e.cal.Offset(j.tick), budget, e.cal.TicksPerCycle)
	s.thinks = s.thinks[:0]
	s.thoughtsHash = [32]byte{}
	buf.offers.AttachTo(s.turn)
	defer func() {
		s.satisfactions, s.faults = s.turn.Satisfactions(), s.turn.Faults()
		buf.offers.DetachFrom(s.turn)
		e.slotBuffers.Put(buf)
	}()
	asked, w := s.turn.Ask(&s.view), e.tracers.get(s)
	if w != nil {
		w.Asked(s.turn, asked.Prompt)
		defer func() { w.Acted(&s.step) }()
	}
	if asked.Kind == ooda.AskSilent {
		s.step = s.turn.Act(llm.Thought{})
		e.sign(s)
		return nil
	}
	defer asked.Prompt.Forget()
	s.thinkTime = 0
	s.thoughtsHasher.Reset()
	for {
		th, err := e.thinker.think(s, j, asked.Prompt, &buf.rendered)
		if err != nil {
			return err
		}
		s.addThought(&th)
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
	s.thoughtsHasher.Sum(s.thoughtsHash[:0])
	e.sign(s)
	return nil
}

// pause executes a slot that the agent spends waiting: it gets no view and asks no mind.
func (e *Engine) pause(s *seat, j *job) {
	s.thinks, s.satisfactions, s.faults = s.thinks[:0], nil, nil
	s.thoughtsHash = [32]byte{}
	s.turn.Pause(j.tick)
	w := e.tracers.get(s)
	if w != nil {
		w.Asked(s.turn, nil)
	}
	s.step = s.turn.Act(llm.Thought{})
	if w != nil {
		w.Acted(&s.step)
	}
	e.sign(s)
}

// addThought adds a thought to the hash of its slot.
func (s *seat) addThought(th *llm.Thought) {
	n := len(th.Text)
	s.thoughtsHash = [32]byte{byte(th.Outcome), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)} // used as a buffer, to save an allocation
	s.thoughtsHasher.Write(s.thoughtsHash[:5])
	s.thoughtsHasher.Write(th.Text)
}
