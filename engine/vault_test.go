package engine

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

// coder is a mind that keeps a repo: it commits, merges, compares and reads old files. What it
// answers follows from agent and tick, since it can work out all ids itself.
type coder struct {
	seed wire.Hash
	n    uint64 // agents
	mu   sync.Mutex
	seen map[wire.AgentID]*shelfOf
}

// shelfOf is what one agent of a coder has stored so far.
type shelfOf struct {
	key  uint64 // spawn index
	repo wire.Hash
	main []wire.Hash // snaps one after the other, by round
	docs []wire.Hash // snaps on the first, by round
}

func (c *coder) Recomputable(wire.Cycle) bool { return true }

func (c *coder) Think(_ context.Context, p *llm.Prompt) (llm.Thought, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, params := c.step(p.ID, int(p.Tick-128)/8)
	return llm.Thought{Outcome: llm.Answered, Text: fmt.Appendf(nil, `{"action":%q,"params":%s,"reasoning":"as planned"}`, name, params)}, nil
}

func common(round int) string { return fmt.Sprintf(`"lib/common":"shared","lib/old":"%d"`, round) }

func (c *coder) step(a wire.AgentID, n int) (name, params string) {
	s := c.of(a, n/8)
	round := n / 8
	switch {
	case n == 0:
		return "repo_create", s.create()
	case n%8 == 0:
		return "delta_compute", fmt.Sprintf(`{"base":%q,"target":%q}`, s.main[0], s.main[round-1])
	case n%8 == 2:
		return "snap_create", s.mainParams(round)
	case n%8 == 3:
		return "snap_create", s.docsParams(round)
	case n%8 == 4:
		return "merge", fmt.Sprintf(`{"base":%q,"left":%q,"right":%q}`, s.repo, s.main[round], s.docs[round])
	}
	return "object_get", fmt.Sprintf(`{"object_id":%q}`, wire.ObjectID(wire.ObjectAtom, fmt.Append(nil, max(0, round-8))))
}

func (s *shelfOf) create() string {
	return `{"name":"mine","message":"first","files":{"main":"start",` + common(0) + `}}`
}

func (s *shelfOf) mainParams(round int) string {
	parent := s.repo
	if round > 0 {
		parent = s.main[round-1]
	}
	return fmt.Sprintf(`{"repo_id":%q,"parent":%q,"message":"main %d","files":{"main":"%d",%s}}`, s.repo, parent, round, round, common(round))
}

func (s *shelfOf) docsParams(round int) string {
	return fmt.Sprintf(`{"repo_id":%q,"parent":%q,"message":"docs %d","files":{"main":"start","doc":"%d",%s}}`, s.repo, s.repo, round, round, common(0))
}

// of works out what a has made up to a round.
func (c *coder) of(a wire.AgentID, round int) *shelfOf {
	s := c.seen[a]
	if s == nil {
		s = &shelfOf{}
		for i := uint64(1); i <= c.n; i++ {
			if wire.AgentIDAt(c.seed, i) == a {
				s.key = i
			}
		}
		s.repo = c.id(s, a, "repo_create", s.create())
		c.seen[a] = s
	}
	for len(s.main) <= round {
		i := len(s.main)
		s.main = append(s.main, c.id(s, a, "snap_create", s.mainParams(i)))
		s.docs = append(s.docs, c.id(s, a, "snap_create", s.docsParams(i)))
	}
	return s
}

// id is that of the snap that a request makes.
func (c *coder) id(s *shelfOf, a wire.AgentID, name, params string) wire.Hash {
	row, _ := action.ByName(name)
	payload, err := row.FromJSON([]byte(params), nil)
	if err != nil {
		panic(err)
	}
	key := wire.AgentKey(c.seed, s.key)
	var snap wire.Snap
	switch q := payload.(type) {
	case *wire.RepoCreate:
		q.Owner = a
		q.Sign(key, *q.Root)
		snap = q.Snap(*q.Root)
	case *wire.SnapCreate:
		q.Author = a
		q.Sign(key)
		snap = q.Snap()
	}
	return wire.ObjectID(wire.ObjectSnap, wire.SnapCodec.Append(nil, &snap))
}

// merges counts them.
type merges struct{ n int }

func (m *merges) Commit(c *Commit) {
	for _, e := range c.Events {
		if e.Kind == wire.KindMergeCompleted {
			m.n++
		}
	}
}
func (m *merges) Cycle(*CycleReport) {}

// A population that programs ends the same with and without a store, killed after any cycle and resumed, and replayed:
// by then the store holds what it merges and reads.
func TestResume_ReposAndMergesAfterCrash(t *testing.T) {
	const cycles, agents = 7, 3
	cfg := func() Config { return testConfig("42", agents) }
	mind := func() *coder {
		return &coder{seed: cfg().Rules.Seed, n: agents, seen: map[wire.AgentID]*shelfOf{}}
	}
	var done merges
	want := mustRun(t, cfg(), Options{Mind: mind(), Observers: []Observer{&done}}, cycles)
	if rounds := 2 * cycles; done.n != rounds*agents {
		t.Fatalf("%d merges, want %d", done.n, rounds*agents)
	}

	store, dir := newMemStore(), t.TempDir()
	var stores []*memStore
	var dirs []string
	store.ended = func(wire.Cycle) {
		store.mu.Unlock()
		stores = append(stores, store.copy())
		store.mu.Lock()
		dirs = append(dirs, copyDir(t, dir))
	}
	if got := mustRun(t, cfg(), Options{Dir: dir, Store: store, Mind: mind()}, cycles); got != want {
		t.Fatalf("with a store: got %+v, want %+v", got, want)
	}
	for i := range stores {
		e, err := Resume(t.Context(), cfg(), Options{Dir: dirs[i], Store: stores[i], Mind: mind()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), cycles); err != nil {
			t.Fatal(err)
		}
		if got := resultOf(e); got != want {
			t.Errorf("from cycle %d: got %+v, want %+v", i, got, want)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Replay(t.Context(), cfg(), ReplayOptions{Dir: dir, Store: store, Mind: mind()}); err != nil {
		t.Error(err)
	}
}
