package oracle

import "kingdom/wire"

// Parties are the authors of the entries that e is about.
func (d *Daemon) Parties(e *wire.Event, add func(wire.AgentID)) {
	author := func(ids ...wire.Hash) {
		for _, id := range ids {
			if x := d.entries.find(id); x != nil {
				add(d.entries.author(x))
			}
		}
	}
	switch p := e.Payload.(type) {
	case *wire.EntryUpdatedEvent:
		author(p.EntryID)
	case *wire.EntryVerifiedEvent:
		author(p.EntryID)
	case *wire.EntryUpdateRejectedEvent:
		author(p.EntryID)
	case *wire.PeerReviewApprovedEvent:
		author(p.EntryID)
	case *wire.PeerReviewCompleteEvent:
		author(p.EntryID)
	case *wire.CitationAddedEvent:
		author(p.Source, p.Target)
	case *wire.CitationRemovedEvent:
		author(p.Source, p.Target)
	case *wire.StalenessDetectedEvent:
		author(p.EntryID)
	case *wire.DuplicateFlaggedEvent:
		author(p.NewEntryID, p.ExistingEntryID)
	case *wire.CrossLinkSuggestedEvent:
		author(p.Source, p.Target)
	}
}
