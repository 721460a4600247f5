package vault

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// TestTags_NewestOvertakesTheLast: a tag is outdated from the moment its repo has a newer one, for
// good, and is named once, in the cycle in which it happened.
func TestTags_NewestOvertakesTheLast(t *testing.T) {
	l := newLab(t)
	repo := l.repo("lib", files{"a": "1"})
	tagAs := func(name string) wire.Hash {
		r := l.send(0, &wire.TagCreate{Repo: repo, Name: []byte(name), Target: repo})
		if r.Err != nil {
			t.Fatal(word(r))
		}
		return r.Body.(*wire.TagCreateAck).TagID
	}
	outdated := func(id wire.Hash, want bool) {
		t.Helper()
		if _, got, ok := l.Tag(id); !ok || got != want {
			t.Errorf("outdated: %v (known %v), want %v", got, ok, want)
		}
	}
	if _, _, ok := l.Tag(repo); ok {
		t.Error("a snap is no tag")
	}
	v1 := tagAs("v1")
	outdated(v1, false)
	if n := len(l.Overtaken()); n != 0 {
		t.Errorf("the first tag overtook %d", n)
	}
	v2 := tagAs("v2")
	v3 := tagAs("v0") // names do not matter
	outdated(v1, true)
	outdated(v2, true)
	outdated(v3, false)
	if d := cmp.Diff([]wire.Hash{v1, v2}, l.Overtaken()); d != "" {
		t.Error(d)
	}
	l.CycleEnd(l.c)
	if n := len(l.Overtaken()); n != 0 {
		t.Errorf("%d are named again in the next cycle", n)
	}
	outdated(v1, true)

	// After a restore the newest is the same, in whichever order the rows come.
	l.refs.newest = map[wire.Hash]wire.Hash{}
	l.refs.restored()
	outdated(v2, true)
	outdated(v3, false)

	// Of two tags of one tick that with the higher id is the newer, before and after a restore.
	l.c.Tick-- // send will move on to the tick of v3
	v4 := tagAs("v4")
	outdated(v4, v4.Compare(v3) < 0)
	outdated(v3, v4.Compare(v3) > 0)
	if len(l.Overtaken()) != 1 || l.Overtaken()[0] != lower(v3, v4) {
		t.Errorf("overtaken: %v", l.Overtaken())
	}
}

func lower(a, b wire.Hash) wire.Hash {
	if a.Compare(b) < 0 {
		return a
	}
	return b
}
