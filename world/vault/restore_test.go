package vault

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// A Vault that was restored before a request answers it, reports it, counts it and tells of it as the one that went on.
func TestRestore_EveryRequestGivesTheSame(t *testing.T) {
	l := newLab(t)
	l.n.kin[[2]wire.AgentID{l.ids[3], l.ids[0]}] = true
	ids := map[string]wire.Hash{}
	publish := func(labels ...string) *wire.Publication {
		p := &wire.Publication{Description: []byte("about it")}
		for _, x := range labels {
			p.Category = append(p.Category, []byte(x))
		}
		return p
	}
	repo := func(name string, p wire.AccessPolicy) any {
		root, objects := files{"a": name, "d/b": "1"}.objects()
		return &wire.RepoCreate{Name: []byte(name), Message: []byte(name), AccessPolicy: p, Root: &root, Objects: objects}
	}
	snap := func(repo, parent string, f files) any {
		p := ids[parent]
		root, objects := f.objects()
		return &wire.SnapCreate{RepoID: ids[repo], Parent: &p, Root: root, Objects: objects}
	}
	tagged := func(repo, name, target string, p *wire.Publication) any {
		return &wire.TagCreate{Repo: ids[repo], Name: []byte(name), Target: ids[target], Publish: p}
	}
	depend := func(from, to, tag string) any {
		return &wire.DependencyAdd{FromRepo: ids[from], FromSnap: ids[from], ToRepo: ids[to], ToTag: ids[tag], Required: true}
	}
	fork := func(of, name string) any {
		id := ids[of]
		return &wire.RepoCreate{Name: []byte(name), Message: []byte(name), AccessPolicy: openToAll, ForkOf: &id}
	}
	advance := func(repo, name string, head *wire.Hash) any {
		return &wire.ChainAdvance{Repo: ids[repo], ChainName: []byte(name), NewHead: head}
	}
	secret := wire.AccessPolicy{Read: wire.ReadAccess{OwnerOnly: true}, Write: wire.WriteAccess{OwnerOnly: true}}
	category := []byte("text")
	for i, s := range []struct {
		by   int
		name string // of what it makes
		req  func() any
	}{
		{0, "lib", func() any { return repo("lib", openToAll) }},
		{0, "", func() any { return repo("lib", openToAll) }},
		{1, "user", func() any { return repo("user", openToAll) }},
		{2, "other", func() any { return repo("other", openToAll) }},
		{3, "kin", func() any { return repo("kin", openToAll) }},
		{1, "secret", func() any { return repo("secret", secret) }},
		{0, "second", func() any { return snap("lib", "lib", files{"a": "2", "d/b": "1"}) }},
		{0, "", func() any { return &wire.ChainCreate{Repo: ids["lib"], Name: []byte("x"), FromSnap: ids["second"]} }},
		{0, "", func() any { return &wire.ChainCreate{Repo: ids["lib"], Name: []byte("b"), FromSnap: ids["second"]} }},
		{0, "third", func() any { return snap("lib", "second", files{"a": "3", "d/b": "1"}) }}, // main moves
		{0, "fourth", func() any { return snap("lib", "second", files{"c": "1"}) }},            // b moves
		{0, "fifth", func() any { return snap("lib", "second", files{"c": "2"}) }},             // x moves
		{0, "sixth", func() any { return snap("lib", "second", files{"c": "3"}) }},             // none moves
		{0, "", func() any { return advance("lib", "b", nil) }},
		{0, "", func() any { id := ids["third"]; return advance("lib", "x", &id) }},
		{1, "v1", func() any { return tagged("lib", "v1", "third", nil) }},
		{2, "", func() any { return tagged("lib", "again", "third", nil) }}, // the snap was credited
		{0, "v2", func() any { return tagged("lib", "v2", "fourth", publish("text", "io", "text")) }},
		{2, "o1", func() any { return tagged("other", "v1", "other", publish("text")) }},
		{1, "", func() any { return tagged("user", "v1", "user", publish("io")) }},
		{1, "", func() any { return tagged("secret", "v1", "secret", publish("text")) }},
		{1, "", func() any { return depend("user", "lib", "v1") }},
		{1, "", func() any { return depend("user", "lib", "v2") }},
		{2, "", func() any { return depend("other", "lib", "v1") }},
		{1, "", func() any { return depend("lib", "other", "o1") }}, // not by the owner
		{3, "", func() any { return depend("kin", "lib", "v1") }},
		{2, "", func() any { return fork("lib", "fork") }},
		{3, "", func() any { return fork("other", "copy") }},
		{0, "", func() any { return tagged("lib", "v3", "fifth", nil) }},
		{0, "", func() any { return tagged("lib", "v4", "sixth", publish("text", "net")) }},
		{0, "", func() any { return repo("fork", openToAll) }},
		{2, "", func() any { return repo("fork", openToAll) }}, // the name is taken
		{1, "", func() any { return &wire.ObjectGet{ObjectID: wire.ObjectID(wire.ObjectAtom, []byte("secret"))} }},
		{2, "", func() any { return &wire.ObjectGet{ObjectID: wire.ObjectID(wire.ObjectAtom, []byte("secret"))} }},
		{2, "", func() any { return &wire.SnapGet{SnapID: ids["third"]} }},
		{2, "", func() any { return &wire.DeltaCompute{Base: ids["lib"], Target: ids["fourth"]} }},
		{0, "merged", func() any { return &wire.Merge{Base: ids["second"], Left: ids["third"], Right: ids["fourth"]} }},
		{0, "", func() any { id := ids["merged"]; return advance("lib", "main", &id) }},
		{2, "", func() any { return &wire.RegistryQuery{Sort: wire.RegistrySortQuality, Category: &category} }},
		{1, "", func() any { return &wire.RegistryQuery{Sort: wire.RegistrySortRecent} }},
		{0, "", func() any {
			return &wire.ObjectPut{TypeTag: wire.ObjectClaim, Data: wire.ClaimCodec.Append(nil, &wire.Claim{RepoID: ids["lib"]})}
		}},
		{2, "", func() any { return &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: []byte("secret")} }}, // known to all from here on
		{3, "", func() any { return &wire.ObjectGet{ObjectID: wire.ObjectID(wire.ObjectAtom, []byte("secret"))} }},
	} {
		two := l.restored()
		one, other := l.send(s.by, s.req()), two.send(s.by, s.req())
		if d := cmp.Diff(one, other); d != "" {
			t.Fatalf("step %d: replies (-running +restored): %s", i, d)
		}
		if d := cmp.Diff(l.told(), two.told()); d != "" {
			t.Fatalf("step %d: events (-running +restored): %s", i, d)
		}
		l.CycleEnd(l.c)
		two.CycleEnd(two.c)
		l.Royalties(l.c)
		two.Royalties(two.c)
		if d := cmp.Diff(l.facts(), two.facts()); d != "" {
			t.Fatalf("step %d: facts (-running +restored): %s", i, d)
		}
		l.c.Deliveries, l.n.noted = nil, nil
		switch body := one.Body.(type) {
		case *wire.RepoCreateAck:
			ids[s.name] = body.RepoID
		case *wire.SnapCreateAck:
			ids[s.name] = body.SnapID
		case *wire.TagCreateAck:
			ids[s.name] = body.TagID
		case *wire.MergeReply:
			ids[s.name] = body.Result
		}
		if s.name != "" && one.Err != nil {
			t.Fatalf("step %d: %s is not made: %s", i, s.name, one.Err.Message)
		}
	}
}

// facts are what others see of a Vault.
func (l *lab) facts() map[string]any {
	out := map[string]any{
		"hash": l.State().Hash(), "deliveries": l.c.Deliveries, "royalties": l.n.noted, "valued": l.n.valued, "pairs": l.n.pairs,
		"milestones": l.n.milestones, "branches": Branches(l.Daemon), "outdated": len(l.OutdatedTags()),
	}
	for i, a := range l.ids {
		for _, limit := range []int{2, 8} {
			out[string(rune('0'+i))+" libraries "+string(rune('0'+limit))] = AppendLibraries(l.Daemon, nil, a, limit)
		}
		out[string(rune('0'+i))+" used"] = l.store.storage.of(a)
	}
	for _, label := range []string{"text", "io", "net"} {
		out["published "+label] = Objects(l.Daemon).Published(label)
	}
	var m world.Metrics
	l.Measure(&m)
	out["repos"] = m.VaultRepos
	l.history.refs.Each(func(k string, r *Ref) {
		if r.Tag != nil {
			at, outdated, ok := l.Tag(*r.Tag)
			out["tag "+k] = []any{at, outdated, ok}
		}
	})
	return out
}
