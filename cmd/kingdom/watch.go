package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/watch"
	"kingdom/wire"
)

// defaultListen is where the page is served unless --listen says otherwise: only this machine can reach it.
const defaultListen = "127.0.0.1:3000"

func newWatch(a *app) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "watch RUN",
		Short: "Serve a page that shows a run while it goes on: who is stuck, and what happens",
		Long: "Serve a page about a run, during it or afterwards, until Ctrl-C: which agents are stuck now, the state of all agents, what\n" +
			"happened, and figures by cycle. It only reads, and the run does not know of it. Programs can ask for the same as JSON\n" +
			"and hear what happens over a WebSocket; docs/WATCH.md lists the addresses. Whoever can reach the address can read the\n" +
			"run, so by default only this machine can. With --json the first line is {url}.",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			return watchRun(cmd.Context(), a, names[0], listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "address and port to serve at; port 0 takes a free one")
	return cmd
}

func watchRun(ctx context.Context, a *app, dir, listen string) (err error) {
	run, err := openRun(ctx, dir, "")
	if err != nil {
		return err
	}
	if err := run.store.Close(); err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return usagef("--listen is %q; want an address and a port, such as %s", listen, defaultListen)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return fmt.Errorf("serve the page: %w; choose another address, or --listen 127.0.0.1:0 for a free port", err)
	}
	at := l.Addr().String()
	w := watch.New(watched(a, dir, run.config.Rules.Calendar))
	server := &http.Server{
		Handler: w.Handler(hostToCheck(l.Addr())), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // pages that are open see that it has gone
	defer stop()
	if a.json {
		a.jsonLine(map[string]string{"url": "http://" + at})
	} else {
		a.say("http://%s shows %s; Ctrl-C ends", at, dir)
	}
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		w.Follow(ctx)
	}()
	err = server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		<-followed
		return nil // Ctrl-C is how watching ends
	}
	return fmt.Errorf("serve the page: %w", err)
}

// hostToCheck is the address as which the page may be opened; "" if it can be reached from other machines, whose names for it nobody
// knows here.
func hostToCheck(at net.Addr) string {
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return at.String()
	}
	return ""
}

// watched is the run as a watcher asks for it. Each question opens the run anew, as it may have gone on.
func watched(a *app, dir string, calendar wire.Calendar) watch.Run {
	return watch.Run{
		Dir: dir, Calendar: calendar,
		Names:   func(ctx context.Context) map[wire.AgentID]string { return namesSoFar(ctx, dir).known },
		Status:  func(ctx context.Context) (watch.Status, error) { return statusOf(ctx, dir) },
		Inspect: func(ctx context.Context) ([]byte, error) { return inspectionNow(ctx, a, dir, "") },
		Events: func(ctx context.Context, from, to wire.Cycle, kinds []wire.EventKind) ([]watch.Event, error) {
			return eventsIn(ctx, dir, from, to, kinds)
		},
	}
}

// inspectionNow returns what kingdom inspect --json prints of a run, or of an agent of it, at the end of its last cycle.
func inspectionNow(ctx context.Context, a *app, dir, agent string) (out []byte, err error) {
	f := inspecting{app: a, dir: dir, cycle: -1, agent: agent}
	if f.run, err = openRun(ctx, dir, ""); err != nil {
		return nil, err
	}
	defer captureClose(&err, f.run.store.Close)
	eng, err := f.reconstruct(ctx, engine.LastCycle)
	if err != nil {
		return nil, err
	}
	defer captureClose(&err, eng.Close)
	in, _, _, err := f.look(ctx, eng)
	if err != nil {
		return nil, err
	}
	return json.Marshal(in)
}

// statusOf says what a run is doing: for whom it waits, and why it has stopped.
func statusOf(ctx context.Context, dir string) (watch.Status, error) {
	s, err := stateNow(ctx, dir)
	if isMissing(err) && !fileExists(dir) {
		return watch.Status{}, fmt.Errorf("%s is gone: it was removed or renamed", dir)
	}
	if err != nil {
		return watch.Status{}, err
	}
	out := watch.Status{Running: s.Status == engine.StatusRunning, Text: s.text(dir)}
	if s.Cause != "" {
		out.Text += "; cause: " + s.Cause
	}
	if wait := observe.ReadWait(dir); wait != nil && out.Running {
		out.Text += "; " + wait.Text(namesSoFar(ctx, dir).known, time.Now())
	}
	return out, nil
}

// eventsIn reads the events of some kinds in some cycles, cycle by cycle.
func eventsIn(ctx context.Context, dir string, from, to wire.Cycle, kinds []wire.EventKind) (out []watch.Event, err error) {
	run, err := openRun(ctx, dir, "")
	if err != nil {
		return nil, err
	}
	defer captureClose(&err, run.store.Close)
	for c := from; c <= to; c++ {
		for _, k := range kinds {
			payloads, err := run.store.EventsOf(ctx, c, k)
			if err != nil {
				return nil, err
			}
			for _, b := range payloads {
				p, err := wire.DecodePayload(k, b)
				if err != nil {
					return nil, fmt.Errorf("read an event %s of cycle %d: %w", k, c, err)
				}
				out = append(out, watch.Event{Cycle: c, Kind: k, Payload: p})
			}
		}
	}
	return out, nil
}
