package engine

import (
	"context"
	"fmt"
	"math"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/world"
)

// Runtime lets an operator or a test work with single agents of an engine. Its methods may be called from any
// goroutine and return copies. Tick and RunCycle need a stopped engine.
type Runtime struct{ e *Engine }

// Runtime gives access to single agents.
func (e *Engine) Runtime() Runtime { return Runtime{e} }

func notFound(id wire.AgentID) error { return &agent.Error{Kind: agent.KindNotFound, Agent: id} }
func dead(id wire.AgentID) error     { return &agent.Error{Kind: agent.KindDead, Agent: id} }

// DefaultFund is the money of a new agent, in ⚡, if its spawn request names none.
const DefaultFund = world.MinFund

// Spawn asks for a new agent and waits for the boundary at which it is created. The fund (at least 50 ⚡; 0 means
// [DefaultFund]) is paid by the parent, or without a parent by the treasury as far as it can. If the population has
// reached its cap (scenario value spawn.cap), Spawn fails with a [*RefusedError].
func (r Runtime) Spawn(ctx context.Context, g wire.Genome, fund uint64, parent *wire.AgentID) (wire.AgentID, error) {
	if fund == 0 {
		fund = DefaultFund
	}
	if fund > math.MaxInt64 {
		return wire.AgentID{}, fmt.Errorf("spawn agent: a fund of %d ⚡ is more than there can be; want 50 or more", fund)
	}
	in := Input{Kind: InputSpawn, Genome: &g, Amount: int64(fund)}
	if parent != nil {
		in.Agent = *parent
	}
	a, err := r.await(ctx, in)
	return a.Agent, err
}

// SetStatus asks for a change of status and waits for its boundary. ACTIVE wakes a dormant agent; Nexus does that at
// the end of the cycle.
func (r Runtime) SetStatus(ctx context.Context, id wire.AgentID, to wire.AgentStatus) error {
	_, err := r.await(ctx, Input{Kind: InputStatus, Agent: id, Status: to, Reason: "operator"})
	return err
}

// InjectGoal adds a goal to an agent's stack at the next boundary; a dormant agent wakes at the end of the cycle. Layer,
// source, description and deadline of g are used.
func (r Runtime) InjectGoal(ctx context.Context, id wire.AgentID, g goals.Goal) error {
	_, err := r.await(ctx, Input{Kind: InputGoal, Agent: id, Goal: &g})
	return err
}

func (r Runtime) await(ctx context.Context, in Input) (Applied, error) {
	select {
	case a := <-r.e.Input(in):
		return a, a.Err
	case <-ctx.Done():
		return Applied{}, ctx.Err()
	}
}

// examine runs f on an agent when no agent is at work: at once if the engine is idle, else at the next boundary.
func (r Runtime) examine(ctx context.Context, id wire.AgentID, f func(s *seat)) error {
	var s *seat
	err := r.e.control.runWhenIdle(ctx, func() {
		if s = r.e.agents.seat(id); s != nil {
			f(s)
		}
	})
	if err == nil && s == nil {
		return notFound(id)
	}
	return err
}

// Status returns the status of an agent.
func (r Runtime) Status(ctx context.Context, id wire.AgentID) (st wire.AgentStatus, err error) {
	err = r.examine(ctx, id, func(s *seat) { st = s.status })
	return st, err
}

// Goals returns a copy of an agent's living goals, oldest first.
func (r Runtime) Goals(ctx context.Context, id wire.AgentID) (gs []goals.Goal, err error) {
	err = r.examine(ctx, id, func(s *seat) { gs = goalsOf(s.a) })
	return gs, err
}

func goalsOf(a *agent.Agent) []goals.Goal {
	out := make([]goals.Goal, 0, len(a.Goals.Living()))
	for _, g := range a.Goals.Living() {
		out = append(out, *g)
	}
	return out
}

// ActivePlan returns a copy of the plan of an agent's top goal, nil if it has none.
func (r Runtime) ActivePlan(ctx context.Context, id wire.AgentID) (plan *memory.Plan, err error) {
	err = r.examine(ctx, id, func(s *seat) {
		if p := s.a.Memory.Plans.Active(); p != nil {
			c := *p
			plan = &c
		}
	})
	return plan, err
}

// PeerModel returns a copy of an agent's opinion of a peer, nil if it does not know the peer.
func (r Runtime) PeerModel(ctx context.Context, id, peer wire.AgentID) (model *memory.Peer, err error) {
	err = r.examine(ctx, id, func(s *seat) {
		if p := s.a.Memory.Peers.Get(peer); p != nil {
			c := *p
			model = &c
		}
	})
	return model, err
}

// NopCount returns how many of the agent's latest slots in a row were NOPs.
func (r Runtime) NopCount(ctx context.Context, id wire.AgentID) (n uint32, err error) {
	err = r.examine(ctx, id, func(s *seat) { n = s.a.NOPStreak })
	return n, err
}

// FlushMemory marks an agent as changed and returns when the next cycle is in the
// store.
func (r Runtime) FlushMemory(ctx context.Context, id wire.AgentID) error {
	done := make(chan error, 1)
	if err := r.examine(ctx, id, func(s *seat) {
		s.touched = true
		r.e.control.awaitFlush(done)
	}); err != nil {
		return err
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Load reads an agent as of the last committed cycle.
func (r Runtime) Load(ctx context.Context, id wire.AgentID) (*agent.Agent, error) {
	var who agent.Identity
	if err := r.examine(ctx, id, func(s *seat) {
		who = agent.Identity{ID: s.id, Key: s.a.Key, SpawnIndex: s.a.SpawnIndex, SpawnTick: s.a.SpawnTick, Genome: s.a.Genome}
	}); err != nil {
		return nil, err
	}
	rows, err := r.e.db.LoadAgent(ctx, id)
	if err != nil {
		return nil, &agent.Error{Kind: agent.KindDatabase, Agent: id, Err: err}
	}
	return agent.Restore(who, r.e.cfg.Limits, rows)
}
