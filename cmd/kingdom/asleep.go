package main

import (
	"context"
	"fmt"
	"io"

	"kingdom/observe"
	"kingdom/wire"
)

// addReasons adds to each sleeper why it fell asleep. The agent's record has only the tick; the reason is in the event of that
// tick.
func (in *inspectionJSON) addReasons(ctx context.Context, st boundStore, cal wire.Calendar) error {
	reasons := map[wire.Cycle]map[string]string{} // by the cycle of the event, then by the agent's id
	for i := range in.Agents {
		g := &in.Agents[i]
		if g.DormantSince == nil {
			continue
		}
		c := cal.Cycle(wire.Tick(*g.DormantSince))
		if reasons[c] == nil {
			var err error
			if reasons[c], err = reasonsIn(ctx, st, c); err != nil {
				return err
			}
		}
		g.DormantReason = reasons[c][g.ID]
	}
	return nil
}

// reasonsIn returns why agents fell asleep in a cycle, by id. Of an agent that did so twice the last reason counts.
func reasonsIn(ctx context.Context, st boundStore, c wire.Cycle) (map[string]string, error) {
	changes, err := statusChanges(ctx, st, c)
	out := map[string]string{}
	for _, e := range changes {
		if e.NewStatus == wire.StatusDormant {
			out[e.AgentID.String()] = e.Reason
		}
	}
	return out, err
}

// statusChanges returns the changes of status in a cycle, in their order.
func statusChanges(ctx context.Context, st boundStore, c wire.Cycle) ([]*wire.AgentStatusChangeEvent, error) {
	payloads, err := st.EventsOf(ctx, c, wire.KindAgentStatusChange)
	if err != nil {
		return nil, err
	}
	out := make([]*wire.AgentStatusChangeEvent, len(payloads))
	for i, b := range payloads {
		p, err := wire.DecodePayload(wire.KindAgentStatusChange, b)
		if err != nil {
			return nil, fmt.Errorf("read a change of status of cycle %d: %w", c, err)
		}
		out[i] = p.(*wire.AgentStatusChangeEvent)
	}
	return out, nil
}

// writeAsleep writes what the reasons of the sleepers mean, and how many have each.
func (in *inspectionJSON) writeAsleep(w io.Writer, dir string) {
	var order []string
	count := map[string]uint64{}
	for i := range in.Agents {
		if why := in.Agents[i].DormantReason; why != "" {
			if count[why] == 0 {
				order = append(order, why)
			}
			count[why]++
		}
	}
	for _, why := range order {
		more := ""
		if why == "nop_limit" {
			more = fmt.Sprintf("; kingdom tail %s --nop --dormancy shows what they were", shellQuote(dir))
		}
		fmt.Fprintf(w, "asleep        %s: %s%s\n", plural(count[why], "agent"), observe.ReasonText(wire.StatusDormant.String(), why), more)
	}
}

// asleepText says since when an agent sleeps, and the reason in one word; - if it is awake.
func (g *agentJSON) asleepText() string {
	switch {
	case g.DormantSince == nil:
		return "-"
	case g.DormantReason == "":
		return fmt.Sprintf("since tick %d", *g.DormantSince)
	}
	return fmt.Sprintf("since tick %d: %s", *g.DormantSince, g.DormantReason)
}
