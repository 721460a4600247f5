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
	"kingdom/llm"
)

func newDev(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Tools for trying things out",
	}
	cmd.AddCommand(newFakeLLM(a))
	return group(cmd)
}

func newFakeLLM(a *app) *cobra.Command {
	var addr string
	var seed uint64
	var key string
	var babble bool
	var fail string
	var size uint64
	var latency time.Duration
	cmd := &cobra.Command{
		Use:   "fakellm",
		Short: "Serve a model that needs no key, to try runs with language models",
		Long: "Serve the OpenAI chat API on this machine until Ctrl-C. There is no real model: each prompt is answered with one\n" +
			"of the actions that it offers, and equal prompts always get equal answers. --babble answers with random tokens\n" +
			"instead, which shows how a run copes with a model that cannot answer. --key refuses requests with any other key.\n" +
			"--fail lets shares of the requests fail: with an HTTP status from 400 to 599, timeout (no reply), garbage (no chat\n" +
			"completion) or close (the connection breaks); --context refuses prompts that do not fit.\n" +
			"At the end it says what it counted, to compare with the summary of a run.\n" +
			"Fields of --json: serving, the endpoint; in a second line requests, answers, prompt_tokens and output_tokens.",
		Example: "  kingdom dev fakellm\n  KINGDOM_ENDPOINT=http://127.0.0.1:8089/v1 KINGDOM_MODEL=fake kingdom run epoch0-llm --cycles 3\n" +
			"  kingdom dev fakellm --fail 429:0.1,500:0.05,timeout:0.02 --context 16000",
		Args: args(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if latency < 0 {
				return usagef("--latency is %v; want a duration from 0, such as 200ms", latency)
			}
			for name, value := range map[string]string{"key": key, "fail": fail} {
				if value == "" && cmd.Flags().Changed(name) { // as of a variable that is not set
					return usagef("--%s is empty; leave it out if none is meant", name)
				}
			}
			s := &fakellm.Server{Seed: seed, Key: key, Forget: true, Latency: latency, Context: size}
			if babble {
				s.Script = fakellm.Babble(seed)
			}
			switch {
			case fail != "" && babble:
				return usagef("--fail and --babble do not go together; choose one")
			case fail != "":
				var err error
				if s.Script, err = fakellm.Storm(fail, seed); err != nil {
					return usagef("--fail: %w", err)
				}
			}
			l, err := net.Listen("tcp", addr)
			if err != nil {
				return usagef("listen on %s: %w; choose another --addr", addr, err)
			}
			a.limitMemory()
			if url := fmt.Sprintf("http://%s/v1", l.Addr()); a.json {
				a.jsonLine(map[string]string{"serving": url})
			} else {
				fmt.Fprintf(a.out, "serving %s; stop with Ctrl-C\n", url)
			}
			if err := serve(cmd.Context(), l, s); err != nil {
				return err
			}
			a.printServed(s.Counts())
			return nil
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8089", "address to serve on; port 0 takes a free one")
	cmd.Flags().DurationVar(&latency, "latency", 0, "how long an answer takes, such as 200ms")
	cmd.Flags().BoolVar(&babble, "babble", false, "answer with random tokens")
	cmd.Flags().StringVar(&fail, "fail", "", "shares of the requests that fail, such as 429:0.1,500:0.05,timeout:0.02,garbage:0.02,close:0.02")
	cmd.Flags().Uint64Var(&size, "context", 0, "tokens of a prompt and its answer that the model takes; 0 takes any")
	cmd.Flags().StringVar(&key, "key", "", "the only key that is accepted; make one up, because others on this machine can read the command line")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "answers differ between seeds")
	return cmd
}

// printServed prints what a model server counted.
func (a *app) printServed(c fakellm.Counts) {
	if a.json {
		a.jsonLine(map[string]uint64{"requests": c.Requests, "answers": c.Answers, "prompt_tokens": c.PromptTokens, "output_tokens": c.OutputTokens})
		return
	}
	fmt.Fprintf(a.out, "%s, of which %d were answered: %d tokens in, %d out\n", llm.Count(c.Requests, "request"), c.Answers, c.PromptTokens, c.OutputTokens)
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
