package agent

import "kingdom/wire"

// Task is an action under way. An action of cost c sends its request in its first slot and only consumes a tick in
// each of the next c−1. A step of a plan that waits for a RESULT stays open without consuming more.
type Task struct {
	GoalID    wire.Hash `kdom:"goal_id"`
	PlanStep  *uint32   `kdom:"plan_step_index"` // in the goal's plan, nil if part of none
	Action    []byte    `kdom:"action"`          // canonical map, see memory.Act
	TicksUsed uint64    `kdom:"ticks_used"`
	TickLimit uint64    `kdom:"tick_limit"` // at the limit the task ends; waiting ones are abandoned

	// Experience is the row that the result completes, 0 if there is none yet.
	Experience uint64     `kdom:"experience"`
	Awaits     *wire.Hash `kdom:"awaits"` // msg_id of the request whose RESULT is awaited
	// Owed is how many slots a waiting task consumes before it only waits.
	Owed uint64 `kdom:"owed"`
}

// Consuming reports whether the next slot belongs to the task.
func (t *Task) Consuming() bool {
	if t.Awaits != nil {
		return t.TicksUsed < t.Owed
	}
	return t.TicksUsed < t.TickLimit
}

// Over reports whether all ticks of the task are used.
func (t *Task) Over() bool { return t.TicksUsed >= t.TickLimit }
