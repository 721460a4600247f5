package engine

import (
	"context"

	"kingdom/wire"
	"kingdom/world/vault"
)

// RepoCheck says whether a branch is intact; Err says what is wrong with it.
type RepoCheck struct {
	vault.Branch
	Err error
}

// CheckRepos reads all branches of all repos from the store: the files of all their snaps are those that were
// stored, and the snaps are signed by their authors. It reads the files of each snap of each branch.
func CheckRepos(ctx context.Context, e *Engine) []RepoCheck {
	d := e.realm.Vault()
	objects := vault.Objects(d)
	read := func(id wire.Hash) (data []byte, err error) {
		var missing []wire.Missing
		objects.ShowObject(&missing, id, func(b []byte) { data = append([]byte(nil), b...) })
		return data, e.contents.fill(ctx, missing)
	}
	var out []RepoCheck
	for _, b := range vault.Branches(d) {
		err := d.VerifySignatures(b.Snaps[0], read)
		for i := 0; err == nil && i < len(b.Snaps); i++ {
			err = d.VerifySnapshot(b.Snaps[i], read)
		}
		out = append(out, RepoCheck{b, err})
	}
	return out
}
