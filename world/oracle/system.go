package oracle

import (
	"fmt"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// PublishSystem publishes an entry of a daemon at once, cites its references and returns its id. ok is false, and nothing is
// published, if the author published an entry of this kind and title at this tick already: the two would have the same id.
func (d *Daemon) PublishSystem(c *world.Context, author wire.AgentID, kind wire.EntryKind, title, body []byte, tags [][]byte, references []wire.Hash) (id wire.Hash, ok bool) {
	if len(body) > maxSystemBody {
		panic(fmt.Sprintf("oracle: %v publishes a body of %d bytes, at most %d", author, len(body), maxSystemBody))
	}
	list, err := decodeBody(body)
	if err != nil {
		panic(fmt.Sprintf("oracle: %v publishes a body that cannot be read: %v", author, err))
	}
	id = EntryID(kind, title, author, c.Tick)
	if d.entries.find(id) != nil {
		return id, false
	}
	e := d.writer.record(c, author, &wire.EntryDraft{Kind: kind, Title: title, Tags: tags, References: references}, list)
	announce(c, d.entries, e, wire.ReviewModeImmediate)
	d.writer.makeLive(c, e)
	for _, ref := range references {
		if !d.citations.cited(id, ref, wire.CitationKindReferences) {
			d.entries.cite(c, &Citation{Source: id, Target: ref, Kind: wire.CitationKindReferences, Author: author})
		}
	}
	return id, true
}

// Verified appends a's entries of kind published at or after since that have an ACCURATE verdict
// and fulfilled no bounty yet, the newest first.
func (d *Daemon) Verified(dst []world.VerifiedEntry, a wire.AgentID, kind wire.EntryKind, since wire.Tick) []world.VerifiedEntry {
	list := d.entries.publishedBy(a)
	for _, n := range slices.Backward(list) {
		e := d.entries.at(n)
		if e.published.Tick() < since {
			break
		}
		if e.kind == kind && !e.fulfilled && e.verified > 0 {
			dst = append(dst, world.VerifiedEntry{Entry: d.entries.idOf(e), By: d.entries.verifiers(nil, e)})
		}
	}
	return dst
}

// Answer finds the newest published entry of a that references question, that two verifiers found accurate since there
// is a bounty for it, and that fulfilled none yet, among the newest Window of a.
func (d *Daemon) Answer(a wire.AgentID, question wire.Hash) (entry wire.Hash, ok bool) {
	list := d.entries.publishedBy(a)
	for i := len(list) - 1; i >= max(0, len(list)-Window); i-- {
		e := d.entries.at(list[i])
		if e.answers && !e.fulfilled && slices.Contains(d.entries.textOf(e).References, question) {
			return d.entries.idOf(e), true
		}
	}
	return wire.Hash{}, false
}

// Fulfil notes that an entry fulfils a bounty; it will fulfil no other.
func (d *Daemon) Fulfil(_ *world.Context, entry wire.Hash) {
	e := d.entries.find(entry)
	d.entries.markChanged(e)
	e.fulfilled = true
}
