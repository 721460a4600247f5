package engine

import (
	"kingdom/llm"
	"kingdom/wire"
)

// Status is the state of a run, in the words of run.json.
type Status string

// The closed list of statuses.
const (
	StatusRunning     Status = "running"
	StatusFinished    Status = "finished"
	StatusInterrupted Status = "interrupted"
	StatusPaused      Status = "paused"
	StatusCapped      Status = "capped" // stopped by the cap of what the run may spend
	StatusFailed      Status = "failed"
)

// Summary is the outcome of Run or Replay. Counters cover the whole history of the world, unless they count from
// when the [Engine] was opened.
type Summary struct {
	Cycles     uint64         `json:"cycles"`      // last finished cycle
	Ticks      uint64         `json:"ticks"`       // ticks of the calendar up to there, jumped ones included
	AgentTicks uint64         `json:"agent_ticks"` // slots used
	Epoch      uint32         `json:"epoch"`
	WorldHash  wire.Hash      `json:"-"`
	AgentsHash wire.Hash      `json:"-"`
	Status     Status         `json:"status"`
	Agents     Counts         `json:"agents"`
	NOPs       uint64         `json:"nops"`
	Warnings   uint64         `json:"nop_warnings"` // streaks that reached the warning
	Slept      uint64         `json:"fell_dormant"` // times an agent fell DORMANT
	Inputs     uint64         `json:"inputs"`       // outside inputs applied
	Fallbacks  uint64         `json:"fallbacks"`    // thoughts of Options.Fallback since the Engine was opened
	Unanswered llm.Unanswered `json:"unanswered"`   // slots that were idle because no answer came, since the Engine was opened
	Dropped    uint64         `json:"dropped"`      // commits that observers missed since the Engine was opened
}

// Counts are the numbers of agents by status. Embryos are not counted.
type Counts struct {
	Active  uint32 `json:"active"`
	Dormant uint32 `json:"dormant"`
	Dead    uint32 `json:"dead"`
}
