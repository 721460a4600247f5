package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"kingdom/mcp"
	"kingdom/watch"
	"kingdom/wire"
)

func newMCP(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp RUN",
		Short: "Let a language model look into a run, over the Model Context Protocol",
		Long: "Answer the questions of a language model about a run, during it or afterwards, as a server of the Model Context Protocol on\n" +
			"standard input and output. A client such as an editor or a research agent starts it; docs/MCP.md says how, and lists the\n" +
			"tools. It only reads, and the run does not know of it. It ends with its input, or by Ctrl-C.",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if a.json {
				return usagef("%s speaks the Model Context Protocol, which is JSON; leave out --json", cmd.CommandPath())
			}
			return serveMCP(cmd.Context(), a, names[0], standardInput(cmd))
		},
	}
}

// serveMCP answers questions until the input or the context ends.
func serveMCP(ctx context.Context, a *app, dir string, in io.Reader) error {
	run, err := openRun(ctx, dir, "")
	if err != nil {
		return err
	}
	if err := run.store.Close(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := watch.New(watched(a, dir, run.config.Rules.Calendar))
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		w.Follow(ctx)
	}()
	err = mcp.New(askedRun(a, dir, w)).Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: notClosed{a.out}})
	ended := ctx.Err() != nil // by Ctrl-C
	cancel()
	<-followed
	if err == nil || ended || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("read what the client asks: %w; kingdom mcp is started by a client of the Model Context Protocol, docs/MCP.md says how", err)
}

// notClosed is an output that is not closed with a session: it belongs to the process.
type notClosed struct{ io.Writer }

// Close implements io.Closer.
func (notClosed) Close() error { return nil }

// queryWait is how long a statement of a model may take.
const queryWait = 10 * time.Second

// askedRun is the run as a model asks for it. Each question opens the run anew, as it may have gone on.
func askedRun(a *app, dir string, w *watch.Watcher) mcp.Run {
	return mcp.Run{
		Dir: dir, Version: cmp.Or(buildVersion().name(), "unknown"), Watcher: w,
		Alias: func(ctx context.Context, name string) (alias string, err error) {
			err = withRun(ctx, dir, func(run *openedRun) error {
				var id wire.AgentID
				id, err := findAgent(ctx, run, dir, name)
				alias = id.Alias()
				return err
			})
			return alias, err
		},
		Inspect: func(ctx context.Context, name string) ([]byte, error) { return inspectionNow(ctx, a, dir, name) },
		Explain: func(ctx context.Context, name string, tick *uint64) (string, error) {
			var out, said bytes.Buffer // as the command would print
			f := explaining{app: &app{out: &out, err: &said}, dir: dir, agent: name, tick: tick}
			err := f.explain(ctx)
			return out.String() + said.String(), err
		},
		World: func(ctx context.Context) (world any, err error) {
			err = withRun(ctx, dir, func(run *openedRun) error {
				world, err = summarize(ctx, run.store)
				return err
			})
			return world, err
		},
		QueryWait: queryWait,
		Query: func(ctx context.Context, stmt string, limit int, each func([]string, []any) error) (columns []string, err error) {
			err = withRun(ctx, dir, func(run *openedRun) error {
				if isPostgres(run.file.Store) { // its functions can do more than read, such as end the connection of the run
					return usagef("%s is stored in PostgreSQL, and statements of a model are run in SQLite only; ask with kingdom query, or with the other tools", dir)
				}
				columns, err = selectIn(ctx, run, dir, stmt, limit, each)
				return err
			})
			return columns, err
		},
		Society: func(ctx context.Context) ([]byte, error) {
			m, err := measureDir(ctx, dir, &measuring{})
			if err != nil {
				return nil, err
			}
			var out bytes.Buffer
			err = printJSON(&out, m.toJSON())
			return out.Bytes(), err
		},
	}
}

// withRun opens a run for a question.
func withRun(ctx context.Context, dir string, ask func(*openedRun) error) (err error) {
	run, err := openRun(ctx, dir, "")
	if err != nil {
		return err
	}
	defer captureClose(&err, run.store.Close)
	return ask(run)
}
