package action_test

import (
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
)

// program is a row as a daemon with metered work has it: the bound is what the request and the
// view allow, the cost what the reply says.
var program = action.Row{
	Ticks: 2, FlatCost: 3,
	BoundOf: func(payload any, v *wire.View) action.Cost {
		return action.Cost{Ticks: payload.(*wire.BountyCreate).Reward / v.SlotsLeft, Spark: payload.(*wire.BountyCreate).Reward}
	},
	TicksOf: func(reply any) uint64 { return uint64(reply.(*wire.BalanceQueryReply).Balance) },
}

func TestRow_Bound(t *testing.T) {
	v := &wire.View{SlotsLeft: 4}
	flat := action.Row{Ticks: 5, FlatCost: 7}
	for _, tc := range []struct {
		name    string
		row     *action.Row
		payload any
		want    action.Cost
	}{
		{"always the same", &flat, &wire.BountyCreate{Reward: 40}, action.Cost{Ticks: 5, Spark: 7}},
		{"by request and view", &program, &wire.BountyCreate{Reward: 40}, action.Cost{Ticks: 10, Spark: 40}},
		{"no request takes less than its slot", &program, &wire.BountyCreate{Reward: 2}, action.Cost{Ticks: 1, Spark: 2}},
		{"before there is a request", &program, nil, action.Cost{Ticks: 2, Spark: 3}},
	} {
		if got := tc.row.Bound(tc.payload, v); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

func TestRow_SettledCost(t *testing.T) {
	said := func(n int64) *wire.Reply { return &wire.Reply{Body: &wire.BalanceQueryReply{Balance: n}} }
	flat := action.Row{Ticks: 5}
	for _, tc := range []struct {
		name  string
		row   *action.Row
		reply *wire.Reply
		want  uint64
	}{
		{"refused", &program, &wire.Reply{Err: &wire.ErrorBody{}}, 1},
		{"refused, always the same", &flat, &wire.Reply{Err: &wire.ErrorBody{}}, 1},
		{"told by the reply", &program, said(6), 6},
		{"at the bound", &program, said(9), 9},
		{"never above it", &program, said(10), 9},
		{"never below its slot", &program, said(0), 1},
		{"nothing told", &flat, &wire.Reply{}, 9},
	} {
		if got := tc.row.Settled(9, tc.reply); got != tc.want {
			t.Errorf("%s: %d ticks, want %d", tc.name, got, tc.want)
		}
	}
}

// A row whose replies tell the cost needs a bound on it, and every row with a variable cost is one that a mind may
// choose.
func TestRows_WithVariableCostHaveBoundAndCost(t *testing.T) {
	for _, r := range action.All() {
		if r.TicksOf != nil && r.BoundOf == nil || r.BoundOf != nil && !r.LLM {
			t.Errorf("%s: BoundOf %t, TicksOf %t, for minds %t", r.Name, r.BoundOf != nil, r.TicksOf != nil, r.LLM)
		}
	}
}

// What programs cost: memory by the KiB, runs by what they used, links by their imports.
func TestRows_OfForge(t *testing.T) {
	v := &wire.View{Sandboxes: []wire.SandboxView{{ID: wire.Hash{1}, TickBudget: 301, TicksUsed: 101}}}
	for _, tc := range []struct {
		action  string
		payload any
		want    action.Cost
	}{
		{"sandbox_create", &wire.SandboxCreate{MemoryQuota: 65_536}, action.Cost{Ticks: 5}},
		{"sandbox_create", &wire.SandboxCreate{MemoryQuota: 65_537}, action.Cost{Ticks: 5, Spark: 1}},
		{"sandbox_create", &wire.SandboxCreate{MemoryQuota: 2 * 65_536}, action.Cost{Ticks: 5, Spark: 64}},
		{"exec_start", &wire.ExecStart{SandboxID: wire.Hash{1}}, action.Cost{Ticks: 4}},
		{"exec_start", &wire.ExecStart{SandboxID: wire.Hash{2}}, action.Cost{Ticks: 1}},
		{"proof_request", &wire.ProofRequest{SandboxID: wire.Hash{1}}, action.Cost{Ticks: 4}},
		{"link_resolve", &wire.LinkResolve{Imports: make([]wire.LinkImport, 3)}, action.Cost{Ticks: 6}},
	} {
		row, _ := action.ByName(tc.action)
		if got := row.Bound(tc.payload, v); got != tc.want {
			t.Errorf("%s %+v: %+v, want %+v", tc.action, tc.payload, got, tc.want)
		}
	}
	row, _ := action.ByName("exec_start")
	if got := row.Settled(4, &wire.Reply{Body: &wire.ExecStartAck{Ticks: 2}}); got != 2 {
		t.Errorf("a run that took 2 of 4 ticks costs %d", got)
	}
}
