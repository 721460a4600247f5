package engine

import (
	"fmt"

	"kingdom/ooda"
)

// seal ends the act phase. Eager signatures are made here and checked against the
// key in the roster as the commit will open them; both run in the agent's
// goroutine, since they cost more than all the rest of a slot.
func (e *Engine) seal(s *seat, j *job) error {
	if s.step.Kind != ooda.StepSend || e.cfg.SignaturesLazy {
		return nil
	}
	s.step.Envelope.Sign(s.a.Key)
	if err := s.step.Envelope.Verify(s.public); err != nil {
		return &AgentError{Agent: s.id, Cycle: j.cycle, Tick: j.tick, Phase: "act", Err: fmt.Errorf("open envelope: %w", err)}
	}
	return nil
}
