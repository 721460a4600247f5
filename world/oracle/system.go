package oracle

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// PublishSystem publishes an entry of a daemon at once, cites its references and returns
// its id. Publishing the same thing twice in a tick gives the first one.
func (d *Daemon) PublishSystem(c *world.Context, author wire.AgentID, kind wire.EntryKind, title, body []byte, tags [][]byte, references []wire.Hash) wire.Hash {
	list, err := parse(body)
	if err != nil {
		panic(fmt.Sprintf("oracle: %v publishes a body that is none: %v", author, err))
	}
	id := EntryID(kind, title, author, c.Tick)
	if d.entries.Get(id) != nil {
		return id
	}
	e := d.record(c, author, &wire.EntryDraft{Kind: kind, Title: title, Tags: tags, References: references}, list)
	d.announce(c, &e.Head, wire.ReviewModeImmediate)
	d.release(c, e)
	for _, ref := range e.Head.References {
		if !d.citations.cited(id, ref, wire.CitationKindReferences) {
			d.cite(c, &Citation{Source: id, Target: ref, Kind: wire.CitationKindReferences, Author: author})
		}
	}
	return id
}

// Verified counts a's published entries of kind created at or after since that have an
// ACCURATE verdict of another agent.
func (d *Daemon) Verified(a wire.AgentID, kind wire.EntryKind, since wire.Tick) uint32 {
	var n uint32
	for _, e := range d.entries.byAuthor[a] {
		h := &e.Head
		if h.Kind == kind && h.CreatedAt >= since && len(h.VerifiedBy) > 0 {
			n++
		}
	}
	return n
}
