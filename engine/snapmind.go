package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kingdom/agent"
	"kingdom/wire"
)

// snapMindRecord holds the rows of an agent in a snapshot.
type snapMindRecord struct {
	Agent       wire.AgentID          `kdom:"agent"`
	Memory      *agent.MemoryRow      `kdom:"memory"`
	Changes     []agent.ChangesRow    `kdom:"changes,opt"` // after memory
	State       *agent.StateRow       `kdom:"state"`
	Experiences []agent.ExperienceRow `kdom:"experiences"`
	Beliefs     []agent.BeliefRow     `kdom:"beliefs"`
	Plans       []agent.PlanRow       `kdom:"plans"`
	Goals       []agent.GoalRow       `kdom:"goals"`
	// Past says where the store has the experiences and ended plans that are left out here; nil: none are.
	Past []byte `kdom:"past,opt"`
}

// historyStore is a store that keeps the experiences and ended plans of agents as they were at earlier cycles. Snapshots
// leave these out.
type historyStore interface {
	// LoadLiving is LoadAgent without experiences and ended plans, and what Recall needs to give them
	// as they are now; nil where nothing is left out.
	LoadLiving(ctx context.Context, id wire.AgentID) (r agent.Rows, where []byte, err error)
	// Recall reads what a call of LoadLiving left out.
	Recall(ctx context.Context, id wire.AgentID, where []byte) (agent.Rows, error)
}

// readMind reads an agent for a snapshot.
func readMind(ctx context.Context, from Store, id wire.AgentID) (snapMindRecord, error) {
	var rows agent.Rows
	var where []byte
	var err error
	if db, ok := from.(historyStore); ok {
		rows, where, err = db.LoadLiving(ctx, id)
	} else {
		rows, err = from.LoadAgent(ctx, id)
	}
	m := newSnapMind(id, &rows)
	m.Past = where
	return m, err
}

// recall adds the rows that the snapshot leaves out to its agents.
func (f *snapFile) recall(ctx context.Context, db Store) error {
	for i, m := range f.omissions {
		if m.where == nil {
			continue
		}
		keeper, ok := db.(historyStore)
		if !ok {
			return fmt.Errorf("read snapshot of cycle %d: it has no experiences of agent %v, which are in the store of its run, and the given store does not keep them; open the run with its own store", f.img.Cycle.Cycle, m.agent)
		}
		old, err := keeper.Recall(ctx, m.agent, m.where)
		if err != nil {
			return fmt.Errorf("read snapshot of cycle %d: %w", f.img.Cycle.Cycle, err)
		}
		r := &f.img.Minds[i]
		r.Experiences = append(old.Experiences, r.Experiences...)
		r.Plans = append(r.Plans, old.Plans...)
		slices.SortFunc(r.Plans, func(a, b agent.PlanRow) int { return cmp.Compare(a.ID, b.ID) })
	}
	return nil
}

func newSnapMind(id wire.AgentID, r *agent.Rows) snapMindRecord {
	return snapMindRecord{
		Agent: id, Memory: r.Memory, Changes: r.Changes, State: r.State, Experiences: r.Experiences, Beliefs: r.Beliefs, Plans: r.Plans, Goals: r.Goals,
	}
}

func (m *snapMindRecord) rows() agent.Rows {
	return agent.Rows{
		Memory: m.Memory, Changes: m.Changes, State: m.State, Experiences: m.Experiences, Beliefs: m.Beliefs, Plans: m.Plans, Goals: m.Goals,
	}
}
