package engine

import (
	"kingdom/llm"
	"kingdom/wire"
)

// CallRow is one request to a language model, as the store keeps it. No hash depends on it.
type CallRow struct {
	Agent   wire.AgentID
	Tick    wire.Tick
	Purpose string
	Try     uint32 // of the thought in its slot, from 0
	Number  uint32 // of the call for this thought, from 0
	Cycle   wire.Cycle
	Tier    llm.Tier
	llm.Call
}

// calls appends the calls of a committed tick, in commit order, to those of its cycle that wait for the store.
func (sc *tickSeats) calls(out []CallRow, c wire.Cycle, t wire.Tick) []CallRow {
	for _, s := range sc.live {
		for i := range s.thinks {
			th := &s.thinks[i]
			for n := range th.Calls {
				out = append(out, CallRow{
					Agent: s.id, Tick: t, Purpose: th.Purpose, Try: th.Try, Number: uint32(n), Cycle: c, Tier: th.Tier, Call: th.Calls[n],
				})
			}
		}
	}
	return out
}

// addCalls adds the calls of a cycle to its metrics.
func (m *MetricsRow) addCalls(calls []CallRow) {
	for i := range calls {
		c := &calls[i]
		m.Calls++
		if c.Failure != "" {
			m.FailedCalls++
		}
		m.PromptTokens += c.PromptTokens
		m.OutputTokens += c.OutputTokens
		m.CostMicroUSD += c.CostMicroUSD
	}
}
