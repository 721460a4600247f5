package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"kingdom/engine"
	"kingdom/llm"
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

// addDeaths adds to each dead agent when and why it died.
func (in *inspectionJSON) addDeaths(ctx context.Context, st boundStore) error {
	if !slices.ContainsFunc(in.Agents, func(g agentJSON) bool { return g.Status == wire.StatusDead.String() }) {
		return nil
	}
	rows, err := st.Cycles(ctx, 0, wire.Cycle(in.Cycle))
	if err != nil {
		return err
	}
	deaths, err := deathsIn(ctx, st, rows)
	if err != nil {
		return err
	}
	for _, e := range deaths {
		for i := range in.Agents {
			if g := &in.Agents[i]; g.ID == e.AgentID.String() {
				at := uint64(e.Tick)
				g.DeadSince, g.DeadReason = &at, e.Reason
			}
		}
	}
	return nil
}

// deathsIn returns the events in which agents died. They are in the cycles at whose end more are dead than before; rows has
// all cycles from the first one on.
func deathsIn(ctx context.Context, st boundStore, rows []engine.CycleRow) (out []*wire.AgentStatusChangeEvent, err error) {
	before := uint64(0)
	for i := range rows {
		now := uint64(rows[i].Dead)
		if now == before {
			continue
		}
		before = now
		changes, err := statusChanges(ctx, st, rows[i].Cycle)
		if err != nil {
			return nil, err
		}
		for _, e := range changes {
			if e.NewStatus == wire.StatusDead {
				out = append(out, e)
			}
		}
	}
	return out, nil
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

// writeAsleep writes what the reasons of the sleepers and the dead mean, and how many have each.
func (in *inspectionJSON) writeAsleep(w io.Writer, dir string) {
	asleep := func(g *agentJSON) string { return g.DormantReason }
	dead := func(g *agentJSON) string { return g.DeadReason }
	in.writeReasons(w, "asleep        ", wire.StatusDormant, asleep, func(why string) string {
		if why != "nop_limit" {
			return ""
		}
		return fmt.Sprintf("; kingdom tail %s --nop --dormancy shows what they were", shellQuote(dir))
	})
	in.writeReasons(w, "dead          ", wire.StatusDead, dead, func(string) string { return "" })
}

// writeReasons writes a line for each reason that agents have, in the order of the agents.
func (in *inspectionJSON) writeReasons(w io.Writer, head string, status wire.AgentStatus, of func(*agentJSON) string, more func(why string) string) {
	var order []string
	count := map[string]uint64{}
	for i := range in.Agents {
		if why := of(&in.Agents[i]); why != "" {
			if count[why] == 0 {
				order = append(order, why)
			}
			count[why]++
		}
	}
	for _, why := range order {
		fmt.Fprintf(w, "%s%s: %s%s\n", head, llm.Count(count[why], "agent"), observe.ReasonText(status.String(), why), more(why))
	}
}

// awayText says since when an agent sleeps or is dead, the reason in one word, and until when an input keeps it asleep; - if
// it is awake, or if that is not known.
func (g *agentJSON) awayText() string {
	since, why := g.DormantSince, g.DormantReason
	if g.DeadSince != nil {
		since, why = g.DeadSince, g.DeadReason
	}
	if since == nil {
		return "-"
	}
	text := fmt.Sprintf("since tick %d", *since)
	if why != "" {
		text += ": " + why
	}
	if g.HeldUntil != nil {
		text += fmt.Sprintf(", held until cycle %d", *g.HeldUntil)
	}
	return text
}
