package sqlite

import (
	"context"
	"fmt"

	"kingdom/agent"
	"kingdom/sql/history"
	"kingdom/wire"
)

// LoadLiving reads what is stored of one agent like LoadAgent, but without experiences and ended plans, which the
// history keeps for ever. Given where, Recall later returns them as they are now, whatever the agent has done since.
// If the store has no compressed history, everything is read and where is nil.
func (s *Store) LoadLiving(ctx context.Context, id wire.AgentID) (r agent.Rows, where []byte, err error) {
	if !s.hasHistory {
		r, err = s.LoadAgent(ctx, id)
		return r, nil, err
	}
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return agent.Rows{}, nil, s.named(fmt.Errorf("load agent %v: %w", id, err))
	}
	defer tx.Rollback()
	if r, err = s.prepared.in(tx).LoadAgent(ctx, id, withoutPast{packedReader{&s.mindArchive, tx}}); err != nil {
		return agent.Rows{}, nil, s.named(err)
	}
	w, err := readWindow(ctx, tx, id)
	if err != nil {
		return agent.Rows{}, nil, s.named(fmt.Errorf("load agent %v: %w", id, err))
	}
	return r, w.Append(nil), nil
}

// Recall reads the experiences and ended plans from which [agent.Restore] restores an agent, as they were when LoadLiving
// returned where.
func (s *Store) Recall(ctx context.Context, id wire.AgentID, where []byte) (agent.Rows, error) {
	w, err := history.ReadWindow(where)
	if err != nil {
		return agent.Rows{}, fmt.Errorf("recall the past of agent %v: %w", id, err)
	}
	p := past{packedReader: packedReader{&s.archive, s.prepared}}
	var r agent.Rows
	if r.Experiences, err = p.experiences(ctx, id, w); err == nil {
		r.Plans, err = p.endedPlans(ctx, id, w)
	}
	if err != nil {
		return agent.Rows{}, s.named(fmt.Errorf("recall the past of agent %v: %w", id, err))
	}
	return r, nil
}

// withoutPast is a past of which nothing is read.
type withoutPast struct{ packedReader }

func (withoutPast) Experiences(context.Context, wire.AgentID) ([]agent.ExperienceRow, error) {
	return nil, nil
}

func (withoutPast) EndedPlans(context.Context, wire.AgentID) ([]agent.PlanRow, error) {
	return nil, nil
}
