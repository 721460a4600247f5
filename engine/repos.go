package engine

import (
	"context"

	"kingdom/wire"
	"kingdom/world/vault"
)

// RepoCheck is the result of checking one branch. Err is nil if the branch is intact.
type RepoCheck struct {
	vault.Branch
	Err error
}

// CheckRepos reads all snaps of all branches of all repos from the store. It checks that the files of each snap are
// those that were stored and that each snap is signed by its author.
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
