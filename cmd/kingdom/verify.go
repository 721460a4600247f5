package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/engine/durable"
	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/wire"
)

// verifyOptions are the flags of verify.
type verifyOptions struct{ update, failFast bool }

func newVerify(a *app) *cobra.Command {
	var opt verifyOptions
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Run a list of scenarios and compare their world hashes with the recorded ones",
		Long: "Run each entry of a YAML list of {name?, scenario, seed, cycles, set?, world_hash, cycle_hashes?} in memory and\n" +
			"compare its world hash. If an entry has cycle_hashes, one for each cycle, the first cycle that differs is named. All\n" +
			"entries are run and reported; the exit code is 3 if one differs, else 2 or 1 if one could not be run. The path of a\n" +
			"scenario is relative to the directory of the list; FILE - is standard input. --update writes the hashes that were\n" +
			"found, also where there was none (cycle_hashes: [] is filled in), and changes nothing else; if an entry could not be\n" +
			"run, it writes nothing; it says which entries changed. scenarios/golden.yaml is such a list.\n" +
			"Hashes name no agent. To learn which agent differs and at which tick, make a run of the entry with a build that agrees\n" +
			"and replay it with the one that does not: kingdom run my.yaml --seed 1 --cycles 6 --out old; kingdom replay old. If a\n" +
			"file of a scenario was changed, run the entry with both versions of it, and compare the runs.\n" +
			"Fields of a line of --json: entry, name, scenario, seed, set, cycles, want, got, same, and error if it could not be run;\n" +
			"if a cycle of cycle_hashes differs, first_difference {cycle (1 means that or the bootstrap), want, got}. The divergence\n" +
			"of the last line also has entry, the name of the entry.",
		Example: "  kingdom verify scenarios/golden.yaml\n  kingdom verify - --fail-fast < golden.yaml",
		Args:    args(1, "a golden file"),
		RunE: func(cmd *cobra.Command, names []string) error {
			list, err := readGolden(cmd, names[0])
			if err != nil {
				return err
			}
			if opt.update && names[0] == "-" {
				return usagef("--update needs a file to write to; name the file of the list instead of -")
			}
			a.limitMemory()
			return a.verify(cmd.Context(), names[0], list, opt)
		},
	}
	cmd.Flags().BoolVar(&opt.update, "update", false, "write the hashes found instead of comparing")
	cmd.Flags().BoolVar(&opt.failFast, "fail-fast", false, "stop at the first entry that differs or cannot be run")
	return cmd
}

// maxGolden is the largest list that is read, in bytes: hashes of 200,000 cycles. A device without an end has more.
const maxGolden = 16 << 20

func readGolden(cmd *cobra.Command, path string) (*scenarios.GoldenList, error) {
	var b []byte
	var err error
	file := path
	if path == "-" {
		file = "standard input"
		b, err = io.ReadAll(io.LimitReader(standardInput(cmd), maxGolden+1))
	} else if f, openErr := os.Open(path); openErr != nil {
		err = openErr
	} else {
		b, err = io.ReadAll(io.LimitReader(f, maxGolden+1))
		_ = f.Close() // nothing was written
	}
	switch info, statErr := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("%s does not exist; want a list of scenarios and their hashes, such as scenarios/golden.yaml", path)
	case err != nil && statErr == nil && info.IsDir():
		return nil, usagef("%s is a directory; want a list of scenarios and their hashes, such as scenarios/golden.yaml; kingdom replay %s checks a run", path, shellQuote(path))
	case err != nil:
		return nil, usage(err)
	case len(b) > maxGolden:
		return nil, usagef("%s has more than %d bytes; want at most %d, so divide the list", file, maxGolden, maxGolden)
	}
	list, err := scenarios.ParseGolden(file, b)
	if err != nil {
		return nil, usage(err)
	}
	return list, nil
}

// verify runs the entries and returns the first difference, else the first error of an entry that
// could not be run.
func (a *app) verify(ctx context.Context, path string, list *scenarios.GoldenList, opt verifyOptions) error {
	var differs, broken error
	for i := range list.Entries {
		g := &list.Entries[i]
		err := error(nil)
		if !opt.update {
			err = g.Check()
		}
		var world wire.Hash
		var cycles []string
		if err != nil {
			err = usage(err)
		} else if world, cycles, err = hashesOf(ctx, path, g); err == nil && opt.update {
			if err := list.Update(i, world.String(), cycles); err != nil {
				return usage(err)
			}
		} else if err == nil {
			err = compareHashes(path, i+1, g, world.String(), cycles)
		}
		if asType[*engine.InterruptedError](err) || errors.Is(err, context.Canceled) {
			err = &cancelledError{"interrupted; nothing was changed"} // there is no run that could be resumed
		}
		a.printEntry(i, g, world, err, opt.update)
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return err
		case asType[*engine.DivergenceError](err):
			differs = cmp.Or(differs, err)
		default:
			broken = cmp.Or(broken, fmt.Errorf("verify %s entry %d (%s): %w", path, i+1, g.Title(), err))
		}
		if opt.failFast {
			break
		}
	}
	if broken != nil && opt.update {
		return fmt.Errorf("%w; nothing was written to %s, because --update writes all entries or none: mend this one, then repeat the command", broken, path)
	}
	if err := cmp.Or(differs, broken); err != nil || !opt.update {
		return err
	}
	file, err := filepath.EvalSymlinks(path) // a link would be replaced, and the list that it leads to stay as it was
	if err == nil {
		err = durable.WriteBytes(file, list.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// entryError is the difference of an entry of a golden list.
type entryError struct {
	file, title string
	number      int    // in the list, from 1
	run         string // arguments of kingdom run that make a run of the entry
	scenario    string // its file, which may have changed since; empty: a built-in scenario
	exact       bool   // no cycle before differs, as far as the list has their hashes
	cause       *engine.DivergenceError
}

// where says at which cycle the entry differs, and no more than is known.
func (e *entryError) where() string {
	switch c := e.cause.Cycle; {
	case !e.exact:
		return fmt.Sprintf("at the end of cycle %d (nothing is known of the cycles before)", c)
	case c == 1:
		return "at cycle 1 or before: the list has no hash of the bootstrap"
	default:
		return fmt.Sprintf("first at cycle %d", c)
	}
}

func (e *entryError) Error() string {
	d := e.cause
	then, changed := "", ""
	if e.scenario != "" {
		then = fmt.Sprintf(" and %s as it was then", e.scenario)
		changed = fmt.Sprintf("; if that finds no difference, %s has changed, not the build: kingdom run %s --out new, then kingdom compare old new", e.scenario, e.run)
	}
	return fmt.Sprintf("verify %s entry %d (%s): the world hash differs %s: it is %s, recorded %s; to learn which agent differs and at which tick: with a build that agrees%s, kingdom run %s --out old, then with this one, kingdom replay old%s",
		e.file, e.number, e.title, e.where(), d.Got, d.Want, then, e.run, changed)
}

func (e *entryError) Unwrap() error { return e.cause }

// compareHashes finds the first difference between an entry and a run of it.
func compareHashes(list string, number int, g *scenarios.Golden, world string, cycles []string) error {
	differ := func(cycle uint64, want, got string) error {
		run := []string{shellQuote(g.Path(list)), "--seed", shellQuote(g.Seed), "--cycles", strconv.FormatUint(g.Cycles, 10)}
		for _, set := range g.Set {
			run = append(run, "--set", shellQuote(set))
		}
		file := ""
		if g.IsFile() {
			file = g.Path(list)
		}
		return &entryError{
			list, g.Title(), number, strings.Join(run, " "), file, len(g.CycleHashes) > 0,
			&engine.DivergenceError{Cycle: wire.Cycle(cycle), Component: "world_hash", Want: want, Got: got},
		}
	}
	for k, want := range g.CycleHashes {
		if k < len(cycles) && want != cycles[k] {
			return differ(uint64(k+1), want, cycles[k])
		}
	}
	if g.WorldHash != world {
		return differ(g.Cycles, g.WorldHash, world)
	}
	return nil
}

// printEntry reports one entry. update: the hash is written, not compared.
func (a *app) printEntry(i int, g *scenarios.Golden, got wire.Hash, err error, update bool) {
	differs, _ := asError[*entryError](err)
	if a.json {
		line := map[string]any{
			"entry": i + 1, "scenario": g.Scenario, "seed": g.Seed, "cycles": g.Cycles, "want": g.WorldHash, "same": g.WorldHash == got.String() && err == nil,
		}
		if g.Name != "" {
			line["name"] = g.Name
		}
		if len(g.Set) > 0 {
			line["set"] = g.Set
		}
		switch {
		case differs != nil && !differs.exact: // the last cycle is the only one that was compared
			line["got"] = got.String()
		case differs != nil:
			d := differs.cause
			line["got"], line["first_difference"] = got.String(), map[string]any{"cycle": d.Cycle, "want": d.Want, "got": d.Got}
		case err != nil:
			line["error"] = err.Error()
		default:
			line["got"] = got.String()
		}
		a.jsonLine(line)
		return
	}
	what := fmt.Sprintf("%s, %s", g.Title(), llm.Count(g.Cycles, "cycle"))
	switch {
	case differs != nil:
		more := ""
		if !differs.exact {
			more = "; to have the first cycle named, give the entry cycle_hashes: [] and fill it in with --update of a build that agrees"
		}
		fmt.Fprintf(a.out, "%s: DIFFERS %s: want %s, got %s%s\n", what, differs.where(), differs.cause.Want, differs.cause.Got, more)
	case err != nil:
		fmt.Fprintf(a.out, "%s: not run: %v\n", what, err)
	case update && g.WorldHash == got.String():
		fmt.Fprintf(a.out, "%s: %s, as before\n", what, got)
	case update && g.WorldHash != "":
		fmt.Fprintf(a.out, "%s: %s, CHANGED: it was %s\n", what, got, g.WorldHash)
	default:
		fmt.Fprintf(a.out, "%s: %s\n", what, got)
	}
}

// cycleHashes is an observer that keeps the world hash of each cycle.
type cycleHashes struct{ list []string }

// Commit implements engine.Observer; it does nothing.
func (c *cycleHashes) Commit(*engine.Commit) {}

// Cycle keeps one hash.
func (c *cycleHashes) Cycle(r *engine.CycleReport) {
	if r.Row.Cycle > 0 {
		c.list = append(c.list, r.Row.WorldHash.String())
	}
}

// hashesOf runs one entry in memory.
func hashesOf(ctx context.Context, list string, g *scenarios.Golden) (world wire.Hash, cycles []string, err error) {
	set := append([]string{"seed=" + g.Seed, fmt.Sprintf("cycles=%d", g.Cycles)}, g.Set...)
	sc, err := loadScenario(g.Path(list), set)
	if err != nil {
		return world, nil, err
	}
	if models := usedModels(sc); len(models) > 0 {
		return world, nil, usagef("%s thinks with the model %q, whose answers cannot be computed again; replay a run of it instead", g.Scenario, models[0].Name)
	}
	var seen cycleHashes
	eng, err := engine.Start(ctx, config(sc), engine.Options{Mind: offlineMind(sc), Observers: []engine.Observer{&seen}})
	if err != nil {
		return world, nil, err
	}
	sum, err := eng.Run(ctx, wire.Cycle(g.Cycles))
	err = errors.Join(err, eng.Close())
	if err == nil && uint64(len(seen.list)) != g.Cycles {
		err = fmt.Errorf("%d of %d cycles were seen", len(seen.list), g.Cycles)
	}
	return sum.WorldHash, seen.list, err
}
