package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// forgeObjects is the part of Vault that Forge uses.
type forgeObjects struct{ *Daemon }

// Objects returns the part of d that Forge uses.
func Objects(d *Daemon) world.Objects { return forgeObjects{d} }

// Object describes a stored object.
func (d forgeObjects) Object(id wire.Hash) (o world.Object, ok bool) {
	x := d.store.objects.find(id)
	if x == nil {
		return o, false
	}
	return world.Object{Type: x.tag, Size: int(x.size), Putter: d.store.objects.putters.Key(x.putter), Tick: x.tick.Tick()}, true
}

// MayRead says whether a may read an object, which must be stored.
func (d forgeObjects) MayRead(id wire.Hash, a wire.AgentID) bool { return d.store.readable(id, a) }

// ShowObject calls do with the content of a stored object, at once or when missing is filled.
func (d forgeObjects) ShowObject(missing *[]wire.Missing, id wire.Hash, do func(data []byte)) {
	d.store.objects.show(missing, id, do)
}

// PutAtom stores a text on the sender's storage, for everybody; it refuses what does not fit.
func (d forgeObjects) PutAtom(c *world.Context, text []byte) (wire.Hash, *world.Refusal) {
	in := &pendingObjects{}
	id := in.add(wire.ObjectAtom, text)
	if r := world.FirstRefusal(check(wire.ObjectAtom, text), d.store.charge(c, in, 0)); r != nil {
		return id, r
	}
	d.store.putAll(c, in, nil)
	return id, nil
}

// Root is the tree of a repo's snap.
func (d forgeObjects) Root(snap wire.Hash) (root wire.Hash, ok bool) {
	if x := d.history.commits.find(snap); x != nil {
		return x.root, true
	}
	return root, false
}

// Published lists the newest publications of repos in a category, in order of publication.
func (d forgeObjects) Published(category string) []world.Publication {
	var out []world.Publication
	for _, repo := range d.registry.byCategory[category] {
		l := d.registry.Get(repo)
		out = append(out, world.Publication{Repo: repo, Owner: d.store.repos.Get(repo).Owner, Snap: l.Snap, Place: l.Place})
	}
	return out
}
