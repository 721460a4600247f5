package engine

import (
	"fmt"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

func newInputRecord(in *Input, t wire.Tick, seq uint64) inputRecord {
	r := inputRecord{
		Seq: seq, Tick: t, Kind: uint8(in.Kind), Agent: in.Agent, Status: uint8(in.Status), Reason: clean(in.Reason), Genome: in.Genome, Plan: in.plan,
		File: in.file, Item: in.item, Source: clean(in.Source),
		Birth:  agent.Birth{Name: clean(in.Birth.Name), Persona: clean(in.Birth.Persona), Mind: clean(in.Birth.Mind)},
		Cycles: in.Cycles, Amount: in.Amount, Channel: clean(in.Channel), Message: uint8(in.Message), Text: clean(in.Text), Param: clean(in.Param), Value: in.Value,
	}
	if g := in.Goal; g != nil {
		d := g.Description
		d.Text = clean(d.Text)
		r.Goal = &goalRecord{
			Layer: uint8(g.Layer), Source: uint8(g.Source),
			Description: goals.AppendDescription(nil, &d), CreatedAt: t, Deadline: g.Deadline,
		}
	}
	return r
}

// apply applies an input. If the world or the agent refuses it, Applied has the error.
func (p *inputs) apply(r *inputRecord) Applied {
	*p.seq = r.Seq
	p.planned = max(p.planned, r.Plan)
	p.dropApplied(r)
	p.files.noteApplied(r)
	out := Applied{Seq: r.Seq, Tick: r.Tick, Agent: r.Agent}
	s := p.agents.seat(r.Agent)
	id := uint64(r.Tick)<<32 | r.Seq // as events name it
	switch k := InputKind(r.Kind); {
	case k == InputSpawn && r.Genome != nil:
		ack, no := p.realm.Spawn(r.Tick, spawnRequest(r))
		if out.Err = refusal(no); no == nil {
			out.Agent = ack.AgentID
			p.births.given[ack.AgentID] = r.Birth
		}
	case k == InputPost:
		out.Err = p.post(r)
	case k == InputParam:
		out.Err = refusal(p.operator().SetParam(r.Tick, r.Param, r.Value))
	case s == nil:
		out.Err = notFound(r.Agent)
	case k == InputStatus && wire.AgentStatus(r.Status) == wire.StatusDormant && r.Cycles > 0:
		out.Err = refusal(p.operator().Hold(r.Tick, r.Agent, p.cal.Cycle(r.Tick)+wire.Cycle(r.Cycles), r.Reason))
	case k == InputStatus && wire.AgentStatus(r.Status) != wire.StatusActive:
		out.Err = refusal(p.realm.SetStatus(r.Tick, r.Agent, wire.AgentStatus(r.Status), r.Reason, id))
	case (k == InputStatus || k == InputWake) && p.operator().Held(r.Agent) != 0:
		out.Err = refusal(heldAsleep)
	case k == InputStatus || k == InputWake:
		out.Err = p.wakes.request(s, wire.WakeOperator)
	case k == InputGrant:
		out.Err = refusal(p.operator().Grant(r.Tick, r.Agent, r.Amount, id))
	case k == InputGoal && r.Goal != nil:
		out.Err = p.inject(s, r)
	case k == InputDone && r.Goal != nil:
		out.Err = p.goalDone(s, r)
	default:
		out.Err = fmt.Errorf("apply input %d: %v comes without its goal or genome, or this version does not know it", r.Seq, k)
	}
	p.reports = append(p.reports, InputReport{Seq: r.Seq, Do: r.do(), Agent: out.Agent, What: r.description(), Refused: reason(out.Err), File: r.File, Planned: r.Plan > 0})
	return out
}

// operator is the world as operators change it.
func (p *inputs) operator() realm.Operator { return realm.Operator{World: p.realm} }

// heldAsleep is the refusal of an operator's request to wake an agent that an operator keeps asleep.
var heldAsleep = &world.Refusal{Category: wire.CategoryConflict, Reason: "held_asleep"}

// post posts a message and wakes the sleepers that it names.
func (p *inputs) post(r *inputRecord) error {
	if no := p.operator().Post(r.Tick, r.Channel, wire.MessageKind(r.Message), r.Text); no != nil {
		return refusal(no)
	}
	eachAlias(r.Text, func(alias string) {
		if id, ok := p.agents.aliases.resolve(alias); ok {
			_ = p.wakes.request(p.agents.seat(id), wire.WakeMessage) // refused for agents that are awake
		}
	})
	return nil
}

// do is what an input does, by the word for it in the inputs of a scenario (docs/SCENARIOS.md).
func (r *inputRecord) do() string {
	switch k := InputKind(r.Kind); {
	case k == InputStatus && wire.AgentStatus(r.Status) == wire.StatusDormant:
		return "sleep"
	case k == InputStatus && wire.AgentStatus(r.Status) == wire.StatusDead:
		return "kill"
	case k == InputGrant && r.Amount < 0:
		return "take"
	default:
		return k.String()
	}
}

// description says in words what an input asks for beyond what it does and the agent; empty if there is nothing more.
func (r *inputRecord) description() string {
	switch InputKind(r.Kind) {
	case InputStatus:
		if r.Cycles > 0 {
			return "for " + llm.Count(r.Cycles, "cycle")
		}
		if r.do() != InputStatus.String() {
			return ""
		}
		return wire.AgentStatus(r.Status).String()
	case InputGoal, InputDone:
		var d goals.Description
		if r.Goal == nil || goals.DecodeDescription(r.Goal.Description, &d) != nil {
			return ""
		}
		return d.Kind.String() + ": " + d.Text
	case InputSpawn:
		if r.Genome == nil {
			return ""
		}
		text := fmt.Sprintf("%s with %d ⚡", r.Genome.Role, r.Amount)
		if r.Birth.Name != "" {
			text = r.Birth.Name + ", " + text
		}
		if r.Birth.Mind != "" {
			text += ", mind " + r.Birth.Mind
		}
		return text
	case InputGrant:
		return fmt.Sprintf("%d ⚡", max(r.Amount, -r.Amount))
	case InputPost:
		return fmt.Sprintf("%s in #%s: %s", wire.MessageKind(r.Message), r.Channel, r.Text)
	case InputParam:
		return fmt.Sprintf("%s = %d", r.Param, r.Value)
	default:
		return ""
	}
}

// spawnRequest is the AGENT_SPAWN_REQ of an input.
func spawnRequest(r *inputRecord) *wire.AgentSpawnReq {
	q := &wire.AgentSpawnReq{Role: r.Genome.Role, InitialFund: uint64(max(r.Amount, 0)), Parent: r.Agent, Genome: wire.GenomeCodec.Append(nil, r.Genome)}
	if q.Parent.IsZero() {
		q.Parent = wire.SystemID(wire.SystemNexus)
	}
	return q
}

// inject adds a goal to an agent, and asks to wake it if it is dormant.
func (p *inputs) inject(s *seat, r *inputRecord) error {
	var d goals.Description
	if err := goals.DecodeDescription(r.Goal.Description, &d); err != nil {
		return fmt.Errorf("inject goal: %w", err)
	}
	if s.status == wire.StatusDead {
		return dead(s.id)
	}
	g := goals.New(s.id, goals.Layer(r.Goal.Layer), goals.Source(r.Goal.Source), d, r.Goal.CreatedAt)
	g.Deadline = r.Goal.Deadline
	if err := s.turn.Inject(g, r.Tick); err != nil {
		return err
	}
	s.touched = true
	if s.status == wire.StatusDormant {
		return p.wakes.request(s, wire.WakeGoal)
	}
	return nil
}

// goalDone marks the operator goals of an agent with the text as reached.
func (p *inputs) goalDone(s *seat, r *inputRecord) error {
	var d goals.Description
	if err := goals.DecodeDescription(r.Goal.Description, &d); err != nil {
		return fmt.Errorf("complete goal: %w", err)
	}
	if s.turn.Reached(d.Text, r.Tick) == 0 {
		return &RefusedError{world.Refusal{Category: wire.CategoryNotFound, Reason: "no_such_goal"}}
	}
	s.touched = true
	return nil
}

// RefusedError is the refusal of an input by the world, with its reason.
type RefusedError struct{ world.Refusal }

func (e *RefusedError) Error() string {
	s := fmt.Sprintf("refused by the world: %s (%s)", e.Reason, e.Category)
	for _, d := range e.Details {
		s += ", " + d.Key + " " + d.Value
	}
	return s
}

func refusal(r *world.Refusal) error {
	if r == nil {
		return nil
	}
	return &RefusedError{*r}
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
