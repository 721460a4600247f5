package sqltest

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/wire"
)

// moment is an agent at the end of some cycle.
type moment struct {
	id    wire.AgentID
	whole agent.Rows // as LoadAgent gave it
	part  agent.Rows // as LoadLiving did
	where []byte
}

// living is what stores have that keep the past by cycle.
type living interface {
	LoadLiving(ctx context.Context, id wire.AgentID) (agent.Rows, []byte, error)
	Recall(ctx context.Context, id wire.AgentID, where []byte) (agent.Rows, error)
}

func look(t *testing.T, s engine.Store, id wire.AgentID) moment {
	t.Helper()
	m := moment{id: id}
	var err error
	m.whole, err = s.LoadAgent(t.Context(), id)
	must(t, err)
	if l, ok := s.(living); ok {
		m.part, m.where, err = l.LoadLiving(t.Context(), id)
		must(t, err)
	}
	return m
}

// check recalls the moment when many cycles have passed.
func (m *moment) check(t *testing.T, s engine.Store) {
	t.Helper()
	l, ok := s.(living)
	if !ok {
		return
	}
	got := m.part
	if m.where != nil {
		if len(got.Experiences) > 0 || slices.ContainsFunc(got.Plans, func(p agent.PlanRow) bool { return p.Status >= 2 }) {
			t.Errorf("%v: %d experiences and the plans %v are not left out", m.id, len(got.Experiences), got.Plans)
		}
		old, err := l.Recall(t.Context(), m.id, m.where)
		must(t, err)
		got.Experiences, got.Plans = old.Experiences, append(old.Plans, got.Plans...)
		slices.SortFunc(got.Plans, func(a, b agent.PlanRow) int { return cmp.Compare(a.ID, b.ID) })
	}
	same(t, "agent of then", m.whole, got)
}
