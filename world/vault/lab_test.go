package vault

import (
	"crypto/ed25519"
	"encoding/binary"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// siblings of a lab: everybody exists, nobody is kin, every pair is free once.
type neighbours struct {
	world.Nexus
	world.Mint
	keys   map[wire.AgentID]ed25519.PrivateKey
	pairs  map[[2]wire.AgentID]bool
	valued map[wire.AgentID]int
	bought map[wire.AgentID]uint64
	noted  []world.Reward
}

func (n *neighbours) AddReward(_ *world.Context, r world.Reward) bool {
	n.noted = append(n.noted, r)
	return true
}

func (n *neighbours) PublicKey(a wire.AgentID) []byte {
	if k := n.keys[a]; k != nil {
		return k.Public().(ed25519.PublicKey)
	}
	return nil
}
func (n *neighbours) Kin(a, b wire.AgentID) bool                                 { return a == b }
func (n *neighbours) Param(_ string, fallback int64) int64                       { return fallback }
func (n *neighbours) RecordMilestone(*world.Context, string)                     {}
func (n *neighbours) Storage(a wire.AgentID) uint64                              { return n.bought[a] }
func (n *neighbours) AddContribution(_ *world.Context, a wire.AgentID, _ uint64) { n.valued[a]++ }
func (n *neighbours) UsePair(_ *world.Context, _ world.PairClass, from, to wire.AgentID) bool {
	free := from != to && !n.pairs[[2]wire.AgentID{from, to}]
	n.pairs[[2]wire.AgentID{from, to}] = true
	return free
}

// lab is a Vault alone with its neighbours.
type lab struct {
	*Daemon
	t    testing.TB
	c    *world.Context
	n    *neighbours
	ids  []wire.AgentID
	msgs uint64
}

func newLab(t testing.TB) *lab {
	rules := &world.Rules{Calendar: wire.Calendar{TicksPerCycle: 256}, Population: 8}
	l := &lab{
		Daemon: New(rules), t: t, c: &world.Context{Rules: rules},
		n: &neighbours{
			keys: map[wire.AgentID]ed25519.PrivateKey{}, pairs: map[[2]wire.AgentID]bool{},
			valued: map[wire.AgentID]int{}, bought: map[wire.AgentID]uint64{},
		},
	}
	for i := range 4 {
		key := wire.AgentKey(wire.Hash{}, uint64(i+1))
		id := wire.IDOf(key.Public().(ed25519.PublicKey))
		l.ids, l.n.keys[id] = append(l.ids, id), key
	}
	l.Attach(&world.Siblings{Nexus: l.n, Mint: l.n})
	l.at(256)
	return l
}

func (l *lab) at(t wire.Tick) { l.c.Seat(t, 1); l.c.Events = nil }

// send has agent number a send a request in a tick of its own, signed as its runtime would.
func (l *lab) send(a int, req any) wire.Reply {
	l.at(l.c.Tick + 1)
	l.msgs++
	l.c.Source, l.c.Prepared = l.ids[a], nil
	binary.BigEndian.PutUint64(l.c.Msg[:], l.msgs)
	l.sign(a, req)
	for _, task := range l.Prepare(l.c.Tick, []world.Request{{Source: l.c.Source, Msg: l.c.Msg, Payload: req}}) {
		if missing := task.Reads(); len(missing) > 0 {
			l.t.Fatalf("%d contents are missing in a world without a store", len(missing))
		}
		l.c.Prepared = task.Run(world.Answer{})[0]
	}
	return l.Apply(l.c, req)
}

func (l *lab) sign(a int, req any) {
	me, key := l.ids[a], l.n.keys[l.ids[a]]
	switch q := req.(type) {
	case *wire.RepoCreate:
		q.Owner = me
		root := wire.EmptyTree
		if q.Root != nil {
			root = *q.Root
		} else if q.ForkOf != nil {
			root, _ = l.MainRoot(*q.ForkOf)
		}
		q.Sign(key, root)
	case *wire.SnapCreate:
		q.Author = me
		q.Sign(key)
	case *wire.TagCreate:
		q.Sign(key, me)
	case *wire.ObjectPut:
		q.Complete(me, key)
	}
}

// word is the reason of a refusal, empty for none.
func word(r wire.Reply) string {
	if r.Err == nil {
		return ""
	}
	return string(r.Err.Message)
}

var openToAll = wire.AccessPolicy{Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{Open: true}, Fork: true}

// files maps paths of one or two names to texts.
type files map[string]string

// objects are what a tree of files consists of.
func (f files) objects() (wire.Hash, *[]wire.InlineObject) {
	var out []wire.InlineObject
	put := func(t wire.ObjectType, data []byte) wire.Hash {
		out = append(out, wire.InlineObject{TypeTag: t, Data: data})
		return wire.ObjectID(t, data)
	}
	dirs := map[string]*wire.Tree{"": {}}
	for path, text := range f {
		dir, name := "", path
		for i := range path {
			if path[i] == '/' {
				dir, name = path[:i], path[i+1:]
			}
		}
		if dirs[dir] == nil {
			dirs[dir] = &wire.Tree{}
		}
		dirs[dir].Entries = append(dirs[dir].Entries, wire.TreeEntry{Key: []byte(name), Value: put(wire.ObjectAtom, []byte(text)), Kind: wire.TreeEntryKindAtom})
	}
	for dir, t := range dirs {
		if dir != "" {
			dirs[""].Entries = append(dirs[""].Entries, wire.TreeEntry{Key: []byte(dir), Value: put(wire.ObjectTree, treeData(t)), Kind: wire.TreeEntryKindTree})
		}
	}
	return put(wire.ObjectTree, treeData(dirs[""])), &out
}

// treeData sorts a tree and encodes it.
func treeData(t *wire.Tree) []byte {
	q := &wire.ObjectPut{TypeTag: wire.ObjectTree, Data: wire.TreeCodec.Append(nil, t)}
	q.Complete(wire.AgentID{}, nil)
	return q.Data
}

// repo makes a repo of agent 0 that all may write to.
func (l *lab) repo(name string, f files) wire.Hash {
	l.t.Helper()
	root, objects := f.objects()
	r := l.send(0, &wire.RepoCreate{Name: []byte(name), AccessPolicy: openToAll, Root: &root, Objects: objects})
	if r.Err != nil {
		l.t.Fatalf("no repo: %s %v", r.Err.Message, r.Err.Context)
	}
	return r.Body.(*wire.RepoCreateAck).RepoID
}

// snap commits files on parent.
func (l *lab) snap(repo, parent wire.Hash, f files) wire.Hash {
	l.t.Helper()
	root, objects := f.objects()
	r := l.send(0, &wire.SnapCreate{RepoID: repo, Parent: &parent, Root: root, Objects: objects})
	if r.Err != nil {
		l.t.Fatalf("no snap: %s %v", r.Err.Message, r.Err.Context)
	}
	return r.Body.(*wire.SnapCreateAck).SnapID
}
