package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// stock is Vault as Forge sees it.
type stock struct{ *Daemon }

// Objects returns the part of d that Forge uses.
func Objects(d *Daemon) world.Objects { return stock{d} }

// Object describes a stored object.
func (d stock) Object(id wire.Hash) (o world.Object, ok bool) {
	x := d.shelf.objects.find(id)
	if x == nil {
		return o, false
	}
	return world.Object{Type: x.tag, Size: int(x.size), Putter: d.shelf.objects.putters.Key(x.putter), Tick: x.tick.Tick()}, true
}

// MayRead says whether a may read an object, which must be stored.
func (d stock) MayRead(id wire.Hash, a wire.AgentID) bool { return d.shelf.readable(id, a) }

// ShowObject calls do with the content of a stored object, at once or when missing is filled.
func (d stock) ShowObject(missing *[]wire.Missing, id wire.Hash, do func(data []byte)) {
	d.shelf.objects.show(missing, id, do)
}

// PutAtom stores a text on the sender's storage, for everybody; it refuses what does not fit.
func (d stock) PutAtom(c *world.Context, text []byte) (wire.Hash, *world.Refusal) {
	in := &intake{}
	id := in.add(wire.ObjectAtom, text)
	if r := world.FirstRefusal(check(wire.ObjectAtom, text), d.shelf.charge(c, in, 0)); r != nil {
		return id, r
	}
	d.shelf.keep(c, in, nil)
	return id, nil
}

// Root is the tree of a repo's snap.
func (d stock) Root(snap wire.Hash) (root wire.Hash, ok bool) {
	if x := d.history.commits.find(snap); x != nil {
		return x.root, true
	}
	return root, false
}

// Published lists the newest publications of repos in a category, in order of publication.
func (d stock) Published(category string) []world.Publication {
	var out []world.Publication
	for _, repo := range d.registry.byCategory[category] {
		l := d.registry.Get(repo)
		out = append(out, world.Publication{Repo: repo, Owner: d.shelf.repos.Get(repo).Owner, Snap: l.Snap, Place: l.Place})
	}
	return out
}
