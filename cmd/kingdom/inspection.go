package main

import (
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"kingdom/engine"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/observe"
	"kingdom/wire"
)

// inspectionJSON is what inspect found, as --json prints it.
type inspectionJSON struct {
	Scenario   string          `json:"scenario"`
	Seed       string          `json:"seed"`
	Physics    uint32          `json:"physics"`
	Status     engine.Status   `json:"status"`
	Cause      string          `json:"cause,omitempty"`
	Wait       *observe.Wait   `json:"wait,omitempty"`
	Minds      string          `json:"minds,omitempty"`
	OnMiss     string          `json:"on_miss,omitempty"`
	Portal     string          `json:"portal,omitempty"`
	LastCycle  uint64          `json:"last_cycle"`
	Cycle      uint64          `json:"cycle"`
	Epoch      uint32          `json:"epoch"`
	WorldHash  string          `json:"world_hash"`
	Envelopes  string          `json:"envelope_chain"`
	Agents     []agentJSON     `json:"agents"`
	Fallbacks  int             `json:"fallbacks,omitempty"`
	Unanswered int             `json:"unanswered,omitempty"`
	Idle       *llm.Unanswered `json:"unanswered_by,omitempty"`
	Spend      *spendJSON      `json:"spend,omitempty"`
	Fork       *forkOrigin     `json:"forked_from,omitempty"`
	Outside    []outsideJSON   `json:"inputs_from_outside,omitempty"`
	Planned    int             `json:"inputs_planned,omitempty"`
	Refused    []refusedJSON   `json:"inputs_refused,omitempty"`
	Waiting    []string        `json:"inputs_waiting,omitempty"`
}

type agentJSON struct {
	ID            string     `json:"id"`
	Number        int        `json:"number"` // in spawn order, from 1
	Alias         string     `json:"alias"`
	Name          string     `json:"name,omitempty"`
	Role          string     `json:"role"`
	Status        string     `json:"status"`
	DormantSince  *uint64    `json:"dormant_since,omitempty"`
	DormantReason string     `json:"dormant_reason,omitempty"`
	HeldUntil     *uint64    `json:"held_until,omitempty"`
	DeadSince     *uint64    `json:"dead_since,omitempty"`
	DeadReason    string     `json:"dead_reason,omitempty"`
	Balance       int64      `json:"balance"`
	Reputation    float64    `json:"reputation"`
	NOPStreak     uint32     `json:"nop_streak"`
	Goals         []goalJSON `json:"goals"`
	Refused       uint64     `json:"goals_refused"`
}

type goalJSON struct {
	ID        string  `json:"id"`
	Layer     string  `json:"layer"`
	Source    string  `json:"source"`
	Kind      string  `json:"kind"`
	Text      string  `json:"text"`
	Priority  float64 `json:"priority"`
	Status    string  `json:"status"`
	CreatedAt uint64  `json:"created_at"`
	Deadline  *uint64 `json:"deadline"`
}

func (a *app) printInspection(in inspectionJSON, dir string, withGoals bool) {
	fmt.Fprintf(a.out, "%s, seed %s: end of cycle %d, epoch %d, physics %d\nworld hash %s\n", in.Scenario, in.Seed, in.Cycle, in.Epoch, in.Physics, in.WorldHash)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	named := slices.ContainsFunc(in.Agents, func(g agentJSON) bool { return g.Name != "" })
	fmt.Fprint(w, "NO.\t")
	if named {
		fmt.Fprint(w, "NAME\t")
	}
	fmt.Fprint(w, "AGENT\tROLE\tSTATUS\t⚡\tREPUTATION\tNOP STREAK\tTOP GOAL")
	dead := slices.ContainsFunc(in.Agents, func(g agentJSON) bool { return g.DeadSince != nil })
	away := dead || slices.ContainsFunc(in.Agents, func(g agentJSON) bool { return g.DormantSince != nil })
	switch {
	case dead:
		fmt.Fprint(w, "\tASLEEP OR DEAD")
	case away:
		fmt.Fprint(w, "\tASLEEP")
	}
	fmt.Fprintln(w)
	for _, g := range in.Agents {
		top := "-"
		if len(g.Goals) > 0 {
			top = fmt.Sprintf("%s (%.2f)", g.Goals[0].Kind, g.Goals[0].Priority)
		}
		fmt.Fprintf(w, "%d\t", g.Number)
		if named {
			fmt.Fprintf(w, "%s\t", cmp.Or(g.Name, "-"))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.3f\t%d\t%s", g.Alias, g.Role, g.Status, g.Balance, g.Reputation, g.NOPStreak, top)
		if away {
			fmt.Fprintf(w, "\t%s", g.awayText())
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	in.writeAsleep(a.out, dir)
	if !withGoals {
		return
	}
	for _, g := range in.Agents {
		fmt.Fprintln(a.out)
		if len(in.Agents) > 1 {
			fmt.Fprintf(a.out, "goals of %s\n", cmp.Or(g.Name, g.Alias))
		}
		w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "PRIORITY\tLAYER\tSOURCE\tKIND\tSTATUS\tSINCE TICK\tTEXT")
		for _, o := range g.Goals {
			fmt.Fprintf(w, "%.3f\t%s\t%s\t%s\t%s\t%d\t%s\n", o.Priority, o.Layer, o.Source, o.Kind, o.Status, o.CreatedAt, o.Text)
		}
		w.Flush()
		if g.Refused > 0 {
			fmt.Fprintf(a.out, "%d goals found no room (goals.* in the scenario has the limits)\n", g.Refused)
		}
	}
}

// toInspection converts the state of a run, with these agents only; nil: all.
func toInspection(in engine.Inspection, only []wire.AgentID, names map[wire.AgentID]string) inspectionJSON {
	j := inspectionJSON{
		Scenario: in.Scenario, Seed: in.Seed, Physics: in.Physics, Cycle: uint64(in.Cycle), Epoch: in.Epoch,
		WorldHash: in.WorldHash.String(), Envelopes: in.Envelopes.String(), Agents: []agentJSON{},
	}
	for i := range in.Agents {
		x := &in.Agents[i]
		if only != nil && !slices.Contains(only, x.ID) {
			continue
		}
		g := agentJSON{
			Number: i + 1, ID: x.ID.String(), Alias: x.Alias, Name: names[x.ID], Role: x.Role.String(), Status: x.Status.String(), Balance: x.Balance,
			Reputation: x.Reputation, NOPStreak: x.NOPStreak, Goals: []goalJSON{}, Refused: x.Refused,
		}
		if x.DormantSince != nil {
			since := uint64(*x.DormantSince)
			g.DormantSince = &since
		}
		if x.HeldUntil != nil {
			until := uint64(*x.HeldUntil)
			g.HeldUntil = &until
		}
		for k := range x.Goals {
			g.Goals = append(g.Goals, toGoal(&x.Goals[k]))
		}
		j.Agents = append(j.Agents, g)
	}
	return j
}

func toGoal(g *goals.Goal) goalJSON {
	j := goalJSON{
		ID: g.ID.String(), Layer: g.Layer.String(), Source: g.Source.String(), Kind: g.Description.Kind.String(),
		Text: g.Description.Text, Priority: g.Priority, Status: g.Status.String(), CreatedAt: uint64(g.CreatedAt),
	}
	if g.Deadline != nil {
		d := uint64(*g.Deadline)
		j.Deadline = &d
	}
	return j
}
