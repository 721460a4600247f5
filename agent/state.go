package agent

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// state is the content of the agent.state blob: what the other tables do not have.
type state struct {
	Status        wire.AgentStatus `kdom:"status"`
	Reputation    float32          `kdom:"reputation"`
	Balance       int64            `kdom:"balance"`
	TickBudget    uint64           `kdom:"tick_budget"`
	NOPStreak     uint32           `kdom:"nop_streak"`
	CurrentTask   *Task            `kdom:"current_task"`
	Subscriptions []wire.Subscribe `kdom:"subscriptions"`
	RowCounter    uint32           `kdom:"row_counter"`
	Goals         goals.State      `kdom:"goals"`
	Memory        memory.State     `kdom:"memory"`
	Notebook      memory.Notes     `kdom:"notebook"`
	Birth         Birth            `kdom:"birth,opt"`
}

var stateCodec = codec.New[state]()

// appendState appends the canonical state blob.
func (a *Agent) appendState(dst []byte) []byte {
	return stateCodec.Append(dst, &state{
		Status:        a.Status,
		Reputation:    a.Reputation,
		Balance:       a.Balance,
		TickBudget:    a.TickBudget,
		NOPStreak:     a.NOPStreak,
		CurrentTask:   a.CurrentTask,
		Subscriptions: a.Subscriptions,
		RowCounter:    a.rowIDs.Last,
		Goals:         a.Goals.State(a.Learning),
		Memory:        a.Memory.State(),
		Notebook:      a.Notebook.Notes,
		Birth:         a.Birth,
	})
}
