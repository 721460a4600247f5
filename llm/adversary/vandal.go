package adversary

import "kingdom/wire"

// overwriteAndCondemn plans to overwrite and to condemn what strangers publish.
func overwriteAndCondemn(s *slot, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.EntryPublishedEvent:
		if s.stranger(x.Author) {
			s.plan(overwriteEntry, x.EntryID)
			s.plan(verifyInaccurate, x.EntryID)
		}
	case *wire.EntryUpdatedEvent:
		if s.stranger(x.Author) {
			s.plan(verifyInaccurate, x.EntryID)
		}
	}
}
