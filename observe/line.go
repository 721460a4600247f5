package observe

import (
	"fmt"
	"strings"

	"kingdom/wire"
)

// Line is one line of a stream.
type Line struct {
	Stream Stream
	Raw    []byte // the JSON object as stored, without its line end
	fields fields
}

// Cycle and Tick say when it was.
func (l *Line) Cycle() wire.Cycle { return wire.Cycle(l.fields.Cycle) }

// Tick is the tick of the line.
func (l *Line) Tick() wire.Tick { return wire.Tick(l.fields.Tick) }

// fields are those that choosing and showing need.
type fields struct {
	Cycle uint64 `json:"cycle"`
	Tick  uint64 `json:"tick"`
	Kind  string `json:"kind"`
	Agent *struct {
		Alias string `json:"alias"`
		ID    string `json:"id"`
	} `json:"agent"`
	Class      string  `json:"class"`
	Reason     string  `json:"reason"`
	Streak     uint32  `json:"streak"`
	From       string  `json:"status_from"`
	To         string  `json:"status_to"`
	WakeCause  string  `json:"wake_cause"`
	Error      string  `json:"error"`
	Role       string  `json:"role"`
	Active     uint32  `json:"active"`
	Dormant    uint32  `json:"dormant"`
	AgentTicks uint64  `json:"agent_ticks"`
	NOPs       uint64  `json:"nops"`
	WorldHash  string  `json:"world_hash"`
	Outcome    string  `json:"outcome"`
	Action     string  `json:"action"`
	GoalKind   string  `json:"goal_kind"`
	Input      string  `json:"input"`
	Refused    string  `json:"refused"`
	Try        uint32  `json:"try"`
	Reward     uint64  `json:"reward_actual"`
	Balance    int64   `json:"balance"`
	Reputation float64 `json:"reputation"`
}

// Text is the line for people.
func (l *Line) Text() string {
	f := &l.fields
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d tick %d  %-8s ", f.Cycle, f.Tick, l.Stream)
	if f.Agent != nil {
		fmt.Fprintf(&b, " %s", f.Agent.Alias)
	}
	if f.Role != "" {
		fmt.Fprintf(&b, " %s", f.Role)
	}
	switch l.Stream {
	case StreamNOP:
		fmt.Fprintf(&b, "  %s %s, streak %d", f.Class, f.Reason, f.Streak)
	case StreamDormancy:
		l.sleepText(&b)
	case StreamThink:
		fmt.Fprintf(&b, "  try %d %s %s", f.Try, f.Outcome, f.Action)
	case StreamEngine:
		l.engineText(&b)
	}
	if f.Error != "" {
		fmt.Fprintf(&b, "  (%s)", f.Error)
	}
	return b.String()
}

func (l *Line) sleepText(b *strings.Builder) {
	f := &l.fields
	if f.From == f.To {
		fmt.Fprintf(b, "  warning: %d NOPs in a row", f.Streak)
		return
	}
	fmt.Fprintf(b, "  %s → %s: %s, %d ⚡, reputation %.3f", f.From, f.To, f.Reason, f.Balance, f.Reputation)
}

func (l *Line) engineText(b *strings.Builder) {
	f := &l.fields
	switch f.Kind {
	case "cycle":
		fmt.Fprintf(b, "  end of cycle: %d active, %d dormant, %d agent-ticks, %d NOPs, world hash %.16s…", f.Active, f.Dormant, f.AgentTicks, f.NOPs, f.WorldHash)
	case "satisfaction":
		fmt.Fprintf(b, "  goal %s: %s, %d ⚡", f.GoalKind, f.Outcome, f.Reward)
	case "input":
		fmt.Fprintf(b, "  input %s %s", f.Input, f.Refused)
	default:
		fmt.Fprintf(b, "  %s", f.Kind)
	}
}

func (l *Line) before(o *Line) bool {
	if l.fields.Tick != o.fields.Tick {
		return l.fields.Tick < o.fields.Tick
	}
	return l.Stream < o.Stream
}
