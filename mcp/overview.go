package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// nothing are the parameters of a tool that has none.
type nothing struct{}

// table is an answer of rows.
type table struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
	Note    string   `json:"note,omitempty" jsonschema:"what is left out, and how to get it"`
}

// seen is an agent as inspect shows it, as far as the list of agents has it.
type seen struct {
	Number     int     `json:"number"`
	Alias      string  `json:"alias"`
	Name       string  `json:"name"`
	Role       string  `json:"role"`
	Status     string  `json:"status"`
	Balance    int64   `json:"balance"`
	Reputation float64 `json:"reputation"`
	NOPStreak  uint32  `json:"nop_streak"`
	Goals      []struct {
		Kind string `json:"kind"`
	} `json:"goals"`
}

type agentsIn struct {
	Status string `json:"status,omitempty" jsonschema:"only agents with this status"`
	From   int    `json:"from,omitempty" jsonschema:"only agents from this number on, to go on where an answer was cut"`
}

type agentIn struct {
	Agent who `json:"agent" jsonschema:"the agent: its number, name, alias or id, or the beginning of these"`
}

func (s *server) addOverview(to *sdk.Server) {
	sdk.AddTool(to, tool[nothing]("run", "The run as a whole",
		"The state of the whole run: what it is doing or why it stopped, scenario, seed, last cycle, hashes, how many agents have which status, what happened in the world in all, what models cost. Use it first.", nil),
		func(ctx context.Context, _ *sdk.CallToolRequest, _ nothing) (*sdk.CallToolResult, any, error) {
			out, err := s.overview(ctx)
			return nil, out, err
		})
	sdk.AddTool(to, tool[agentsIn]("agents", "All agents",
		"One row for each agent at the end of the last cycle: number, alias, name, role, status, balance in ⚡, reputation from 0 to 1, NOP streak (how many slots in a row it did nothing) and kind of its top goal. Use it to find agents; the tool agent shows one in full.",
		func(p map[string]*jsonschema.Schema) {
			p["status"].Enum = []any{"EMBRYO", "ACTIVE", "DORMANT", "DEAD"}
			between(p["from"], 1, 0, 1)
		}),
		func(ctx context.Context, _ *sdk.CallToolRequest, in agentsIn) (*sdk.CallToolResult, table, error) {
			out, err := s.agents(ctx, in)
			return nil, out, err
		})
	sdk.AddTool(to, tool[agentIn]("agent", "One agent in full",
		"All about one agent at the end of the last cycle: status and why it sleeps or is dead, balance, reputation, NOP streak, all goals with priorities and texts. The name of a group shows all of its agents. For what it did use explain, for what happened to it what_happened.",
		func(p map[string]*jsonschema.Schema) { agentSchema(p["agent"]) }),
		func(ctx context.Context, _ *sdk.CallToolRequest, in agentIn) (*sdk.CallToolResult, any, error) {
			if in.Agent == "" {
				return nil, nil, errNoAgent
			}
			raw, err := s.run.Inspect(ctx, string(in.Agent))
			if err != nil {
				return nil, nil, err
			}
			out, err := fitObject(raw)
			return nil, out, err
		})
}

// overview is what inspect says of the run, with numbers of agents in place of the agents.
func (s *server) overview(ctx context.Context) (any, error) {
	note, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := s.run.Watcher.Inspection(ctx)
	if err != nil {
		return nil, err
	}
	agents, err := readAgents(raw)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("read what inspect says: %w", err)
	}
	byStatus := map[string]int{}
	for i := range agents {
		byStatus[agents[i].Status]++
	}
	out["agents"] = byStatus
	stuck, err := s.run.Watcher.Stuck(ctx)
	if err != nil {
		return nil, err
	}
	out["stuck_agents"] = len(stuck)
	status, _ := s.run.Watcher.Doing()
	out["directory"], out["doing"] = s.run.Dir, status.Text
	if out["world"], err = s.run.World(ctx); err != nil {
		return nil, err
	}
	if note != "" {
		out["note"] = note
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write what inspect says: %w", err)
	}
	return fitObject(b)
}

// readAgents reads the agents of an inspection.
func readAgents(raw []byte) ([]seen, error) {
	var in struct {
		Agents []seen `json:"agents"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, fmt.Errorf("read what inspect says of agents: %w", err)
	}
	return in.Agents, nil
}

func (s *server) agents(ctx context.Context, in agentsIn) (out table, err error) {
	if _, err := s.ready(ctx); err != nil {
		return out, err
	}
	raw, err := s.run.Watcher.Inspection(ctx)
	if err != nil {
		return out, err
	}
	all, err := readAgents(raw)
	if err != nil {
		return out, err
	}
	out = table{Columns: []string{"number", "alias", "name", "role", "status", "balance", "reputation", "nop_streak", "top_goal"}, Rows: [][]any{}}
	for i := range all {
		a := &all[i]
		if a.Number < in.From || in.Status != "" && a.Status != in.Status {
			continue
		}
		goal := ""
		if len(a.Goals) > 0 {
			goal = a.Goals[0].Kind
		}
		out.Rows = append(out.Rows, []any{a.Number, a.Alias, a.Name, a.Role, a.Status, a.Balance, a.Reputation, a.NOPStreak, goal})
	}
	left := 0
	if out.Rows, left, err = fit(out.Rows, false); left > 0 {
		out.Note = fmt.Sprintf("%d more agents are left out: ask again with from %d", left, out.Rows[len(out.Rows)-1][0].(int)+1)
	}
	return out, err
}
