package vault

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// siblings of a lab: everybody exists, nobody is kin unless a test says so, every pair is free once.
type neighbours struct {
	world.Nexus
	world.Mint
	keys       map[wire.AgentID]ed25519.PrivateKey
	pairs      map[[2]wire.AgentID]bool
	valued     map[wire.AgentID]int
	bought     map[wire.AgentID]uint64
	kin        map[[2]wire.AgentID]bool
	params     map[string]int64 // by vote
	milestones []string
	noted      []world.Reward
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

func (n *neighbours) Param(name string, fallback int64) int64 {
	if v, ok := n.params[name]; ok {
		return v
	}
	return fallback
}

func (n *neighbours) RecordMilestone(_ *world.Context, name string) {
	n.milestones = append(n.milestones, name)
}

func (n *neighbours) Kin(a, b wire.AgentID) bool { return a == b || n.kin[[2]wire.AgentID{a, b}] }

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

	rows   []world.Row              // written so far
	stored map[wire.RecordID][]byte // what a restored Vault reads from the store
}

func newLab(t testing.TB) *lab {
	rules := &world.Rules{Calendar: wire.Calendar{TicksPerCycle: 256}, Population: 8}
	l := &lab{
		Daemon: New(), t: t, c: &world.Context{Rules: rules},
		n: &neighbours{
			keys: map[wire.AgentID]ed25519.PrivateKey{}, pairs: map[[2]wire.AgentID]bool{},
			valued: map[wire.AgentID]int{}, bought: map[wire.AgentID]uint64{},
			kin: map[[2]wire.AgentID]bool{}, params: map[string]int64{},
		},
	}
	l.crowd(4)
	l.Attach(&world.Siblings{Nexus: l.n, Mint: l.n})
	l.at(256)
	return l
}

// crowd brings the number of agents up to n.
func (l *lab) crowd(n int) {
	for i := len(l.ids); i < n; i++ {
		key := wire.AgentKey(wire.Hash{}, uint64(i+1))
		id := wire.IDOf(key.Public().(ed25519.PublicKey))
		l.ids, l.n.keys[id] = append(l.ids, id), key
	}
}

func (l *lab) at(t wire.Tick) { l.c.Seat(t, 1); l.c.Events, l.c.Prepared = nil, nil }

// send has agent number a send a request in a tick of its own, signed as its runtime would.
func (l *lab) send(a int, req any) wire.Reply {
	l.at(l.c.Tick + 1)
	l.msgs++
	l.c.Source, l.c.Prepared = l.ids[a], nil
	binary.BigEndian.PutUint64(l.c.Msg[:], l.msgs)
	l.sign(a, req)
	for _, task := range l.Prepare(l.c.Tick, []world.Request{{Source: l.c.Source, Msg: l.c.Msg, Payload: req}}) {
		if task.Reads != nil {
			for missing := task.Reads(); len(missing) > 0; missing = task.Reads() {
				l.fill(missing)
			}
		}
		l.c.Prepared = task.Run(world.Answer{})[0]
	}
	r := l.Apply(l.c, req)
	l.fill(r.Missing)
	r.Missing = nil
	return r
}

// fill reads what is not in memory from the store.
func (l *lab) fill(missing []wire.Missing) {
	l.t.Helper()
	for _, m := range missing {
		record, ok := l.stored[m.Record]
		if !ok {
			l.t.Fatalf("the store has no record %v", m.Record)
		}
		if err := m.Fill(record); err != nil {
			l.t.Fatal(err)
		}
	}
}

// restored returns a lab whose Vault was restored from the rows that this one wrote. Contents of objects are in the
// store alone.
func (l *lab) restored() *lab {
	l.t.Helper()
	hash := l.State().Hash()
	l.rows = append(l.rows, l.State().TakeRows()...)
	c := *l.c
	c.Events, c.Deliveries = nil, nil
	n := *l.n
	n.pairs, n.valued, n.bought = maps.Clone(l.n.pairs), maps.Clone(l.n.valued), maps.Clone(l.n.bought)
	two := &lab{Daemon: New(), t: l.t, c: &c, n: &n, ids: l.ids, msgs: l.msgs, rows: slices.Clone(l.rows), stored: map[wire.RecordID][]byte{}}
	two.Attach(&world.Siblings{Nexus: two.n, Mint: two.n, Proofs: l.store.proofs})
	load := func(r world.Row) {
		if err := two.State().Load(r); err != nil {
			l.t.Fatal(err)
		}
	}
	for _, r := range l.State().All() {
		load(r)
	}
	for _, r := range l.rows {
		switch {
		case r.Chain && two.State().Needs(r.Table):
			load(r)
		case r.Chain:
			two.stored[wire.RecordID{System: r.System, Table: r.Table, Number: binary.BigEndian.Uint64(r.Key)}] = r.Body
		}
	}
	for _, h := range l.State().Heads() {
		if err := two.State().SetHead(h); err != nil {
			l.t.Fatal(err)
		}
	}
	two.Restored()
	if got := two.State().FinishRestore(); got != hash {
		l.t.Fatalf("the restored state hashes to %v, want %v", got, hash)
	}
	return two
}

// told are the kinds and payloads of the events of the last request.
func (l *lab) told() (out []any) {
	for _, e := range l.c.Events {
		out = append(out, e.Kind, e.Payload)
	}
	return out
}

// must sends a request that succeeds and returns the body of its reply.
func must[T any](l *lab, a int, req any) T {
	l.t.Helper()
	r := l.send(a, req)
	if r.Err != nil {
		l.t.Fatalf("%T: %s %v", req, r.Err.Message, r.Err.Context)
	}
	body, ok := r.Body.(T)
	if !ok {
		l.t.Fatalf("%T is answered with %T", req, r.Body)
	}
	return body
}

// ack sends a request that succeeds.
func (l *lab) ack(a int, req any) {
	l.t.Helper()
	if r := l.send(a, req); r.Err != nil {
		l.t.Fatalf("%T: %s %v", req, r.Err.Message, r.Err.Context)
	}
}

// refused sends a request that is refused, and checks its category, reason and context, and that nothing changed.
func (l *lab) refused(a int, req any, cat wire.Category, want string) {
	l.t.Helper()
	before := l.State().Hash()
	r := l.send(a, req)
	if r.Err == nil {
		l.t.Errorf("%T is not refused, want %s", req, want)
		return
	}
	got := string(r.Err.Message)
	for _, x := range r.Err.Context {
		got += fmt.Sprintf(" %s=%s", x.Key, x.Value)
	}
	if got != want || r.Err.Category != cat.String() || l.State().Hash() != before || len(l.c.Events) > 0 {
		l.t.Errorf("%T: %v %s with %d events, want %v %s and nothing changed", req, r.Err.Category, got, len(l.c.Events), cat, want)
	}
}

// atoms are n entries of a directory, in order, whose names have at least a length. What they stand for is not stored.
func atoms(n, length int, prefix string, value byte) (out []wire.TreeEntry) {
	for i := range n {
		key := fmt.Appendf(nil, "%s%04d", prefix, i)
		key = append(key, bytes.Repeat([]byte{'x'}, max(0, length-len(key)))...)
		out = append(out, wire.TreeEntry{Key: key, Value: wire.Hash{value, 1}, Kind: wire.TreeEntryKindAtom})
	}
	return out
}

// commitTree commits a tree of these entries on parent.
func (l *lab) commitTree(repo, parent wire.Hash, entries []wire.TreeEntry) wire.Hash {
	l.t.Helper()
	data := wire.TreeCodec.Append(nil, &wire.Tree{Entries: entries})
	return must[*wire.SnapCreateAck](l, 0, &wire.SnapCreate{
		RepoID: repo, Parent: &parent, Root: wire.ObjectID(wire.ObjectTree, data), Objects: &[]wire.InlineObject{{TypeTag: wire.ObjectTree, Data: data}},
	}).SnapID
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

// files maps paths, with / between their names, to texts.
type files map[string]string

// objects are what a tree of files consists of.
func (f files) objects() (wire.Hash, *[]wire.InlineObject) {
	var out []wire.InlineObject
	return f.tree(&out), &out
}

func (f files) tree(out *[]wire.InlineObject) wire.Hash {
	put := func(t wire.ObjectType, data []byte) wire.Hash {
		*out = append(*out, wire.InlineObject{TypeTag: t, Data: data})
		return wire.ObjectID(t, data)
	}
	t, dirs := &wire.Tree{}, map[string]files{}
	for path, text := range f {
		name, rest, inside := strings.Cut(path, "/")
		if !inside {
			t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte(name), Value: put(wire.ObjectAtom, []byte(text)), Kind: wire.TreeEntryKindAtom})
			continue
		}
		if dirs[name] == nil {
			dirs[name] = files{}
		}
		dirs[name][rest] = text
	}
	for name, below := range dirs {
		t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte(name), Value: below.tree(out), Kind: wire.TreeEntryKindTree})
	}
	return put(wire.ObjectTree, treeData(t))
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
