package engine

import "kingdom/ooda"

// sign ends the act phase. Eager signatures are made here, in parallel,
// since a signature costs more than all the rest of a slot. Nobody inside this process
// verifies one: that is for whoever receives the bytes ([wire.Receiver]).
func (e *Engine) sign(s *seat) {
	if s.step.Kind == ooda.StepSend && !e.cfg.SignaturesLazy {
		s.step.Envelope.Sign(s.a.Key)
	}
}
