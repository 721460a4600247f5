package vault

import (
	"testing"

	"kingdom/wire"
)

// TestRepo_EveryActionByEveryAgent: what its owner, who may write, who may read and a stranger may do with a repo, by its
// policy. What is refused changes nothing.
func TestRepo_EveryActionByEveryAgent(t *testing.T) {
	const owner, writer, reader, stranger = 0, 1, 2, 3
	policies := []string{"open", "public, some write", "public, owner writes", "some read, some write", "private"}
	policy := func(l *lab, name string) wire.AccessPolicy {
		some := []wire.AgentID{l.ids[writer]}
		readers := []wire.AgentID{l.ids[writer], l.ids[reader]}
		return map[string]wire.AccessPolicy{
			policies[0]: openToAll,
			policies[1]: {Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{Approved: &some}, Fork: true},
			policies[2]: {Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{OwnerOnly: true}},
			policies[3]: {Read: wire.ReadAccess{AgentsOnly: &readers}, Write: wire.WriteAccess{Approved: &some}, Fork: true},
			policies[4]: {Read: wire.ReadAccess{OwnerOnly: true}, Write: wire.WriteAccess{OwnerOnly: true}, Fork: true},
		}[name]
	}
	const ok, write, read, fork, publish = "", "write", "read", "fork", "publish"
	type scene struct {
		*lab
		repo, next, root, tag, own wire.Hash // own is a repo of the one who asks
	}
	text := []byte("what only readers know")
	for _, tc := range []struct {
		name string
		req  func(s *scene) any
		want [5][4]string // by policy and agent
	}{
		{"read the snap", func(s *scene) any { return &wire.SnapGet{SnapID: s.next} }, [5][4]string{{}, {}, {}, {ok, ok, ok, read}, {ok, read, read, read}}},
		{"read a file", func(*scene) any { return &wire.ObjectGet{ObjectID: wire.ObjectID(wire.ObjectAtom, text)} }, [5][4]string{{}, {}, {}, {ok, ok, ok, read}, {ok, read, read, read}}},
		{"compare", func(s *scene) any { return &wire.DeltaCompute{Base: s.repo, Target: s.next} }, [5][4]string{{}, {}, {}, {ok, ok, ok, read}, {ok, read, read, read}}},
		{"merge", func(s *scene) any { return &wire.Merge{Base: s.repo, Left: s.next, Right: s.repo} }, [5][4]string{{}, {ok, ok, write, write}, {ok, write, write, write}, {ok, ok, write, read}, {ok, read, read, read}}},
		{"fork", func(s *scene) any {
			return &wire.RepoCreate{Name: []byte("mine"), AccessPolicy: openToAll, ForkOf: &s.repo}
		}, [5][4]string{{}, {}, {ok, fork, fork, fork}, {ok, ok, ok, fork}, {ok, fork, fork, fork}}},
		{"commit", func(s *scene) any { return &wire.SnapCreate{RepoID: s.repo, Parent: &s.next, Root: s.root} }, [5][4]string{{}, {ok, ok, write, write}, {ok, write, write, write}, {ok, ok, write, write}, {ok, write, write, write}}},
		{"branch", func(s *scene) any { return &wire.ChainCreate{Repo: s.repo, Name: []byte("b"), FromSnap: s.next} }, [5][4]string{{}, {ok, ok, write, write}, {ok, write, write, write}, {ok, ok, write, write}, {ok, write, write, write}}},
		{"tag", func(s *scene) any { return &wire.TagCreate{Repo: s.repo, Name: []byte("v2"), Target: s.next} }, [5][4]string{{}, {ok, ok, write, write}, {ok, write, write, write}, {ok, ok, write, write}, {ok, write, write, write}}},
		{"publish", func(s *scene) any {
			return &wire.TagCreate{Repo: s.repo, Name: []byte("v2"), Target: s.next, Publish: &wire.Publication{Category: [][]byte{[]byte("x")}}}
		}, [5][4]string{{ok, publish, publish, publish}, {ok, publish, write, write}, {ok, write, write, write}, {ok, publish, write, write}, {ok, write, write, write}}},
		{"depend on it", func(s *scene) any {
			return &wire.DependencyAdd{FromRepo: s.own, FromSnap: s.own, ToRepo: s.repo, ToTag: s.tag}
		}, [5][4]string{{}, {}, {}, {ok, ok, ok, read}, {ok, read, read, read}}},
		{"have it depend", func(s *scene) any {
			return &wire.DependencyAdd{FromRepo: s.repo, FromSnap: s.next, ToRepo: s.own, ToTag: s.own}
		}, [5][4]string{{"to_tag", "to_tag", "to_tag", "to_tag"}, {"to_tag", "to_tag", write, write}, {"to_tag", write, write, write}, {"to_tag", "to_tag", write, write}, {"to_tag", write, write, write}}},
	} {
		for p, name := range policies {
			for by := range 4 {
				s := &scene{lab: newLab(t)}
				root, objects := files{"a": string(text)}.objects()
				s.repo = s.send(owner, &wire.RepoCreate{Name: []byte("r"), AccessPolicy: policy(s.lab, name), Message: []byte("first")}).Body.(*wire.RepoCreateAck).RepoID
				s.next = s.send(owner, &wire.SnapCreate{RepoID: s.repo, Parent: &s.repo, Root: root, Objects: objects}).Body.(*wire.SnapCreateAck).SnapID
				s.tag = s.send(owner, &wire.TagCreate{Repo: s.repo, Name: []byte("v1"), Target: s.next}).Body.(*wire.TagCreateAck).TagID
				s.root, s.own = root, s.send(by, &wire.RepoCreate{Name: []byte("own"), AccessPolicy: openToAll, Message: []byte("own")}).Body.(*wire.RepoCreateAck).RepoID
				before := s.State().Hash()
				r := s.send(by, tc.req(s))
				if got := word(r); got != tc.want[p][by] {
					t.Errorf("%s, %s, agent %d: %q, want %q", tc.name, name, by, got, tc.want[p][by])
				}
				if r.Err != nil && s.State().Hash() != before {
					t.Errorf("%s, %s, agent %d: a refusal changed the state", tc.name, name, by)
				}
			}
		}
	}
}

// TestChain_EveryActionInEveryState: what may be done with a branch where it stands, and where its head is then.
func TestChain_EveryActionInEveryState(t *testing.T) {
	// The snaps: first ← second ← third, and first ← side.
	states := []struct {
		name  string
		chain string
		at    int // number of the snap that it is made from; -1: it is not made
	}{
		{"main", "main", 2}, {"behind main", "work", 1}, {"beside main", "work", 3}, {"absent", "work", -1},
	}
	const exists, main, follow, none = "exists", "default_chain", "not_descendant", "chain"
	heads := []string{"first", "second", "third", "side", "new"}
	for _, tc := range []struct {
		name string
		req  func(repo wire.Hash, chain []byte, snaps []wire.Hash) any
		want [4]string // by state: the word of the refusal, or the head after it; gone without one
	}{
		{"create from the first", func(repo wire.Hash, chain []byte, snaps []wire.Hash) any {
			return &wire.ChainCreate{Repo: repo, Name: chain, FromSnap: snaps[0]}
		}, [4]string{exists, exists, exists, "first"}},
		{"create from a stranger", func(repo wire.Hash, chain []byte, _ []wire.Hash) any {
			return &wire.ChainCreate{Repo: repo, Name: chain, FromSnap: wire.Hash{1}}
		}, [4]string{"from_snap", "from_snap", "from_snap", "from_snap"}},
		{"advance to the third", func(repo wire.Hash, chain []byte, snaps []wire.Hash) any {
			return &wire.ChainAdvance{Repo: repo, ChainName: chain, NewHead: &snaps[2]}
		}, [4]string{follow, "third", follow, none}},
		{"advance to the first", func(repo wire.Hash, chain []byte, snaps []wire.Hash) any {
			return &wire.ChainAdvance{Repo: repo, ChainName: chain, NewHead: &snaps[0]}
		}, [4]string{follow, follow, follow, none}},
		{"advance to the side", func(repo wire.Hash, chain []byte, snaps []wire.Hash) any {
			return &wire.ChainAdvance{Repo: repo, ChainName: chain, NewHead: &snaps[3]}
		}, [4]string{follow, follow, follow, none}},
		{"advance to a stranger", func(repo wire.Hash, chain []byte, _ []wire.Hash) any {
			return &wire.ChainAdvance{Repo: repo, ChainName: chain, NewHead: &wire.Hash{1}}
		}, [4]string{"new_head", "new_head", "new_head", none}},
		{"delete", func(repo wire.Hash, chain []byte, _ []wire.Hash) any {
			return &wire.ChainAdvance{Repo: repo, ChainName: chain}
		}, [4]string{main, "gone", "gone", none}},
		{"commit on the third", func(repo wire.Hash, _ []byte, snaps []wire.Hash) any {
			root, objects := files{"a": "4"}.objects()
			return &wire.SnapCreate{RepoID: repo, Parent: &snaps[2], Root: root, Objects: objects}
		}, [4]string{"new", "second", "side", "gone"}},
		{"commit on the side", func(repo wire.Hash, _ []byte, snaps []wire.Hash) any {
			root, objects := files{"a": "4"}.objects()
			return &wire.SnapCreate{RepoID: repo, Parent: &snaps[3], Root: root, Objects: objects}
		}, [4]string{"third", "second", "new", "gone"}},
		{"commit on the first", func(repo wire.Hash, _ []byte, snaps []wire.Hash) any {
			root, objects := files{"a": "4"}.objects()
			return &wire.SnapCreate{RepoID: repo, Parent: &snaps[0], Root: root, Objects: objects}
		}, [4]string{"third", "second", "side", "gone"}},
	} {
		for i, state := range states {
			l := newLab(t)
			repo := l.repo("r", files{"a": "1"})
			snaps := []wire.Hash{repo}
			snaps = append(snaps, l.snap(repo, repo, files{"a": "2"}))
			snaps = append(snaps, l.snap(repo, snaps[1], files{"a": "3"}), l.snap(repo, repo, files{"b": "1"}))
			chain := []byte(state.chain)
			if state.chain != "main" && state.at >= 0 {
				if got := word(l.send(0, &wire.ChainCreate{Repo: repo, Name: chain, FromSnap: snaps[state.at]})); got != "" {
					t.Fatal(got)
				}
			}
			before := l.State().Hash()
			r := l.send(0, tc.req(repo, chain, snaps))
			got := word(r)
			if r.Err != nil && l.State().Hash() != before {
				t.Errorf("%s when %s: a refusal changed the state", tc.name, state.name)
			}
			if r.Err == nil {
				got = "gone"
				if made, ok := r.Body.(*wire.SnapCreateAck); ok {
					snaps = append(snaps, made.SnapID)
				}
				if x := l.history.refs.find(repo, branch, chain); x != nil {
					for n, id := range snaps {
						if id == x.Head {
							got = heads[n]
						}
					}
				}
			}
			if got != tc.want[i] {
				t.Errorf("%s when %s: %s, want %s", tc.name, state.name, got, tc.want[i])
			}
		}
	}
}
