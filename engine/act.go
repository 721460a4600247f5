package engine

import "kingdom/ooda"

// sign ends the act phase: it signs the request of a slot, unless signatures are lazy. It runs in the workers, since
// a signature costs more than the rest of a slot. No code in this process verifies it; receivers of the bytes do
// ([wire.Receiver]).
func (e *Engine) sign(s *seat) {
	if s.step.Kind == ooda.StepSend && !e.cfg.SignaturesLazy {
		s.step.Envelope.Sign(s.a.Key)
	}
}
