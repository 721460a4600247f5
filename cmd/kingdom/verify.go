package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/scenarios"
	"kingdom/wire"
)

func newVerify(a *app) *cobra.Command {
	var update bool
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Run a list of histories and compare their world hashes",
		Long: "Run each entry of a YAML list of {scenario, seed, cycles, set?, world_hash} in memory and compare its\n" +
			"world hash; the first that differs is named and the exit code is 3. --update writes the hashes found.\n" +
			"scenarios/golden.yaml is such a list. Each line of --json: scenario, seed, cycles, want, got, same.",
		Args: args(1, "a golden file"),
		RunE: func(cmd *cobra.Command, names []string) error {
			golden, err := scenarios.LoadGolden(names[0])
			if err != nil {
				return usage(err)
			}
			a.limitMemory()
			for i := range golden {
				g := &golden[i]
				got, err := hashOf(cmd.Context(), g)
				if err != nil {
					return fmt.Errorf("verify %s entry %d (%s, seed %s): %w", names[0], i+1, g.Scenario, g.Seed, err)
				}
				a.verified(g, got)
				if update {
					g.WorldHash = got.String()
				} else if got.String() != g.WorldHash {
					return &engine.DivergenceError{
						Cycle: wire.Cycle(g.Cycles), Component: fmt.Sprintf("world_hash of %s seed %s", g.Scenario, g.Seed),
						Want: g.WorldHash, Got: got.String(),
					}
				}
			}
			if update {
				if err := os.WriteFile(names[0], scenarios.FormatGolden(golden), 0o644); err != nil {
					return fmt.Errorf("write %s: %w", names[0], err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&update, "update", false, "write the hashes found instead of comparing")
	return cmd
}

func (a *app) verified(g *scenarios.Golden, got wire.Hash) {
	if a.json {
		a.jsonLine(map[string]any{
			"scenario": g.Scenario, "seed": g.Seed, "cycles": g.Cycles, "want": g.WorldHash, "got": got.String(),
			"same": g.WorldHash == got.String(),
		})
		return
	}
	fmt.Fprintf(a.out, "%s seed %s, %s: %s\n", g.Scenario, g.Seed, counted(g.Cycles, "cycle"), got)
}

// hashOf runs one entry in memory.
func hashOf(ctx context.Context, g *scenarios.Golden) (wire.Hash, error) {
	set := append([]string{"seed=" + g.Seed, fmt.Sprintf("cycles=%d", g.Cycles)}, g.Set...)
	sc, err := loadScenario(g.Scenario, set)
	if err != nil {
		return wire.Hash{}, err
	}
	if models := usedModels(sc); len(models) > 0 {
		return wire.Hash{}, usagef("%s thinks with the model %q, whose answers cannot be computed again; replay a run of it instead", g.Scenario, models[0])
	}
	eng, err := engine.Start(ctx, config(sc), engine.Options{Mind: scriptedMind(sc)})
	if err != nil {
		return wire.Hash{}, err
	}
	sum, err := eng.Run(ctx, wire.Cycle(g.Cycles))
	return sum.WorldHash, errors.Join(err, eng.Close())
}
