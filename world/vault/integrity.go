package vault

import (
	"fmt"

	"kingdom/wire"
)

// Reader returns the content of a stored object.
type Reader func(id wire.Hash) ([]byte, error)

// Branch is a branch of a repo.
type Branch struct {
	Repo           wire.Hash
	RepoName, Name []byte
	Owner          wire.AgentID
	Snaps          []wire.Hash // from its head to the first of its repo
}

// Branches returns all branches, by repo and name.
func Branches(d *Daemon) []Branch {
	var out []Branch
	for _, k := range d.history.refs.Keys() {
		r := d.history.refs.Get(k)
		if r.Tag != nil {
			continue
		}
		b := Branch{Repo: r.Repo, Name: r.Name, Snaps: []wire.Hash{r.Head}}
		if repo := d.store.repos.Get(r.Repo); repo != nil {
			b.RepoName, b.Owner = repo.Name, repo.Owner
		}
		if head := d.history.commits.find(r.Head); head != nil {
			for m := head.parent; m != nil; m = m.parent {
				b.Snaps = append(b.Snaps, m.id)
			}
		}
		out = append(out, b)
	}
	return out
}

// VerifySnapshot checks that the snap and all objects of its tree exist and match their ids. It reads the whole tree,
// each object once.
func (d *Daemon) VerifySnapshot(snap wire.Hash, read Reader) error {
	m := d.history.commits.find(snap)
	if m == nil {
		return fmt.Errorf("verify snapshot: %v is not the snap of a repo", snap)
	}
	if _, err := d.store.readVerified(snap, wire.ObjectSnap, read); err != nil {
		return err
	}
	seen := map[wire.Hash]struct{}{m.root: {}}
	for todo := []wire.TreeEntry{{Value: m.root, Kind: wire.TreeEntryKindTree}}; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		want := wire.ObjectAtom
		if e.Kind == wire.TreeEntryKindTree {
			want = wire.ObjectTree
		}
		data, err := d.store.readVerified(e.Value, want, read)
		if err != nil {
			return err
		}
		if want == wire.ObjectAtom {
			continue
		}
		var t wire.Tree
		if err := wire.TreeCodec.DecodeCanonical(data, &t); err != nil {
			return fmt.Errorf("verify snapshot: tree %v: %w", e.Value, err)
		}
		for _, e := range t.Entries {
			if _, done := seen[e.Value]; !done && e.Kind != wire.TreeEntryKindLink {
				seen[e.Value] = struct{}{}
				todo = append(todo, e)
			}
		}
	}
	return nil
}

// readVerified reads an object and checks its type and that its content matches its id.
func (d *store) readVerified(id wire.Hash, want wire.ObjectType, read Reader) ([]byte, error) {
	if !d.objects.is(id, want) {
		return nil, fmt.Errorf("verify snapshot: object %v is not stored as type %d", id, want)
	}
	data, err := read(id)
	if err != nil {
		return nil, fmt.Errorf("verify snapshot: %w", err)
	}
	if wire.ObjectID(want, data) != id {
		return nil, fmt.Errorf("verify snapshot: the content of object %v is not the one that was stored", id)
	}
	return data, nil
}

// VerifySignatures checks the signatures of a snap and of all snaps before it, down to the first of its repo.
func (d *Daemon) VerifySignatures(snap wire.Hash, read Reader) error {
	m := d.history.commits.find(snap)
	if m == nil {
		return fmt.Errorf("verify signatures: %v is not the snap of a repo", snap)
	}
	for ; m != nil; m = m.parent {
		data, err := d.store.readVerified(m.id, wire.ObjectSnap, read)
		if err != nil {
			return err
		}
		s := decoded(wire.SnapCodec, data)
		if s.Author != m.author || !s.Verify(d.store.publicKey(m.author)) {
			return fmt.Errorf("verify signatures: snap %v is not signed by %v", m.id, m.author)
		}
	}
	return nil
}
