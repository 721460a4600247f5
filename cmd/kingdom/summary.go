package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"

	"kingdom/llm"
	"kingdom/sql/table"
	"kingdom/wire"
)

// worldSummary is what happened in the world, as of the last stored cycle.
type worldSummary struct {
	Messages      int64          `json:"messages"`
	Entries       int64          `json:"entries"`
	Bounties      bountySummary  `json:"bounties"`
	Programs      programSummary `json:"programs"`
	Gini          float64        `json:"gini"`
	Richest       balanceSummary `json:"richest"` // of those that are not DEAD, as everything below and the Gini coefficient
	Poorest       balanceSummary `json:"poorest"`
	MinReputation float64        `json:"min_reputation"`
	MaxReputation float64        `json:"max_reputation"`
}

type bountySummary struct {
	Created   int64 `json:"created"`
	Completed int64 `json:"completed"`
	Expired   int64 `json:"expired"`
}

// programSummary is what was done with programs.
type programSummary struct {
	Repos  int64 `json:"repos"` // forks included
	Runs   int64 `json:"runs"`
	Faults int64 `json:"faults"` // of the runs
	Calls  int64 `json:"calls"`  // of services
	Proofs int64 `json:"proofs"`
}

type balanceSummary struct {
	Alias   string `json:"alias"`
	Name    string `json:"name,omitempty"` // as the scenario has it
	Balance int64  `json:"balance"`
}

// summarize reads the summary of the world from the store; it returns nil if no cycle is stored yet.
func summarize(ctx context.Context, st boundStore) (*worldSummary, error) {
	var w worldSummary
	completed, expired := int(wire.BountyStatusCompleted)-1, int(wire.BountyStatusExpired)-1
	dead := int(wire.StatusDead) - 1
	one := func(stmt string, dest ...any) (found bool, err error) {
		err = st.Query(ctx, stmt, nil, func(c table.Cursor) error {
			for c.Next() {
				if err := c.Scan(dest...); err != nil {
					return err
				}
				found = true
			}
			return c.Err()
		})
		return found, err
	}
	if found, err := one("SELECT gini_coefficient FROM observer.metrics ORDER BY cycle DESC LIMIT 1", &w.Gini); err != nil || !found {
		return nil, err
	}
	w.Gini = math.Round(w.Gini*1000) / 1000
	var rich, poor []byte
	events, err := st.EventCounts(ctx)
	if err != nil {
		return nil, fmt.Errorf("sum up the world: %w", err)
	}
	of := func(kinds ...wire.EventKind) (n int64) {
		for _, k := range kinds {
			n += int64(events[k])
		}
		return n
	}
	w.Programs = programSummary{
		Repos: of(wire.KindRepoCreated), Runs: of(wire.KindSandboxHalted, wire.KindSandboxFaulted), Faults: of(wire.KindSandboxFaulted),
		Calls: of(wire.KindServiceCalled), Proofs: of(wire.KindProofGenerated),
	}
	messages := fmt.Sprintf("SELECT count FROM world.chains WHERE system = %d AND tbl = 'messages'", wire.SystemAgora-1)
	const money = "SELECT a.id, a.name, m.amount FROM nexus.agents a JOIN mint.accounts m ON m.owner = a.id WHERE a.status <> %d ORDER BY m.amount %s, a.spawn_index LIMIT 1"
	for _, q := range []struct {
		stmt string
		dest []any
	}{
		{messages, []any{&w.Messages}},
		{"SELECT count(*) FROM oracle.entries WHERE published", []any{&w.Entries}},
		{fmt.Sprintf("SELECT count(*), COALESCE(sum(CASE WHEN status = %d THEN 1 ELSE 0 END), 0), COALESCE(sum(CASE WHEN status = %d THEN 1 ELSE 0 END), 0) FROM agora.bounties", completed, expired), []any{&w.Bounties.Created, &w.Bounties.Completed, &w.Bounties.Expired}},
		{fmt.Sprintf("SELECT COALESCE(min(reputation), 0), COALESCE(max(reputation), 0) FROM nexus.agents WHERE status <> %d", dead), []any{&w.MinReputation, &w.MaxReputation}},
		{fmt.Sprintf(money, dead, "DESC"), []any{&rich, &w.Richest.Name, &w.Richest.Balance}},
		{fmt.Sprintf(money, dead, "ASC"), []any{&poor, &w.Poorest.Name, &w.Poorest.Balance}},
	} {
		if _, err := one(q.stmt, q.dest...); err != nil {
			return nil, fmt.Errorf("sum up the world: %w", err)
		}
	}
	if len(rich) > 0 {
		w.Richest.Alias, w.Poorest.Alias = wire.AgentID(rich).Alias(), wire.AgentID(poor).Alias()
	}
	return &w, nil
}

// text writes the summary as lines, each beginning with a label.
func (w *worldSummary) text(b *strings.Builder) {
	fmt.Fprintf(b, "  world       %s, %s, %s: %d paid, %d expired\n", llm.Count(uint64(w.Messages), "message"), llm.Count(uint64(w.Entries), "entry"), llm.Count(uint64(w.Bounties.Created), "bounty"), w.Bounties.Completed, w.Bounties.Expired)
	if p := &w.Programs; *p != (programSummary{}) {
		fmt.Fprintf(b, "  programs    %s, %s (%s), %s of services, %s\n", llm.Count(uint64(p.Repos), "repo"), llm.Count(uint64(p.Runs), "run"),
			llm.Count(uint64(p.Faults), "fault"), llm.Count(uint64(p.Calls), "call"), llm.Count(uint64(p.Proofs), "proof"))
	}
	if w.Richest.Alias != "" {
		fmt.Fprintf(b, "  money       richest %s %d ⚡, poorest %s %d ⚡, Gini %.3f\n", cmp.Or(w.Richest.Name, w.Richest.Alias), w.Richest.Balance, cmp.Or(w.Poorest.Name, w.Poorest.Alias), w.Poorest.Balance, w.Gini)
	}
	fmt.Fprintf(b, "  reputation  %.2f to %.2f\n", w.MinReputation, w.MaxReputation)
}

// heading returns the first line of a summary. On a terminal it is green, or yellow if well is false,
// unless NO_COLOR is set.
func heading(out io.Writer, line string, well bool) string {
	c := color.New(color.Bold, color.FgGreen)
	if !well {
		c = color.New(color.Bold, color.FgYellow)
	}
	if o, is := out.(*output); is {
		out = o.Writer
	}
	f, ok := out.(*os.File)
	if ok && isatty.IsTerminal(f.Fd()) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(line)
}
