package vault

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// In front stands the newest of each agent that everybody may read, oldest first, whoever publishes what again.
func TestRegistry_FrontIsTheNewestOfEach(t *testing.T) {
	s := world.NewState(wire.SystemVault)
	repos := newRepos(s)
	x := newRegistry(s, &shelf{repos: repos}, nil)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		id := wire.Hash{byte(i)}
		repo := &Repo{ID: id, Owner: wire.AgentID{0xF0, byte(i % 12)}}
		repo.Access.Read.Public = i%5 > 0
		repos.Put(id, repo)
	}
	var want []wire.Hash
	for place := range uint64(500) {
		id := wire.Hash{byte(r.IntN(60))}
		if old := x.Get(id); old != nil {
			x.leave(id, old)
		}
		x.Put(id, &Listing{Place: place + 1})
		x.order = append(x.order, id)
		x.enter(id, x.Get(id))
		if repo := repos.Get(id); repo.Access.Read.Public {
			want = slices.DeleteFunc(want, func(other wire.Hash) bool { return repos.Get(other).Owner == repo.Owner })
			want = append(want, id)
		}
		if !slices.Equal(x.front, want) {
			t.Fatalf("after %d: %v, want %v", place, x.front, want)
		}
	}
}
