package table

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kingdom/agent"
	"kingdom/wire"
	"kingdom/world"
)

// Past has the rows of agents that a store keeps outside of their tables.
type Past interface {
	// Experiences are the newest [agent.RestoredExperiences] of an agent, ascending by id.
	Experiences(ctx context.Context, id wire.AgentID) ([]agent.ExperienceRow, error)
	// EndedPlans are the newest [agent.RestoredPlans] by id of the plans that an agent has ended.
	EndedPlans(ctx context.Context, id wire.AgentID) ([]agent.PlanRow, error)
	// Bundled puts in what an agent has of tables that change, as far as the store does not keep that in the tables: it takes
	// the place of what these have.
	Bundled(ctx context.Context, id wire.AgentID, r *agent.Rows) error
	// Plain is a column of a memory or a state as it is unpacked.
	Plain(ctx context.Context, b []byte) ([]byte, error)
	// Record unpacks the body of a record of the world that changes.
	Record(ctx context.Context, r *world.Row) error
}

// mindReader collects the rows of agents, of one or of all.
type mindReader struct {
	query   Query
	past    Past // nil: the tables hold all
	byAgent map[wire.AgentID]*agent.Rows
	order   []*agent.Rows // ascending by agent id once read is done
	ids     []wire.AgentID
}

func (m *mindReader) rowsOf(a wire.AgentID) *agent.Rows {
	r := m.byAgent[a]
	if r == nil {
		r = new(agent.Rows)
		m.byAgent[a] = r
		m.ids = append(m.ids, a)
	}
	return r
}

// read fills the reader; where names one agent by $1, or is empty for all. Rows
// of one agent come in the order of their ids.
func (m *mindReader) read(ctx context.Context, where string, args ...any) error {
	for _, part := range []func(context.Context, string, []any) error{m.memory, m.changes, m.state, m.experiences, m.beliefs, m.plans, m.goals} {
		if err := part(ctx, where, args); err != nil {
			return err
		}
	}
	slices.SortFunc(m.ids, wire.AgentID.Compare)
	if err := m.readPast(ctx); err != nil {
		return err
	}
	for _, id := range m.ids {
		m.order = append(m.order, m.byAgent[id])
	}
	return nil
}

func (m *mindReader) memory(ctx context.Context, where string, args []any) error {
	var err error
	rerr := Memory.read(ctx, m.query, where, args, func(r agent.MemoryRow) {
		m.unpack(ctx, &err, &r.Knowledge)
		m.unpack(ctx, &err, &r.PeerModel)
		m.rowsOf(r.AgentID).Memory = &r
	})
	return cmp.Or(rerr, err)
}

// changes reads those after the memory row, which is there already.
func (m *mindReader) changes(ctx context.Context, where string, args []any) error {
	var err error
	rerr := Changes.read(ctx, m.query, where+` ORDER BY agent_id, number`, args, func(r agent.ChangesRow) {
		if of := m.rowsOf(r.AgentID); of.Memory != nil && of.Memory.UpdatedAt == r.Since {
			m.unpack(ctx, &err, &r.Body)
			of.Changes = append(of.Changes, r)
		}
	})
	return cmp.Or(rerr, err)
}

// unpack unpacks a column, unless err already holds an error.
func (m *mindReader) unpack(ctx context.Context, err *error, b *[]byte) {
	if m.past == nil || *err != nil {
		return
	}
	if *b, *err = m.past.Plain(ctx, *b); *err != nil {
		*err = fmt.Errorf("read what an agent remembers: %w", *err)
	}
}

func (m *mindReader) state(ctx context.Context, where string, args []any) error {
	var err error
	rerr := State.read(ctx, m.query, where, args, func(r agent.StateRow) {
		m.unpack(ctx, &err, &r.Body)
		m.rowsOf(r.AgentID).State = &r
	})
	return cmp.Or(rerr, err)
}

// readPast adds the rows that the store keeps outside of the tables.
func (m *mindReader) readPast(ctx context.Context) error {
	if m.past == nil {
		return nil
	}
	for _, id := range m.ids {
		r := m.byAgent[id]
		if err := m.past.Bundled(ctx, id, r); err != nil {
			return err
		}
		plans, err := m.past.EndedPlans(ctx, id)
		if err != nil {
			return err
		}
		r.Plans = append(r.Plans, plans...)
		slices.SortFunc(r.Plans, func(a, b agent.PlanRow) int { return cmp.Compare(a.ID, b.ID) })
		if r.Experiences, err = m.past.Experiences(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (m *mindReader) experiences(ctx context.Context, where string, args []any) error {
	if m.past != nil {
		return nil
	}
	got := func(r agent.ExperienceRow) {
		of := m.rowsOf(r.AgentID)
		of.Experiences = append(of.Experiences, r)
	}
	var err error
	if where != "" { // backwards along the agent's index
		err = Experiences.read(ctx, m.query, where+fmt.Sprintf(` ORDER BY tick DESC, id DESC LIMIT %d`, agent.RestoredExperiences), args, got)
	} else { // all agents' are ranked in one pass
		cols := Experiences.Names()
		err = Experiences.scan(ctx, m.query, fmt.Sprintf(`SELECT %[1]s FROM (SELECT %[1]s, row_number() OVER (PARTITION BY agent_id ORDER BY tick DESC, id DESC) AS place
			FROM agent.experiences) AS ranked WHERE place <= %[2]d ORDER BY agent_id, place`, cols, agent.RestoredExperiences), nil, got)
	}
	for _, r := range m.byAgent {
		slices.Reverse(r.Experiences)
	}
	return err
}

// beliefs finds those of one agent by their ids, which begin with its place among the agents, so that they need no index of their own.
func (m *mindReader) beliefs(ctx context.Context, where string, args []any) error {
	if where != "" {
		where = `WHERE id >= (SELECT spawn_index FROM nexus.agents WHERE id = $1) * 4294967296 AND id < (SELECT spawn_index + 1 FROM nexus.agents WHERE id = $1) * 4294967296`
	}
	return Beliefs.read(ctx, m.query, where+` ORDER BY id`, args, func(r agent.BeliefRow) {
		of := m.rowsOf(r.AgentID)
		of.Beliefs = append(of.Beliefs, r)
	})
}

// plans reads the living plans (DRAFT, ACTIVE) and the newest finished ones.
func (m *mindReader) plans(ctx context.Context, where string, args []any) error {
	got := func(r agent.PlanRow) {
		of := m.rowsOf(r.AgentID)
		of.Plans = append(of.Plans, r)
	}
	cols := Plans.Names()
	var err error
	switch {
	case m.past != nil:
		living := `WHERE`
		if where != "" {
			living = where + ` AND`
		}
		return Plans.read(ctx, m.query, living+` status < 2 ORDER BY id`, args, got)
	case where != "":
		// Only the rows that are wanted are touched, each along idx_plans_agent_status,
		// however many plans the agent ever had: this is what a snapshot costs.
		sql := `SELECT ` + cols + ` FROM agent.plans ` + where + ` AND status < 2`
		for _, finished := range []string{"2", "3"} {
			sql += fmt.Sprintf(` UNION ALL SELECT * FROM (SELECT %[1]s FROM agent.plans %[2]s AND status = %[3]s ORDER BY id DESC LIMIT %[4]d) AS newest%[3]s`,
				cols, where, finished, agent.RestoredPlans)
		}
		err = Plans.scan(ctx, m.query, sql+` ORDER BY id`, args, got)
	default:
		err = Plans.scan(ctx, m.query, fmt.Sprintf(`SELECT %[1]s FROM (SELECT %[1]s, row_number() OVER (PARTITION BY agent_id, status >= 2 ORDER BY id DESC) AS place
			FROM agent.plans) AS ranked WHERE status < 2 OR place <= %[2]d ORDER BY id`, cols, agent.RestoredPlans), nil, got)
	}
	for _, r := range m.byAgent {
		r.Plans = newestFinished(r.Plans)
	}
	return err
}

// newestFinished drops all finished plans but the newest [agent.RestoredPlans]; plans ascend by id.
func newestFinished(plans []agent.PlanRow) []agent.PlanRow {
	finished := 0
	for i := len(plans) - 1; i >= 0; i-- {
		if plans[i].Status < 2 {
			continue
		}
		if finished++; finished > agent.RestoredPlans {
			plans = slices.Delete(plans, i, i+1)
		}
	}
	return plans
}

// goals reads the living goals (PENDING, ACTIVE).
func (m *mindReader) goals(ctx context.Context, where string, args []any) error {
	cond := `WHERE status < 2`
	if where != "" {
		cond = where + ` AND status < 2`
	}
	err := Goals.read(ctx, m.query, cond, args, func(r agent.GoalRow) {
		of := m.rowsOf(r.AgentID)
		of.Goals = append(of.Goals, r)
	})
	for _, r := range m.byAgent {
		slices.SortFunc(r.Goals, func(a, b agent.GoalRow) int { return a.ID.Compare(b.ID) })
	}
	return err
}
