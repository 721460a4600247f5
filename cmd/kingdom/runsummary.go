package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/spend"
)

// summaryJSON is the last line of run's and resume's --json output.
type summaryJSON struct {
	Run        string          `json:"run"`
	Scenario   string          `json:"scenario"`
	Seed       string          `json:"seed"`
	Physics    uint32          `json:"physics"`
	Cycles     uint64          `json:"cycles"`
	Ticks      uint64          `json:"ticks"`
	AgentTicks uint64          `json:"agent_ticks"`
	WorldHash  string          `json:"world_hash"`
	Status     engine.Status   `json:"status"`
	Agents     engine.Counts   `json:"agents"`
	NOPs       uint64          `json:"nops"`
	Warnings   uint64          `json:"nop_warnings"`
	Slept      uint64          `json:"fell_dormant"`
	Fallbacks  uint64          `json:"fallbacks,omitempty"`
	Unanswered uint64          `json:"unanswered,omitempty"`
	Idle       *llm.Unanswered `json:"unanswered_by,omitempty"`
	Outside    []outsideJSON   `json:"inputs_from_outside,omitempty"`
	Planned    int             `json:"inputs_planned,omitempty"`
	Refused    []refusedJSON   `json:"inputs_refused,omitempty"`
	World      *worldSummary   `json:"world"` // null if no cycle is stored
	Report     string          `json:"report,omitempty"`
	WallMS     int64           `json:"wall_ms"`
	Spend      *spendJSON      `json:"spend,omitempty"`
}

// printSummary prints how a run ended, or a stretch of it: for people, or as the last line of --json.
func (a *app) printSummary(dir string, run engine.RunRow, end *executionResult, wall time.Duration, logs bool, page string, spent *spend.Totals) {
	s, world := end.summary, end.world
	if a.json {
		a.jsonLine(summaryJSON{
			Run: dir, Scenario: run.Scenario, Seed: run.Seed, Physics: run.Physics, Cycles: s.Cycles, Ticks: s.Ticks,
			AgentTicks: s.AgentTicks, WorldHash: s.WorldHash.String(), Status: s.Status, Agents: s.Agents, NOPs: s.NOPs, Warnings: s.Warnings, Slept: s.Slept, Fallbacks: s.Fallbacks, Unanswered: s.Unanswered.All(), Idle: whyIdle(s.Unanswered),
			Outside: end.outside, Planned: end.planned.due, Refused: end.planned.refused, World: world, Report: page, WallMS: wall.Milliseconds(), Spend: toSpend(spent, end.answers, nil),
		})
		return
	}
	share := 0.0
	if s.AgentTicks > 0 {
		share = 100 * float64(s.NOPs) / float64(s.AgentTicks)
	}
	var b strings.Builder
	first := fmt.Sprintf("%s %s, seed %s: %s, %s in %.1f s", run.Scenario, s.Status, run.Seed, llm.Count(s.Cycles, "cycle"), llm.Count(s.AgentTicks, "agent-tick"), wall.Seconds())
	fmt.Fprintln(&b, heading(a.out, first, s.Status == engine.StatusFinished))
	if n := end.answers; n != nil && uint64(n.cycle) > s.Cycles {
		fmt.Fprintf(&b, "  unfinished  cycle %d up to tick %d: what was thought in it is kept, and is not counted below but as calls; resume goes on from there\n", n.cycle, n.tick)
	}
	fmt.Fprintf(&b, "  agents      %d active, %d dormant, %d dead; epoch %d\n", s.Agents.Active, s.Agents.Dormant, s.Agents.Dead, s.Epoch)
	fmt.Fprintf(&b, "  NOPs        %.1f %% of slots; %s; agents fell dormant %s\n", share, llm.Count(s.Warnings, "warning"), llm.Count(s.Slept, "time"))
	if s.Agents.Active == 0 && s.Agents.Dormant > 0 {
		fmt.Fprintf(&b, "  asleep      no agent is active any more, so no mind is asked; kingdom tail %s --nop --dormancy says why each fell asleep\n", shellQuote(dir))
	}
	if s.Unanswered.All() > 0 {
		fmt.Fprintf(&b, "  idle        %s\n", idleText(&s.Unanswered, dir))
	}
	if s.Fallbacks > 0 {
		fmt.Fprintf(&b, "  outage      the scripted mind replaced the models for %s\n", llm.Count(s.Fallbacks, "thought"))
	}
	writeOutside(&b, "  outside     ", end.outside, 5, dir)
	end.planned.write(&b, "  refused     ", 5, dir)
	if world != nil {
		world.text(&b)
	}
	writeSpend(&b, spent, end.answers, dir)
	fmt.Fprintf(&b, "  world hash  %s\n", s.WorldHash)
	fmt.Fprintf(&b, "  run         %s\n", dir)
	if logs {
		fmt.Fprintf(&b, "  logs        %s\n", filepath.Join(dir, "log"))
	}
	if page != "" {
		fmt.Fprintf(&b, "  report      %s\n", page)
	}
	fmt.Fprintf(&b, "look closer   kingdom inspect %s\n", shellQuote(dir))
	if logs {
		fmt.Fprintf(&b, "              kingdom tail %s --nop --dormancy\n", shellQuote(dir))
	}
	fmt.Fprintf(&b, "              kingdom watch %s\n", shellQuote(dir))
	fmt.Fprintf(&b, "check it      kingdom replay %s\n", shellQuote(dir))
	fmt.Fprint(a.out, b.String())
}
