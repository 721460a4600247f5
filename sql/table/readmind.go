package table

import (
	"bytes"
	"context"
	"slices"

	"kingdom/agent"
	"kingdom/wire"
)

// mindReader collects the rows of agents, of one or of all.
type mindReader struct {
	query Query
	at    map[wire.AgentID]*agent.Rows
	order []*agent.Rows // ascending by agent id once read is done
	ids   []wire.AgentID
}

func (m *mindReader) of(id []byte) *agent.Rows {
	a := wire.AgentID(id)
	r := m.at[a]
	if r == nil {
		r = new(agent.Rows)
		m.at[a] = r
		m.ids = append(m.ids, a)
	}
	return r
}

// read fills the reader; where names one agent by $1, or is empty for all. Rows
// of one agent come in the order of their ids.
func (m *mindReader) read(ctx context.Context, where string, args ...any) error {
	for _, part := range []func(context.Context, string, []any) error{m.memory, m.state, m.experiences, m.beliefs, m.plans, m.goals} {
		if err := part(ctx, where, args); err != nil {
			return err
		}
	}
	slices.SortFunc(m.ids, wire.AgentID.Compare)
	for _, id := range m.ids {
		m.order = append(m.order, m.at[id])
	}
	return nil
}

func (m *mindReader) memory(ctx context.Context, where string, args []any) error {
	var id, working, knowledge, peers []byte
	var at int64
	return m.query.each(ctx, `SELECT agent_id, working, knowledge, peer_model, updated_at FROM agent.agent_memory`+where, args,
		[]any{&id, &working, &knowledge, &peers, &at}, func() {
			m.of(id).Memory = &agent.MemoryRow{
				AgentID: wire.AgentID(id), Working: take(&working), Knowledge: take(&knowledge), PeerModel: take(&peers), UpdatedAt: wire.Tick(at),
			}
		})
}

func (m *mindReader) state(ctx context.Context, where string, args []any) error {
	var id, body []byte
	var at int64
	return m.query.each(ctx, `SELECT agent_id, body, updated_at FROM agent.state`+where, args,
		[]any{&id, &body, &at}, func() {
			m.of(id).State = &agent.StateRow{AgentID: wire.AgentID(id), Body: take(&body), UpdatedAt: wire.Tick(at)}
		})
}

func (m *mindReader) experiences(ctx context.Context, where string, args []any) error {
	const cols = `id, agent_id, tick, action, outcome, lesson`
	// One agent reads backwards along its index; all agents rank theirs in one pass.
	sql := `SELECT ` + cols + ` FROM agent.experiences WHERE agent_id = $1 ORDER BY tick DESC, id DESC LIMIT 512`
	if where == "" {
		sql = `SELECT ` + cols + ` FROM (SELECT ` + cols + `, row_number() OVER (PARTITION BY agent_id ORDER BY tick DESC, id DESC) AS place
			FROM agent.experiences) AS ranked WHERE place <= 512 ORDER BY agent_id, place`
	}
	var row, tick, outcome int64
	var id, action, lesson []byte
	err := m.query.each(ctx, sql, args, []any{&row, &id, &tick, &action, &outcome, &lesson}, func() {
		r := m.of(id)
		r.Experiences = append(r.Experiences, agent.ExperienceRow{
			ID: uint64(row), AgentID: wire.AgentID(id), Tick: wire.Tick(tick), Action: take(&action), Outcome: uint8(outcome), Lesson: take(&lesson),
		})
	})
	for _, r := range m.at {
		slices.Reverse(r.Experiences)
	}
	return err
}

func (m *mindReader) beliefs(ctx context.Context, where string, args []any) error {
	var row, formed, tested int64
	var id, claim, evidence []byte
	var confidence float64
	return m.query.each(ctx, `SELECT id, agent_id, claim, confidence, evidence, formed_at, last_tested FROM agent.beliefs`+where+` ORDER BY id`, args,
		[]any{&row, &id, &claim, &confidence, &evidence, &formed, &tested}, func() {
			r := m.of(id)
			r.Beliefs = append(r.Beliefs, agent.BeliefRow{
				ID: uint64(row), AgentID: wire.AgentID(id), Claim: take(&claim), Confidence: float32(confidence), Evidence: take(&evidence),
				FormedAt: wire.Tick(formed), LastTested: wire.Tick(tested),
			})
		})
}

// plans reads the living plans (DRAFT, ACTIVE) and the newest finished ones.
func (m *mindReader) plans(ctx context.Context, where string, args []any) error {
	const cols = `id, agent_id, goal_id, steps, dependencies, estimated_ticks, estimated_cost, risk_assessment, status`
	// Of one agent only the rows that are wanted are touched, each along the index
	// idx_plans_agent_status, however many plans it ever had. All agents are read once per
	// resume, in one pass.
	sql := `SELECT ` + cols + ` FROM agent.plans WHERE agent_id = $1 AND status < 2`
	for _, finished := range []string{"2", "3"} {
		sql += ` UNION ALL SELECT * FROM (SELECT ` + cols + ` FROM agent.plans WHERE agent_id = $1 AND status = ` + finished +
			` ORDER BY id DESC LIMIT 32) AS newest` + finished
	}
	if where == "" {
		sql = `SELECT ` + cols + ` FROM (SELECT ` + cols + `, row_number() OVER (PARTITION BY agent_id, status >= 2 ORDER BY id DESC) AS place
			FROM agent.plans) AS ranked WHERE status < 2 OR place <= 32`
	}
	sql += ` ORDER BY id`
	var row, ticks, cost, status int64
	var id, goal, steps, dependencies []byte
	var risk float64
	err := m.query.each(ctx, sql, args, []any{&row, &id, &goal, &steps, &dependencies, &ticks, &cost, &risk, &status}, func() {
		r := m.of(id)
		r.Plans = append(r.Plans, agent.PlanRow{
			ID: uint64(row), AgentID: wire.AgentID(id), GoalID: wire.Hash(goal), Steps: take(&steps), Dependencies: take(&dependencies),
			EstimatedTicks: uint64(ticks), EstimatedCost: uint64(cost), RiskAssessment: float32(risk), Status: uint8(status),
		})
	})
	for _, r := range m.at {
		r.Plans = newestFinished(r.Plans)
	}
	return err
}

// newestFinished drops all finished plans but the newest 32; plans ascend by id.
func newestFinished(plans []agent.PlanRow) []agent.PlanRow {
	finished := 0
	for i := len(plans) - 1; i >= 0; i-- {
		if plans[i].Status < 2 {
			continue
		}
		if finished++; finished > 32 {
			plans = slices.Delete(plans, i, i+1)
		}
	}
	return plans
}

// goals reads the living goals (PENDING, ACTIVE).
func (m *mindReader) goals(ctx context.Context, where string, args []any) error {
	cond := ` WHERE status < 2`
	if where != "" {
		cond = where + ` AND status < 2`
	}
	var layer, source, status, created int64
	var deadline *int64
	var row, id, description []byte
	var priority float64
	err := m.query.each(ctx, `SELECT id, agent_id, layer, source, description, priority, status, created_at, deadline FROM agent.goals`+cond, args,
		[]any{&row, &id, &layer, &source, &description, &priority, &status, &created, &deadline}, func() {
			g := agent.GoalRow{
				ID: wire.Hash(row), AgentID: wire.AgentID(id), Layer: uint8(layer), Source: uint8(source), Description: take(&description),
				Priority: priority, Status: uint8(status), CreatedAt: wire.Tick(created),
			}
			if deadline != nil {
				at := wire.Tick(*deadline)
				g.Deadline = &at
			}
			r := m.of(id)
			r.Goals = append(r.Goals, g)
		})
	for _, r := range m.at {
		slices.SortFunc(r.Goals, func(a, b agent.GoalRow) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	}
	return err
}
