package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"kingdom/observe"
	"kingdom/wire"
)

// agentName is the form of an alias or id. Whether there is such an agent tail does not
// know: one that never was stuck is in no line of these logs.
var agentName = regexp.MustCompile(`^([0-9a-f]{8}|[0-9a-f]{64})$`)

func newTail(a *app) *cobra.Command {
	var (
		nop, dormancy, follow bool
		agent                 string
		since                 uint64
	)
	cmd := &cobra.Command{
		Use:   "tail RUN",
		Short: "Show who is stuck: NOPs, dormancy, and what the engine says",
		Long: "Show the log streams of a run, during it or after it, in the order of ticks: --nop the slots that sent\n" +
			"nothing, --dormancy who fell asleep and woke and why; without either, all of it. -f follows the run. Where the\n" +
			"run's process ended without a word, standard error says so.\n" +
			"--json prints the lines as they are stored; their fields are in docs/LOGS.md.",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			dir := names[0]
			if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
				return usagef("%s is not a run directory: it has no run.json", dir)
			}
			defer a.sayStanding(cmd.Context(), dir, follow)()
			if agent != "" && !agentName.MatchString(agent) {
				return usagef("no agent is named %q: an alias has 8 digits of 0-9 and a-f, an id 64; kingdom inspect %s lists them", agent, dir)
			}
			streams := []observe.Stream{}
			if nop {
				streams = append(streams, observe.StreamNOP)
			}
			if dormancy {
				streams = append(streams, observe.StreamDormancy)
			}
			if !nop && !dormancy {
				streams = append(streams, observe.StreamEngine, observe.StreamNOP, observe.StreamDormancy)
			}
			err := observe.Tail(cmd.Context(), dir, observe.TailOptions{
				Streams: streams, Agent: agent, Since: wire.Cycle(since), Follow: follow,
			}, func(l observe.Line) error {
				if a.json {
					_, err := fmt.Fprintf(a.out, "%s\n", l.Raw)
					return err
				}
				_, err := fmt.Fprintln(a.out, l.Text())
				return err
			})
			if follow && errors.Is(err, context.Canceled) {
				return nil // Ctrl-C is how following ends
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&nop, "nop", false, "slots that sent nothing, with the reason and the streak")
	cmd.Flags().BoolVar(&dormancy, "dormancy", false, "warnings, agents falling asleep and waking, with the cause")
	cmd.Flags().StringVar(&agent, "agent", "", "only this agent, by alias or id")
	cmd.Flags().Uint64Var(&since, "since", 0, "from this cycle on")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "show also what the run adds, until Ctrl-C")
	return cmd
}
