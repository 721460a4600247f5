package action

import (
	"fmt"
	"strings"

	"kingdom/wire"
)

// reference returns the page docs/ACTIONS.md: one table of all actions, a section per action that a mind may choose, the
// messages that are no actions, and the events.
func reference() string {
	var b strings.Builder
	b.WriteString("# Actions\n\nGenerated from the catalogue (`wire/action`) by `make docs`; do not edit. `kingdom actions` prints the same, and `kingdom actions --json` prints it as JSON.\n\n" +
		"Min. epoch is the first epoch in which the action is open, for the gate profiles default / strict / open. Ticks with … are the minimum; they depend on the request.\n\n" +
		"| action | code | daemon | domain | ticks | ⚡ | min. epoch | reply |\n|---|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %d / %d / %d | %s |\n", r.Name, code(r),
			daemon(r), r.Domain, ticks(r), r.Cost, r.Epoch[0], r.Epoch[1], r.Epoch[2], r.Reply())
	}
	b.WriteString("\n## Errors of any action\n\nA refusal changes nothing, and costs its sender a tick. These errors occur before the daemon is asked. The section of each action lists " +
		"its own errors with the keys of their context (`?`: present in some cases).\n\n| code | category | reason |\n|---|---|---|\n")
	for code := range uint32(0x100) {
		if category, reason, ok := wire.ProtocolReason(code); ok {
			fmt.Fprintf(&b, "| 0x%04X | %s | `%s` |\n", code, category, reason)
		}
	}
	for _, r := range ForMinds() {
		section(&b, r)
	}
	b.WriteString("\n## Other messages\n\nDeliveries, replies, and messages that only systems send.\n\n| message | code | body | meaning |\n|---|---|---|---|\n")
	for _, m := range Messages() {
		fmt.Fprintf(&b, "| %s | 0x%04X | %s | %s |\n", m.Type, uint16(m.Type), Fields(m.Shape), m.Summary)
	}
	b.WriteString("\nOperators send AGENT_SPAWN_REQ by the input `spawn` ([SCENARIOS](SCENARIOS.md), `kingdom input`); it takes effect at a tick boundary. It can be refused with:\n")
	spawn, _ := ByType(wire.TypeAgentSpawnReq)
	refused(&b, spawn)
	b.WriteString("\n## Events\n\nThe events that daemons publish. [WIRE](WIRE.md) describes their bytes, [WORLD](WORLD.md#events) which agents receive them.\nReserved, and never used, are `citation_removed` and the values BOUNTY_ESCROW, TAX_REFUND, BLOCKED and STACK_UNDERFLOW.\n\n| event | code | payload |\n|---|---|---|\n")
	for _, k := range wire.EventKinds() {
		if s := wire.EventShape(k); s != nil {
			fmt.Fprintf(&b, "| `%s` | 0x%04X | %s |\n", k, uint16(k), Fields(s))
		}
	}
	return b.String()
}

// section writes what a mind may give to an action and what it may be refused for.
func section(b *strings.Builder, r *Row) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", r.Name, r.Summary)
	if len(r.Params) > 0 {
		b.WriteString("\n| parameter | form | required | meaning |\n|---|---|---|---|\n")
		for _, p := range r.Params {
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Name, FormOf(p.Shape), yes(p.Required), p.Help)
		}
		b.WriteString(boundsText(Bounds(r.Type)))
	}
	refused(b, r)
}

// refused writes what an action is refused for.
func refused(b *strings.Builder, r *Row) {
	if len(r.Refusals) == 0 {
		return
	}
	b.WriteString("\n| error | category | context | when |\n|---|---|---|---|\n")
	for i := range r.Refusals {
		x := &r.Refusals[i]
		fmt.Fprintf(b, "| `%s` | %s (0x%04X) | %s | %s |\n", x.Reason, x.Category, x.Code(r), x.Context, x.When)
	}
}

// boundsText lists bounds in a sentence.
func boundsText(list []Bound) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for i := range list {
		parts = append(parts, list[i].String())
	}
	return "\nAt most: " + strings.Join(parts, ", ") + ".\n"
}

func code(r *Row) string {
	if r.Type == 0 {
		return "–"
	}
	return fmt.Sprintf("0x%04X", uint16(r.Type))
}

func daemon(r *Row) string {
	if r.System == 0 {
		return "–"
	}
	return r.System.String()
}

func ticks(r *Row) string {
	switch {
	case r.BoundOf != nil:
		return fmt.Sprintf("%d…", r.Ticks)
	case r.LLM:
		return fmt.Sprint(r.Ticks)
	case r.SystemOnly:
		return "systems only"
	}
	return "–"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
