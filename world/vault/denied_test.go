package vault

import (
	"crypto/sha256"
	"testing"

	"kingdom/wire"
)

// treeOf is a tree of these entries as an object of a request.
func treeOf(entries ...wire.TreeEntry) (wire.Hash, wire.InlineObject) {
	data := wire.TreeCodec.Append(nil, &wire.Tree{Entries: entries})
	return wire.ObjectID(wire.ObjectTree, data), wire.InlineObject{TypeTag: wire.ObjectTree, Data: data}
}

// dir is an entry of a tree that stands for another tree.
func dir(name string, tree wire.Hash) wire.TreeEntry {
	return wire.TreeEntry{Key: []byte(name), Value: tree, Kind: wire.TreeEntryKindTree}
}

// Before a large tree that the sender may not read, the prepare stage stops at its limit and does not read what comes behind
// it. The commit does not enter that tree, and must not look for the others: they are in the store alone. Two friends could
// end the world in this way.
func TestWalk_BehindALargeTreeThatIsDenied(t *testing.T) {
	l := newLab(t)
	p := wire.ExecutionProof{Input: sha256.Sum256(nil), Output: sha256.Sum256([]byte("4")), TicksUsed: 1}
	program := []byte("emit('4')")
	p.Program = wire.ObjectID(wire.ObjectAtom, program)
	p.Sign()
	l.store.proofs = made{p}
	proof := wire.ExecutionProofCodec.Append(nil, &p)
	l.put(wire.ObjectAtom, program)

	roots, snaps := [2]wire.Hash{}, [2]wire.Hash{}
	var repo wire.Hash
	for i := range roots {
		large, secret := treeOf(atoms(maxVisited, 4, "", byte(i+1))...)
		must[*wire.RepoCreateAck](l, 0, &wire.RepoCreate{
			Name: []byte{'p', byte('0' + i)}, AccessPolicy: private, Root: &large, Objects: &[]wire.InlineObject{secret},
		})
		small, open := treeOf(wire.TreeEntry{Key: []byte{'x', byte('0' + i)}, Value: p.Program, Kind: wire.TreeEntryKindAtom})
		middle, between := treeOf(dir("c", small))
		root, top := treeOf(dir("a", large), dir("b", middle))
		roots[i] = root
		if i == 0 {
			repo = must[*wire.RepoCreateAck](l, 0, &wire.RepoCreate{
				Name: []byte("r"), AccessPolicy: openToAll, Root: &root, Objects: &[]wire.InlineObject{open, between, top},
			}).RepoID
			snaps[i] = repo
			continue
		}
		snaps[i] = must[*wire.SnapCreateAck](l, 0, &wire.SnapCreate{
			RepoID: repo, Parent: &repo, Root: root, Objects: &[]wire.InlineObject{open, between, top},
		}).SnapID
	}
	for _, tt := range []struct {
		request any
		cat     wire.Category
		want    string
	}{
		{&wire.DeltaCompute{Base: snaps[0], Target: snaps[1]}, wire.CategoryUnauthorized, "read"},
		{&wire.Merge{Base: snaps[0], Left: snaps[1], Right: snaps[0]}, wire.CategoryUnauthorized, "read"},
		{&wire.SnapCreate{RepoID: repo, Parent: &repo, Root: roots[0], Proof: &proof}, wire.CategoryInvalidRequest, "proof field=proof"},
	} {
		l.restored().refused(1, tt.request, tt.cat, tt.want) // the trees are in the store alone
	}
}
