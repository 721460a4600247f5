package vault

import (
	"testing"

	"kingdom/wire"
)

// signed are requests of agent 0 that carry its signature, for a repo with a file.
func signed(l *lab, repo wire.Hash) map[string]any {
	root := l.history.commits.find(repo).root
	out := map[string]any{
		"a snap":                &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Message: []byte("again")},
		"a tag":                 &wire.TagCreate{Repo: repo, Target: repo, Name: []byte("v1")},
		"a repo":                &wire.RepoCreate{Name: []byte("empty"), AccessPolicy: openToAll},
		"a repo of a directory": &wire.RepoCreate{Name: []byte("full"), AccessPolicy: openToAll, Root: &root, Message: []byte("copied")},
	}
	for _, req := range out {
		l.sign(0, req)
	}
	return out
}

// A signature counts whether or not the prepare stage has seen it. What it found right is not verified again: the
// commit does not ask for the key any more, which is the most expensive check.
func TestSignatures_AtTheCommit(t *testing.T) {
	for _, name := range []string{"a snap", "a tag", "a repo", "a repo of a directory"} {
		for _, found := range []bool{false, true} {
			for _, known := range []bool{false, true} {
				l := newLab(t)
				req := signed(l, l.repo("r", files{"a": "1"}))[name]
				l.at(l.c.Tick + 1)
				l.c.Source, l.c.Prepared = l.ids[0], prepared{signed: found}
				if !known {
					delete(l.n.keys, l.ids[0])
				}
				want := "signature"
				if found || known {
					want = ""
				}
				if r := l.Apply(l.c, req); word(r) != want {
					t.Errorf("%s, found right %t, key known %t: %q, want %q", name, found, known, word(r), want)
				}
			}
		}
	}
}
