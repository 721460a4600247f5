package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"kingdom/agent"
	"kingdom/wire"
	"kingdom/world"
)

// place names a table of world state.
type place struct {
	system wire.System
	table  string
}

// memStore keeps a world in memory.
type memStore struct {
	mu     sync.Mutex
	run    RunRow
	cycles []CycleRow
	rows   map[string]world.Row
	chains map[place][]world.Row
	heads  []world.Head
	minds  delta
	events []*wire.Event
	fail   func(c wire.Cycle) error // asked before each commit; may be nil
	ended  func(c wire.Cycle)       // called after each commit; may be nil
}

func newMemStore() *memStore {
	return &memStore{rows: map[string]world.Row{}, chains: map[place][]world.Row{}, minds: delta{}}
}

func (m *memStore) CommitCycle(ctx context.Context, b *Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		if err := m.fail(b.Cycle.Cycle); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(m.cycles) > 0 && m.cycles[len(m.cycles)-1].Cycle+1 != b.Cycle.Cycle {
		return fmt.Errorf("commit cycle %d after %d", b.Cycle.Cycle, m.cycles[len(m.cycles)-1].Cycle)
	}
	m.run, m.heads = b.Run, b.Heads
	m.cycles = append(m.cycles, b.Cycle)
	for _, r := range b.Rows {
		p := place{r.System, r.Table}
		switch key := fmt.Sprintf("%d/%s/%x", r.System, r.Table, r.Key); {
		case r.Chain:
			m.chains[p] = append(m.chains[p], r)
		case r.Body == nil:
			delete(m.rows, key)
		default:
			m.rows[key] = r
		}
	}
	for i := range b.Minds {
		rows := whole(b, i)
		id := mindID(&rows)
		m.minds.add(id, &rows)
		compact(m.minds[id])
	}
	m.events = append(m.events, b.Events...)
	if m.ended != nil {
		m.ended(b.Cycle.Cycle)
	}
	return nil
}

func mindID(r *agent.Rows) wire.AgentID {
	switch {
	case r.State != nil:
		return r.State.AgentID
	case r.Memory != nil:
		return r.Memory.AgentID
	case len(r.Goals) > 0:
		return r.Goals[0].AgentID
	case len(r.Experiences) > 0:
		return r.Experiences[0].AgentID
	case len(r.Plans) > 0:
		return r.Plans[0].AgentID
	}
	return r.Beliefs[0].AgentID
}

func (m *memStore) Load(context.Context) (*Image, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.cycles) == 0 {
		return nil, nil
	}
	img := &Image{Run: m.run, Cycle: m.cycles[len(m.cycles)-1], Heads: m.heads}
	for _, r := range m.rows {
		img.Rows = append(img.Rows, r)
	}
	for _, id := range sortedIDs(m.minds) {
		img.Minds = append(img.Minds, clone(m.minds[id]))
	}
	return img, nil
}

func clone(r *agent.Rows) agent.Rows {
	c := *r
	c.Experiences, c.Beliefs, c.Plans, c.Goals = slices.Clone(r.Experiences), slices.Clone(r.Beliefs), slices.Clone(r.Plans), slices.Clone(r.Goals)
	return c
}

func (m *memStore) LoadAgent(_ context.Context, id wire.AgentID) (agent.Rows, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return clone(m.minds[id]), nil
}

func (m *memStore) ChainRows(_ context.Context, s wire.System, table string, from, to uint64, each func(world.Row) error) error {
	m.mu.Lock()
	rows := m.chains[place{s, table}]
	n := uint64(len(rows))
	rows = slices.Clone(rows[min(from, n):min(to, n)])
	m.mu.Unlock()
	for _, r := range rows {
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

func (m *memStore) Cycles(_ context.Context, from, to wire.Cycle) ([]CycleRow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []CycleRow
	for _, c := range m.cycles {
		if from <= c.Cycle && c.Cycle <= to {
			out = append(out, c)
		}
	}
	return out, nil
}

func (m *memStore) Close() error { return nil }

// copy is the store as a crash would leave it.
func (m *memStore) copy() *memStore {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := newMemStore()
	c.run, c.heads, c.cycles = m.run, m.heads, slices.Clone(m.cycles)
	for k, v := range m.rows {
		c.rows[k] = v
	}
	for k, v := range m.chains {
		c.chains[k] = slices.Clone(v)
	}
	for k, v := range m.minds {
		r := clone(v)
		c.minds[k] = &r
	}
	return c
}
