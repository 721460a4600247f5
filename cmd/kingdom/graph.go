package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"kingdom/llm"
	"kingdom/society"
	"kingdom/sql/table"
)

// The networks that graph writes.
const (
	graphAnswers      = "answers"
	graphPayments     = "payments"
	graphCitations    = "citations"
	graphDependencies = "dependencies"
)

func newGraph(a *app) *cobra.Command {
	var of, out, store string
	cmd := &cobra.Command{
		Use:   "graph RUN",
		Short: "Write a network of a run as GraphML: answers, payments, citations or dependencies",
		Long: "Write a network of a run as GraphML, which Gephi, Cytoscape, igraph, networkx and yEd read. --of names it:\n" +
			"answers (an edge leads from who answered to who had asked; value: answers), payments (from payer to payee, without\n" +
			"systems; values: payments, amount in ⚡), citations (from the citing to the cited entry; values: kind, tick), dependencies\n" +
			"(from a repo to one that it depends on; values: tag, required, tick). Agents have the values agent, name, role,\n" +
			"status, balance, reputation and productive_acts; entries: entry, title, author, tag, accuracy, tick; repos: repo,\n" +
			"name, owner. Values are those at the end of the run. Fields of --json (with --out): graph, of, nodes, edges.",
		Example: "  kingdom graph runs/epoch0-42 --of payments --out payments.graphml",
		Args:    args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if isSweep(names[0]) {
				return usagef("%s is a sweep, and a network is that of one run; name one, such as %s", names[0], shellQuote(anyRun(names[0])))
			}
			if a.json && out == "" {
				return usagef("--json says what was written to a file; give --out too, or leave it out")
			}
			g, err := readGraph(cmd.Context(), names[0], store, of)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := g.WriteGraphML(&b); err != nil {
				return err
			}
			if out == "" {
				_, err := a.out.Write(b.Bytes())
				return err
			}
			if err := graphOut(of).write(out, b.Bytes()); err != nil {
				return err
			}
			if a.json {
				a.jsonLine(struct {
					Graph string `json:"graph"`
					Of    string `json:"of"`
					Nodes int    `json:"nodes"`
					Edges int    `json:"edges"`
				}{out, of, len(g.Nodes), len(g.Edges)})
				return nil
			}
			fmt.Fprintf(a.out, "%s: %s with %s and %s\n", out, of, llm.Count(uint64(len(g.Nodes)), "node"), llm.Count(uint64(len(g.Edges)), "edge"))
			return nil
		},
	}
	cmd.Flags().StringVar(&of, "of", graphAnswers, "which network: answers, payments, citations or dependencies")
	cmd.Flags().StringVar(&out, outFlag, "", "file to write; none: print it; an earlier one is replaced, no other file")
	cmd.Flags().StringVar(&store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

func readGraph(ctx context.Context, dir, store, of string) (g *society.Graph, err error) {
	switch of {
	case graphAnswers, graphPayments, graphCitations, graphDependencies:
	default:
		return nil, usagef("--of is %q; want answers, payments, citations or dependencies", of)
	}
	run, r, err := openSociety(ctx, dir, store)
	if err != nil {
		return nil, err
	}
	defer captureClose(&err, run.store.Close)
	names, err := namesIn(ctx, run)
	if err != nil {
		return nil, err
	}
	switch of {
	case graphPayments:
		return r.PaymentGraph(names), nil
	case graphCitations:
		return r.CitationGraph(), nil
	case graphDependencies:
		views := "v_"
		if isPostgres(cmp.Or(store, run.file.Store)) {
			views = "v."
		}
		return dependencyGraph(ctx, run.store.Query, views)
	}
	return r.AnswerGraph(names), nil
}

// dependencyGraph reads the repos and what they depend on; views begins the names of the store's views.
func dependencyGraph(ctx context.Context, query table.Query, views string) (*society.Graph, error) {
	g := &society.Graph{
		NodeKeys: []society.GraphKey{{Name: "repo", Type: "string"}, {Name: "name", Type: "string"}, {Name: "owner", Type: "string"}},
		EdgeKeys: []society.GraphKey{{Name: "tag", Type: "string"}, {Name: "required", Type: "long"}, {Name: "tick", Type: "long"}},
	}
	var id, name, owner string
	err := each(ctx, query, "SELECT id, name, owner FROM "+views+"repos ORDER BY id", []any{&id, &name, &owner}, func() {
		g.Nodes = append(g.Nodes, society.GraphNode{ID: id, Values: []string{id, name, owner}})
	})
	if err != nil {
		return nil, fmt.Errorf("read repos: %w", err)
	}
	var from, to, tag string
	var required, tick int64
	err = each(ctx, query, "SELECT from_repo, to_repo, to_tag, required, tick FROM "+views+"dependencies ORDER BY from_repo, to_repo", []any{&from, &to, &tag, &required, &tick}, func() {
		g.Edges = append(g.Edges, society.GraphEdge{From: from, To: to, Values: []string{tag, strconv.FormatInt(required, 10), strconv.FormatInt(tick, 10)}})
	})
	if err != nil {
		return nil, fmt.Errorf("read dependencies: %w", err)
	}
	return g, nil
}

// each scans each row of a query into dest and calls got.
func each(ctx context.Context, query table.Query, sql string, dest []any, got func()) error {
	return query(ctx, sql, nil, func(c table.Cursor) error {
		for c.Next() {
			if err := c.Scan(dest...); err != nil {
				return err
			}
			got()
		}
		return c.Err()
	})
}
