package table

import (
	"cmp"
	"context"
	"fmt"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/wire"
)

// Calls is agent.calls: requests to language models, and what they took.
var Calls = define("agent", "calls", 5,
	func(b *engine.Batch) []engine.CallRow { return b.Calls },
	id32("agent_id", func(r *engine.CallRow) *wire.AgentID { return &r.Agent }),
	num("tick", func(r *engine.CallRow) wire.Tick { return r.Tick }),
	text("purpose", func(r *engine.CallRow) string { return r.Purpose }),
	num("try", func(r *engine.CallRow) uint32 { return r.Try }),
	num("number", func(r *engine.CallRow) uint32 { return r.Number }),
	num("cycle", func(r *engine.CallRow) wire.Cycle { return r.Cycle }),
	ordinal("tier", func(r *engine.CallRow) llm.Tier { return r.Tier }),
	text("model", func(r *engine.CallRow) string { return r.Model }),
	text("failure", func(r *engine.CallRow) string { return r.Failure }),
	num("latency_ms", func(r *engine.CallRow) uint64 { return r.LatencyMS }),
	num("prompt_tokens", func(r *engine.CallRow) uint64 { return r.PromptTokens }),
	num("cached_tokens", func(r *engine.CallRow) uint64 { return r.CachedTokens }),
	num("output_tokens", func(r *engine.CallRow) uint64 { return r.OutputTokens }),
	num("reasoning_tokens", func(r *engine.CallRow) uint64 { return r.ReasoningTokens }),
	num("cost_micro_usd", func(r *engine.CallRow) uint64 { return r.CostMicroUSD }),
	flag("estimated", func(r *engine.CallRow) bool { return r.Estimated }),
).appended()

// CallTotal is the sum over the calls of one agent to one model.
type CallTotal struct {
	Agent  wire.AgentID
	Model  string
	Calls  uint64
	Failed uint64 // of the calls, those that brought no answer
	llm.Spent
}

// CallTotals returns sums over the calls of the cycles from the first to the last, by agent and model.
func (q Query) CallTotals(ctx context.Context, first, last wire.Cycle) ([]CallTotal, error) {
	var out []CallTotal
	var agent []byte
	var model string
	var n [9]int64
	dest := []any{&agent, &model}
	for i := range n {
		dest = append(dest, &n[i])
	}
	var damage error
	sums := ""
	for _, s := range []string{
		"1", "CASE WHEN failure = '' THEN 0 ELSE 1 END", "latency_ms", "prompt_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost_micro_usd",
		"CASE WHEN estimated THEN 1 ELSE 0 END",
	} {
		sums += ", CAST(sum(" + s + ") AS BIGINT)"
	}
	err := q.each(ctx, `SELECT agent_id, model`+sums+` FROM agent.calls WHERE cycle >= $1 AND cycle <= $2 GROUP BY agent_id, model ORDER BY agent_id, model`,
		[]any{int64(min(first, 1<<62)), int64(min(last, 1<<62))}, dest, func() {
			id, bad := ID32[wire.AgentID]("agent.calls.agent_id", agent)
			damage = cmp.Or(damage, bad)
			out = append(out, CallTotal{Agent: id, Model: model, Calls: uint64(n[0]), Failed: uint64(n[1]), Spent: llm.Spent{
				LatencyMS: uint64(n[2]), PromptTokens: uint64(n[3]), CachedTokens: uint64(n[4]), OutputTokens: uint64(n[5]),
				ReasoningTokens: uint64(n[6]), CostMicroUSD: uint64(n[7]), Estimated: n[8] > 0,
			}})
		})
	if err = cmp.Or(err, damage); err != nil {
		return nil, fmt.Errorf("read calls: %w", err)
	}
	return out, nil
}
