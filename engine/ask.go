package engine

import (
	"crypto/sha256"
	"hash"
	"time"

	"kingdom/llm"
	"kingdom/ooda"
)

// slot is one slot of one agent up to the barrier: view, ask, think, act, in its
// own goroutine.
func (e *Engine) slot(s *seat, j *job) error {
	e.look(s, j.tick)
	s.thinks = s.thinks[:0]
	s.mark = [32]byte{}
	defer func() { s.sats, s.faults = s.turn.Satisfactions(), s.turn.Faults() }()
	asked := s.turn.Ask(&s.view)
	if asked.Kind == ooda.AskSilent {
		s.step = s.turn.Act(llm.Thought{})
		return e.seal(s, j)
	}
	if !e.recomputable {
		s.deadline = time.Now().Add(SlotTimeout)
	}
	marks := sha256.New()
	for {
		th, err := e.think(s, j, asked.Prompt)
		if err != nil {
			return err
		}
		fold(marks, &th)
		s.step = s.turn.Act(th)
		if s.step.Think != nil {
			s.thinks = append(s.thinks, *s.step.Think)
		}
		if s.step.Kind != ooda.StepAgain {
			break
		}
	}
	marks.Sum(s.mark[:0])
	return e.seal(s, j)
}

// fold takes a thought into the running hash of its slot.
func fold(h hash.Hash, th *llm.Thought) {
	n := len(th.Text)
	head := [5]byte{byte(th.Outcome), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
	h.Write(head[:])
	h.Write(th.Text)
}
