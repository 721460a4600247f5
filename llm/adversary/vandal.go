package adversary

import "kingdom/wire"

// hearWork overwrites and condemns what strangers write.
func hearWork(s *slot, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.EntryPublishedEvent:
		if s.stranger(x.Author) {
			s.plan(deface, x.EntryID)
			s.plan(condemn, x.EntryID)
		}
	case *wire.EntryUpdatedEvent:
		if s.stranger(x.Author) {
			s.plan(condemn, x.EntryID)
		}
	}
}
