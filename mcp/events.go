package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"kingdom/watch"
)

type explainIn struct {
	Agent who     `json:"agent" jsonschema:"the agent: its number, name, alias or id, or the beginning of these"`
	Tick  *uint64 `json:"tick,omitempty" jsonschema:"the tick to explain; without it: the last 20 acts with their ticks"`
}

type text struct {
	Text string `json:"text"`
	Note string `json:"note,omitempty" jsonschema:"what is wrong with the text"`
}

type happenedIn struct {
	Level string `json:"level,omitempty" jsonschema:"critical (deaths, epochs, inputs of operators), notable (also who falls asleep or wakes, warnings, faults, paid bounties, new entries), or routine (also each slot without an action, goals that ended)"`
	Agent who    `json:"agent,omitempty" jsonschema:"only what is about this agent: its number, name, alias or id"`
	After uint64 `json:"after,omitempty" jsonschema:"only items with a higher number, to hear what is new since an answer"`
	Limit uint64 `json:"limit,omitempty" jsonschema:"at most so many items, the newest"`
}

type happened struct {
	Items []item `json:"items"`
	After uint64 `json:"after" jsonschema:"give this as after to hear what is new since this answer"`
	Note  string `json:"note,omitempty" jsonschema:"what is left out"`
}

// item is something that happened.
type item struct {
	Number uint64 `json:"number"`
	Level  string `json:"level"`
	Cycle  uint64 `json:"cycle"`
	Tick   uint64 `json:"tick"`
	Agent  string `json:"agent,omitempty" jsonschema:"alias"`
	Text   string `json:"text"`
}

type stuckOut struct {
	Doing string      `json:"doing" jsonschema:"what the run is doing"`
	Stuck []stuckItem `json:"stuck"`
	Note  string      `json:"note,omitempty"`
}

// stuckItem is an agent that is stuck, and its last slot without an action.
type stuckItem struct {
	Agent  string `json:"agent" jsonschema:"alias"`
	Streak uint32 `json:"streak" jsonschema:"slots without an action in a row"`
	Reason string `json:"reason" jsonschema:"why it did nothing in the last of them"`
	Cycle  uint64 `json:"cycle"`
	Tick   uint64 `json:"tick"`
}

func (s *server) addEvents(to *sdk.Server) {
	sdk.AddTool(to, tool[explainIn]("explain", "What an agent did, and why",
		"Why an agent did what it did in one slot: what it saw, its goals with the terms of their priorities, the actions on offer with scores, what it thought, what it sent, the result and what it remembered. Without tick: its last acts, one per line, from which to choose a tick. Takes a second or more with tick, because the cycle is executed again.",
		func(p map[string]*jsonschema.Schema) {
			agentSchema(p["agent"])
			p["tick"].Type, p["tick"].Types = "integer", nil
			between(p["tick"], 0, 0, -1)
		}),
		func(ctx context.Context, _ *sdk.CallToolRequest, in explainIn) (*sdk.CallToolResult, text, error) {
			if in.Agent == "" {
				return nil, text{}, errNoAgent
			}
			said, err := s.run.Explain(ctx, string(in.Agent), in.Tick)
			if err != nil && said == "" {
				return nil, text{}, err
			}
			out := text{Text: fitText(said)}
			if err != nil {
				out.Note = err.Error()
			}
			return nil, out, nil
		})
	sdk.AddTool(to, tool[happenedIn]("what_happened", "What happened",
		"The timeline of the run in sentences, the newest last: deaths, agents that fall asleep or wake, births, warnings, faults, decided proposals, paid bounties, new entries, inputs of operators. Use it to find out when and why something went wrong. It holds the newest 2,000 items of each level, and events of the world of the last 16 cycles before the server began; query has all of them.",
		func(p map[string]*jsonschema.Schema) {
			p["level"].Enum, p["level"].Default = []any{"critical", "notable", "routine"}, json.RawMessage(`"notable"`)
			agentSchema(p["agent"])
			between(p["after"], 0, 0, 0)
			between(p["limit"], 1, 1000, 100)
		}),
		func(ctx context.Context, _ *sdk.CallToolRequest, in happenedIn) (*sdk.CallToolResult, happened, error) {
			out, err := s.happened(ctx, in)
			return nil, out, err
		})
	sdk.AddTool(to, tool[nothing]("stuck", "Who is stuck now",
		"Which agents are stuck now: three slots in a row or more without an action, the longest first, with the reason of the last. Use it when agents do not get on; explain with the tick shows what the agent saw there.", nil),
		func(ctx context.Context, _ *sdk.CallToolRequest, _ nothing) (*sdk.CallToolResult, stuckOut, error) {
			out, err := s.stuck(ctx)
			return nil, out, err
		})
}

func (s *server) happened(ctx context.Context, in happenedIn) (out happened, err error) {
	note, err := s.ready(ctx)
	if err != nil {
		return out, err
	}
	level, err := watch.ParseLevel(in.Level)
	if err != nil {
		return out, err
	}
	alias := ""
	if in.Agent != "" {
		if alias, err = s.run.Alias(ctx, string(in.Agent)); err != nil {
			return out, err
		}
	}
	found := s.run.Watcher.Timeline(in.After, level, alias, in.Limit+1)
	more := uint64(len(found)) > in.Limit
	if more {
		found = found[1:]
	}
	items := make([]item, len(found))
	out.After = in.After
	for i := range found {
		f := &found[i]
		items[i] = item{f.Number, f.Level.String(), uint64(f.Cycle), uint64(f.Tick), f.Agent, f.Text}
		out.After = f.Number
	}
	left := 0
	if out.Items, left, err = fit(items, true); more || left > 0 {
		note = joined("older items are left out: ask with a higher level, for one agent, or with query", note)
	}
	out.Note = note
	return out, err
}

func (s *server) stuck(ctx context.Context) (out stuckOut, err error) {
	note, err := s.ready(ctx)
	if err != nil {
		return out, err
	}
	found, err := s.run.Watcher.Stuck(ctx)
	if err != nil {
		return out, err
	}
	items := make([]stuckItem, len(found))
	for i, f := range found {
		items[i] = stuckItem{f.Agent, f.Streak, f.Reason, uint64(f.Cycle), uint64(f.Tick)}
	}
	status, _ := s.run.Watcher.Doing()
	left := 0
	out.Doing = status.Text
	if out.Stuck, left, err = fit(items, false); left > 0 {
		note = joined(fmt.Sprintf("%d more agents are stuck, with shorter streaks", left), note)
	}
	out.Note = note
	return out, err
}
