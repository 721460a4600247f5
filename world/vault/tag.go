package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

func (d *Daemon) createTag(c *world.Context, q *wire.TagCreate) wire.Reply {
	repo, r := d.store.findWritable(c, q.Repo)
	if r != nil {
		return c.Relay(sys, r)
	}
	target := d.history.snapOf(repo.ID, q.Target)
	switch {
	case target == nil:
		return refuse(c, wire.CategoryNotFound, "target")
	case d.history.refs.find(repo.ID, tag, q.Name) != nil:
		return refuse(c, wire.CategoryConflict, "exists", world.Field("name"))
	case q.Publish != nil && c.Source != repo.Owner:
		return refuse(c, wire.CategoryUnauthorized, "publish")
	}
	t := q.Tag(c.Source)
	in := &pendingObjects{}
	id := in.add(wire.ObjectTag, wire.TagCodec.Append(nil, &t))
	records, freed := uint64(recordBytes), uint64(0)
	if q.Publish != nil {
		records += publicationBytes(q.Publish.Description, q.Publish.Category)
		if old := d.registry.Get(repo.ID); old != nil { // which is replaced
			had := publicationBytes(old.Description, old.Category)
			replaced := min(had, records-recordBytes)
			records, freed = records-replaced, had-replaced
		}
	}
	if _, r := d.store.checkQuota(c, in, records); r != nil {
		return c.Relay(sys, r)
	}
	if !preparedFor(c).signed && !t.VerifyOwn(d.store.roster.PublicKey(c.Source)) { // the most expensive check comes last
		return refuse(c, wire.CategoryInvalidRequest, "signature", world.Field("signature"))
	}
	if r := d.store.charge(c, in, records); r != nil {
		return c.Relay(sys, r)
	}
	d.store.storage.free(c.Source, freed)
	d.store.putAll(c, in, repo.home())
	ref := &Ref{Repo: repo.ID, Name: q.Name, Head: q.Target, Tag: &id, Author: c.Source, Payer: c.Source, Tick: c.Tick}
	if _, done := d.history.refs.credited[q.Target]; !done {
		ref.Credit = d.store.siblings.credit(c, c.Source, target.author)
	}
	last, tagged := d.history.refs.newest[repo.ID]
	d.history.refs.put(ref, tag)
	d.registry.tagged(repo)
	if tagged {
		if d.history.refs.newest[repo.ID] == last { // a newer one of the same tick
			last = id
		}
		d.history.refs.outdated = append(d.history.refs.outdated, last)
	}
	emit(c, wire.KindTagCreated, &wire.TagCreatedEvent{RepoID: repo.ID, TagName: q.Name, Target: q.Target, Author: c.Source, Tick: c.Tick})
	if n := len(d.deps.dependents[repo.ID]); n > 0 {
		d.deps.newTags[repo.ID] = id
		emit(c, wire.KindDependencyUpdated, &wire.DependencyUpdatedEvent{RepoID: repo.ID, NewTag: id, DependentCount: uint32(n)})
	}
	if q.Publish != nil {
		d.registry.publish(c, repo, q.Target, q.Publish)
	}
	return c.Ack(&wire.TagCreateAck{TagID: id})
}
