package mcp

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"kingdom/wire"
)

type metricsIn struct {
	From uint64  `json:"from,omitempty" jsonschema:"first cycle"`
	To   *uint64 `json:"to,omitempty" jsonschema:"last cycle; without it: the last of the run"`
}

type queryIn struct {
	SQL   string `json:"sql" jsonschema:"one SELECT in the dialect of SQLite"`
	Limit int    `json:"limit,omitempty" jsonschema:"at most so many rows"`
}

func (s *server) addFigures(to *sdk.Server) {
	sdk.AddTool(to, tool[metricsIn]("metrics", "Figures by cycle",
		"Figures of the world by cycle: agents, repos, entries, money in circulation, Gini coefficient, velocity, bounties, transactions, messages, NOPs, slots, calls to models, tokens and cost in micro USD. Some are counted in the cycle, others in all. Use it for trends.",
		func(p map[string]*jsonschema.Schema) {
			between(p["from"], 0, 0, 0)
			p["to"].Type, p["to"].Types = "integer", nil
			between(p["to"], 0, 0, -1)
		}),
		func(ctx context.Context, _ *sdk.CallToolRequest, in metricsIn) (*sdk.CallToolResult, table, error) {
			out, err := s.metrics(ctx, in)
			return nil, out, err
		})
	sdk.AddTool(to, tool[queryIn]("query", "Ask the database",
		"Run one SELECT over the database of the run (SQLite) for what no other tool tells: counts, who trades with whom, texts of messages. Use the views, which have names in place of numbers: v_acts (tick, cycle, agent, action, outcome, goal_kind, lesson), v_agents, v_messages (tick, cycle, channel, author, kind, text), v_replies, v_transactions (tick, cycle, payer, payee, kind, amount), v_accounts, v_bounties, v_entries, v_goals, v_beliefs, v_plans, v_events (tick, cycle, kind, payload), v_proposals, v_repos, v_runs, v_service_calls, v_pages, v_calls (model, tokens, cost); columns: SELECT name FROM pragma_table_info('v_acts'). A statement that takes longer than "+s.run.QueryWait.String()+" is ended.",
		func(p map[string]*jsonschema.Schema) {
			least, most := 1, 20_000
			p["sql"].MinLength, p["sql"].MaxLength = &least, &most
			between(p["limit"], 1, 1000, 100)
		}),
		func(ctx context.Context, _ *sdk.CallToolRequest, in queryIn) (*sdk.CallToolResult, table, error) {
			out, err := s.query(ctx, in)
			return nil, out, err
		})
	sdk.AddTool(to, tool[nothing]("society", "Social metrics",
		"The social metrics of the run, such as reciprocity, specialisation, Gini, turnout of votes, thoughts per act: each with its definition, value, and the band (low to high) in which it is expected. Needs the tables of a finished run. Use it to judge whether the population behaves as a society. Takes seconds.", nil),
		func(ctx context.Context, _ *sdk.CallToolRequest, _ nothing) (*sdk.CallToolResult, any, error) {
			raw, err := s.run.Society(ctx)
			if err != nil {
				return nil, nil, err
			}
			out, err := fitObject(raw)
			return nil, out, err
		})
}

func (s *server) metrics(ctx context.Context, in metricsIn) (out table, err error) {
	if in.To != nil && *in.To < in.From {
		return out, fmt.Errorf("to is %d and from is %d; want to at least from", *in.To, in.From)
	}
	if out.Note, err = s.ready(ctx); err != nil {
		return out, err
	}
	figures := s.run.Watcher.Figures(wire.Cycle(in.From))
	rows := [][]any{}
	for _, row := range figures.Rows {
		if in.To != nil && uint64(row.Cycle) > *in.To {
			break
		}
		values := make([]any, len(row.Values))
		for i, v := range row.Values {
			values[i] = v
		}
		rows = append(rows, values)
	}
	if out.Columns = figures.Columns; len(rows) == 0 {
		out.Columns = []string{}
		out.Note = joined("there are no figures of these cycles: each cycle has them when it has ended", out.Note)
	}
	left := 0
	if out.Rows, left, err = fit(rows, false); left > 0 {
		out.Note = joined(fmt.Sprintf("%d more cycles are left out: ask again with from %d", left, uint64(figures.Rows[len(out.Rows)].Cycle)), out.Note)
	}
	return out, err
}

func (s *server) query(ctx context.Context, in queryIn) (out table, err error) {
	limited, cancel := context.WithTimeout(ctx, s.run.QueryWait)
	defer cancel()
	found := foundRows{limit: in.Limit, rows: [][]any{}}
	columns, err := s.run.Query(limited, in.SQL, in.Limit+1, found.add)
	switch {
	case errors.Is(err, errEnough):
		columns = found.columns
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return out, fmt.Errorf("the statement took longer than %v and was ended; ask for less, such as for fewer cycles", s.run.QueryWait)
	case err != nil:
		return out, err
	}
	left := 0
	out.Columns = columns
	if out.Rows, left, err = fit(found.rows, false); left > 0 || found.more {
		out.Note = fmt.Sprintf("further rows are left out after the first %d: use LIMIT and OFFSET, WHERE or GROUP BY, or a higher limit if it is below 1000", len(out.Rows))
	}
	if found.cut {
		out.Note = joined(out.Note, "values of more than 4096 bytes are cut: use substr")
	}
	return out, err
}

const (
	// mostOfValue is how many bytes of a value are shown, mostOfRows after how many no further row is read.
	mostOfValue, mostOfRows = 4 << 10, 1 << 20
)

// errEnough ends a statement that has found as much as can be shown.
var errEnough = errors.New("enough was found")

// foundRows are the rows that a statement finds, as far as they are shown.
type foundRows struct {
	limit   int
	columns []string
	rows    [][]any
	size    int
	more    bool // there are further rows
	cut     bool // long values are cut
}

func (f *foundRows) add(columns []string, values []any) error {
	f.columns = columns
	if f.more = len(f.rows) == f.limit || f.size > mostOfRows; f.more {
		return errEnough
	}
	for i, v := range values {
		switch v := v.(type) {
		case string:
			if len(v) > mostOfValue {
				values[i], f.cut = strings.ToValidUTF8(v[:mostOfValue], ""), true
			}
			f.size += min(len(v), mostOfValue)
		case []byte:
			f.cut = f.cut || len(v) > mostOfValue
			values[i] = hex.EncodeToString(v[:min(len(v), mostOfValue)])
			f.size += 2 * min(len(v), mostOfValue)
		}
		f.size += 8
	}
	f.rows = append(f.rows, values)
	return nil
}
