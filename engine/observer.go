package engine

import (
	"kingdom/goals"
	"kingdom/ooda"
	"kingdom/wire"
)

// Observer is told what was committed. Both methods are called in one goroutine, outside the hot path. Their
// arguments are read-only and shared. Attaching or detaching observers changes no hash. A slow observer misses
// commits, which are counted, but never delays a tick. An observer that panics is not called again; [Engine.Close]
// returns the panic.
type Observer interface {
	Commit(c *Commit)
	Cycle(r *CycleReport)
}

// Commit is one committed tick.
type Commit struct {
	Tick    wire.Tick
	Cycle   wire.Cycle
	Epoch   uint32
	Seats   []SeatReport // in commit order
	Events  []*wire.Event
	Inputs  []InputReport  // applied at the boundary before the tick
	Changes []StatusChange // of status, at the boundary and in the tick
}

// SeatReport is what one agent did in one slot.
type SeatReport struct {
	Agent        wire.AgentID
	Role         wire.Role
	Type         wire.MsgType // 0: nothing was sent
	Msg          wire.Hash    // msg_id, if something was sent
	Refused      string       // reason of the world's ERROR reply; empty otherwise
	NOP          *ooda.NOPRecord
	Thinks       []ooda.ThinkRecord // one per try
	Satisfaction []goals.Satisfaction
	Faults       []error // inside the agent: memory overflows, goals that found no room, answers that stayed unusable
}

// InputReport tells observers about an input that was applied or refused.
type InputReport struct {
	Seq     uint64
	Do      string       // such as grant or kill, as in the inputs of a scenario
	Agent   wire.AgentID // zero: the input concerns no agent
	What    string       // what the input asks for beyond Do and agent; may be empty
	Refused string       // why the world refused it; empty if it was applied
	File    string       // of the run's inbox, from which it came; empty: it was planned, or a program asked for it
	Planned bool         // it is one of Config.Planned
}

// CycleReport tells observers about the end of one cycle.
type CycleReport struct {
	Row          CycleRow
	Metrics      MetricsRow
	Changes      []StatusChange // at cycle end: warmup, wakes, inactivity, deaths
	Events       []*wire.Event  // of the cycle end
	Ended        []GoalReport   // goals that ended after their agent's last slot
	Dropped      uint64         // commits that observers have missed since the run began
	QueueDropped uint64         // events that full queues of agents have lost since the run began
}

// GoalReport is a goal that ended after its agent's last slot of the cycle.
type GoalReport struct {
	Agent        wire.AgentID
	Satisfaction goals.Satisfaction
}

// StatusChange tells observers that an agent's status changed.
type StatusChange struct {
	Agent      wire.AgentID
	Role       wire.Role
	From, To   wire.AgentStatus
	Cause      wire.WakeCause // set for wakes
	HoldEnded  bool           // it woke because the time was over for which an operator kept it asleep
	Reason     string         // as in the event
	Balance    int64
	Reputation float64
}
