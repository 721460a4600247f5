package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"kingdom/internal/fakellm"
)

func newDev(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Tools to try things with",
	}
	cmd.AddCommand(newFakeLLM(a))
	return group(cmd)
}

func newFakeLLM(a *app) *cobra.Command {
	var addr string
	var seed uint64
	var key string
	var babble bool
	var latency time.Duration
	cmd := &cobra.Command{
		Use:   "fakellm",
		Short: "Serve a model that needs no key, to try runs with language models",
		Long: "Serve the OpenAI chat form on this machine until Ctrl-C. The model is none: it answers each prompt with one\n" +
			"of the actions that the prompt offers, the same prompt always alike. --babble answers with random tokens instead,\n" +
			"to see how a run bears a model that cannot answer, and --key refuses whoever gives another key.",
		Example: "  kingdom dev fakellm\n  KINGDOM_ENDPOINT=http://127.0.0.1:8089/v1 KINGDOM_MODEL=fake kingdom run epoch0-llm --cycles 3",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := net.Listen("tcp", addr)
			if err != nil {
				return usagef("listen on %s: %w; choose another --addr", addr, err)
			}
			fmt.Fprintf(a.out, "serving http://%s/v1; stop with Ctrl-C\n", l.Addr())
			s := &fakellm.Server{Seed: seed, Key: key, Forget: true, Latency: latency}
			if babble {
				s.Script = fakellm.Babble(seed)
			}
			return serve(cmd.Context(), l, s)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8089", "address to serve on; port 0 takes a free one")
	cmd.Flags().DurationVar(&latency, "latency", 0, "how long an answer takes, such as 200ms")
	cmd.Flags().BoolVar(&babble, "babble", false, "answer with random tokens")
	cmd.Flags().StringVar(&key, "key", "", "the one key that is accepted: a made-up one, since others on the machine can read it here")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "answers differ between seeds")
	return cmd
}

// serve serves until the context ends.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
