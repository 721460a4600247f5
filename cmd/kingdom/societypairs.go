package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/society"
)

// pairCommand is a command that runs pairs of worlds and compares them.
type pairCommand struct {
	app    *app
	flags  runFlags
	seeds  string
	out    string
	only   string // subjects to compare, separated by commas; empty: all
	set    []string
	asCSV  bool
	shifts []society.Shift
	arms   func(sc *scenarios.Scenario, subject string) (from, to arm)
	noise  bool // compare the change of all acts with the variation between seeds
}

// arm is one side of a pair: the name of its directory and what it sets.
type arm struct {
	name string
	set  []string
}

const pairsFields = "The directory --out gets a sweep for each side. The same command again continues one that was interrupted.\n" +
	"Fields of --json: scenario, seeds, cycles, noise (null: not asked), subjects[] {name, moved, beyond_noise, shifts[] {key,\n" +
	"definition, want, from, to (null with why), relative (null: from nothing, or with why), pairs, right, holds, why}}."

func newAblate(a *app) *cobra.Command {
	p := &pairCommand{app: a, shifts: society.Blinded(), noise: true}
	p.arms = func(sc *scenarios.Scenario, layer string) (from, to arm) {
		blind := append(slices.Clone(sc.Minds.Blind), layer) // what the scenario blinds stays so, or two things would differ
		return arm{name: "sighted"}, arm{"blind-" + layer, []string{"minds.blind=[" + strings.Join(blind, ",") + "]"}}
	}
	cmd := &cobra.Command{
		Use:   "ablate SCENARIO",
		Short: "Measure what each layer of memory contributes (metric 19)",
		Long: "Measure what each layer of memory contributes. Run a scenario without any change (the sweep sighted in --out) and once\n" +
			"with each layer blinded (minds.blind; the sweep blind-LAYER), all over the same seeds. Layers that the scenario blinds\n" +
			"itself are blinded on both sides; its changes may not set minds.blind. Print for each layer how far the distribution of\n" +
			"acts moved (total variation over action and kind of goal, all seeds together) beyond the largest difference between two\n" +
			"halves of the unchanged runs, and the metric that the layer is expected to move (docs/SOCIETY.md).\n" + pairsFields,
		Example: "  kingdom society ablate society --seeds 101..108 --cycles 20 --out runs/ablate\n  kingdom society ablate epoch0 --seeds 1..4 --only money,peers --out runs/some",
	}
	return p.command(cmd, "layers")
}

func newGenome(a *app) *cobra.Command {
	p := &pairCommand{app: a, shifts: society.Genome()}
	p.arms = func(sc *scenarios.Scenario, trait string) (from, to arm) {
		all := func(value string) (set []string) {
			for i := range sc.Population {
				set = append(set, fmt.Sprintf("population[%d].traits.%s=%s", i, trait, value))
			}
			return set
		}
		return arm{trait + "-0.3", all("0.3")}, arm{trait + "-0.7", all("0.7")}
	}
	cmd := &cobra.Command{
		Use:   "genome SCENARIO",
		Short: "Measure which metric each trait moves (metric 20)",
		Long: "Run a scenario with each trait at 0.3 and then at 0.7 in all agents, over the same seeds. Print the metric that the trait\n" +
			"is named for, how far it moved, and in how many of the seeds it moved in the expected direction (docs/SOCIETY.md).\n" + pairsFields,
		Example: "  kingdom society genome society --seeds 101..112 --cycles 20 --out runs/genome",
	}
	return p.command(cmd, "traits")
}

func (p *pairCommand) command(cmd *cobra.Command, what string) *cobra.Command {
	var names []string
	for i := range p.shifts {
		if s := p.shifts[i].Subject; !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	cmd.Args = args(1, "a scenario")
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if p.asCSV && p.app.json {
			return usagef("--csv and --json exclude each other; leave one out")
		}
		subjects := names
		if p.only != "" {
			subjects = strings.Split(p.only, ",")
			for i, s := range subjects {
				if !slices.Contains(names, s) {
					return usagef("--only: %s is not one of the %s; they are %s", shellQuote(s), what, strings.Join(names, ", "))
				}
				if slices.Contains(subjects[:i], s) {
					return usagef("--only names %s twice", s)
				}
			}
		}
		found, err := p.compare(cmd, given[0], subjects)
		if err != nil {
			return err
		}
		switch {
		case p.asCSV:
			return found.printCSV(p.app.out)
		case p.app.json:
			return printJSON(p.app.out, found)
		}
		found.print(p.app.out)
		return nil
	}
	cmd.Flags().StringVar(&p.seeds, seedsFlag, "101..108", "seeds of each side, such as 101..108; an ablation takes 24 at most")
	cmd.Flags().Uint64Var(&p.flags.cycles, "cycles", 20, "cycles of each run")
	cmd.Flags().StringVar(&p.out, outFlag, "", "directory of the runs (default runs/SCENARIO-"+cmd.Name()+")")
	cmd.Flags().StringVar(&p.only, "only", "", "only these "+what+", separated by commas")
	cmd.Flags().BoolVar(&p.asCSV, "csv", false, "print a table for a spreadsheet")
	cmd.Flags().Int(jobsFlag, 0, "runs at the same time; default: one per processor")
	p.flags.store, p.flags.budget = defaultStore, -1
	addSet(cmd, &p.set)
	return cmd
}

// pairsFound is what the commands print.
type pairsFound struct {
	Scenario string         `json:"scenario"`
	Seeds    []string       `json:"seeds"`
	Cycles   uint64         `json:"cycles"`
	Noise    *float64       `json:"noise"`
	Subjects []subjectFound `json:"subjects"`
}

type subjectFound struct {
	Name   string       `json:"name"`
	Moved  float64      `json:"moved"`
	Beyond *float64     `json:"beyond_noise"`
	Shifts []shiftFound `json:"shifts"`
}

type shiftFound struct {
	Key        string   `json:"key"`
	Definition string   `json:"definition"`
	Want       string   `json:"want"`
	From       *float64 `json:"from"`
	To         *float64 `json:"to"`
	Relative   *float64 `json:"relative"`
	Pairs      int      `json:"pairs"`
	Right      int      `json:"right"`
	Holds      bool     `json:"holds"`
	Why        string   `json:"why"`
}

// compare runs both sides of each subject, unless they have been run, and measures them. A side that several
// subjects share is run once.
func (p *pairCommand) compare(cmd *cobra.Command, scenario string, subjects []string) (*pairsFound, error) {
	seeds, err := parseSeeds(p.seeds)
	if err != nil {
		return nil, err
	}
	if p.noise && len(seeds) > society.MostSeeds {
		return nil, usagef("--seeds names %d seeds; an ablation takes at most %d", len(seeds), society.MostSeeds)
	}
	if p.noise && len(seeds) < 2 {
		return nil, usagef("--seeds names one seed; an ablation compares halves of its runs and needs at least two")
	}
	if _, err := jobs(cmd, len(seeds)); err != nil { // before anything is run
		return nil, err
	}
	sc, err := loadScenario(scenario, p.set)
	if err != nil {
		return nil, err
	}
	if p.out == "" {
		p.out = filepath.Join("runs", sc.Name+"-"+cmd.Name())
	}
	if isSweep(p.out) || fileExists(filepath.Join(p.out, runFile)) {
		return nil, usagef("%s is the directory of a run or a sweep; want one of its own for the sweeps of both sides, so choose another --out", p.out)
	}
	for _, layer := range sc.Minds.Blind {
		if p.noise && slices.Contains(subjects, layer) {
			return nil, usagef("%s is blind to %s already (minds.blind), so both sides would be the same; name the other layers with --only", sc.Name, layer)
		}
	}
	if p.noise {
		if err := refuseBlindChanges(sc); err != nil {
			return nil, err
		}
	}
	found := &pairsFound{Scenario: sc.Name, Seeds: seeds, Cycles: p.flags.cycles}
	done := map[string]society.Arm{}
	side := func(a arm) (society.Arm, error) {
		if runs, ok := done[a.name]; ok {
			return runs, nil
		}
		runs, err := p.runArm(cmd, scenario, a, seeds)
		done[a.name] = runs
		return runs, err
	}
	for _, subject := range subjects {
		one, other := p.arms(sc, subject)
		from, err := side(one)
		if err != nil {
			return nil, err
		}
		to, err := side(other)
		if err != nil {
			return nil, err
		}
		if other.name != one.name && !p.noise { // no other subject is compared with this side
			delete(done, one.name)
		}
		delete(done, other.name)
		s := subjectFound{Name: subject, Moved: society.ActVariation(from, to)}
		if p.noise {
			if found.Noise == nil {
				noise := from.Noise()
				found.Noise = &noise
			}
			beyond := s.Moved - *found.Noise
			s.Beyond = &beyond
		}
		for i := range p.shifts {
			if p.shifts[i].Subject == subject {
				s.Shifts = append(s.Shifts, toShiftFound(p.shifts[i].Measure(from, to)))
			}
		}
		found.Subjects = append(found.Subjects, s)
	}
	return found, nil
}

// refuseBlindChanges returns an error if the scenario itself changes what agents are blind to: from that cycle on, the two
// sides of an ablation would differ by something else than the one layer, or by nothing.
func refuseBlindChanges(sc *scenarios.Scenario) error {
	for i := range sc.Changes {
		for j, set := range sc.Changes[i].Set {
			if strings.HasPrefix(set, "minds.blind") {
				return usage(sc.Wrong(fmt.Sprintf("changes[%d].set[%d]", i, j), fmt.Sprintf("sets what agents are blind to from cycle %d on, which an ablation does itself", sc.Changes[i].Cycle),
					"leave it out of the scenario for the ablation"))
			}
		}
	}
	return nil
}

func toShiftFound(s society.Shifted) shiftFound {
	out := shiftFound{Key: s.Key, Definition: s.Definition, Want: s.Want, Pairs: s.Pairs, Right: s.Right, Holds: s.Holds, Why: s.Why}
	if s.Why != "" { // the means are those of no pair
		return out
	}
	out.From, out.To = &s.From, &s.To
	if r := s.Relative(); !math.IsInf(r, 0) {
		out.Relative = &r
	}
	return out
}

// runArm runs one side as a sweep in a directory of its own and reads its runs.
func (p *pairCommand) runArm(cmd *cobra.Command, scenario string, a arm, seeds []string) (society.Arm, error) {
	set := slices.Concat(p.set, a.set)
	sc, err := loadScenario(scenario, append(slices.Clone(set), fmt.Sprintf("cycles=%d", p.flags.cycles)))
	if err != nil {
		return nil, withFlagNames(cmd, err, "cycles")
	}
	if err := fromEnvironment(sc); err != nil {
		return nil, err
	}
	file := newSweepFile(sc, seeds, set, &p.flags)
	file.cyclesGiven = true
	s, err := openOrNewSweep(filepath.Join(p.out, a.name), "", sc, file)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(p.app.err, "%s: %s\n", a.name, llm.Count(uint64(len(seeds)), "seed"))
	quiet := &app{out: io.Discard, err: p.app.err, json: p.app.json}
	interrupted := &cancelledError{fmt.Sprintf("interrupted at the runs of %s; the same command again goes on with what is missing", a.name)}
	if err := s.begin(quiet, cmd, &p.flags); err != nil {
		if cmd.Context().Err() != nil { // the sweep would advise to resume this one side
			return nil, interrupted
		}
		return nil, err
	}
	var runs society.Arm
	for _, seed := range seeds {
		i := slices.IndexFunc(s.runs, func(r *sweepRun) bool { return r.seed == seed })
		run, r, err := openSociety(cmd.Context(), s.runs[i].dir, s.runs[i].store)
		if err == nil {
			err = run.store.Close()
		}
		switch {
		case err != nil && cmd.Context().Err() != nil:
			return nil, interrupted
		case err != nil:
			return nil, fmt.Errorf("%s, seed %s: %w", a.name, seed, err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

func (f *pairsFound) print(out io.Writer) {
	fmt.Fprintf(out, "%s, %s of %s, seeds %s\n", f.Scenario, llm.Count(uint64(len(f.Seeds)), "pair"), llm.Count(f.Cycles, "cycle"), strings.Join(f.Seeds, ", "))
	if f.Noise != nil {
		fmt.Fprintf(out, "between halves of the unchanged runs acts differ by %s at most\n", formatShort(*f.Noise))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SUBJECT\tMOVED\tBEYOND\tFIGURE\tFROM\tTO\tCHANGE\tRIGHT\t\tWANTED")
	for i := range f.Subjects {
		s := &f.Subjects[i]
		name, moved, beyond := s.Name, formatShort(s.Moved), "-"
		if s.Beyond != nil {
			beyond = formatShort(*s.Beyond)
		}
		for _, x := range s.Shifts {
			from, to, change, verdict := "-", "-", "-", "fails"
			if x.Why == "" {
				from, to = formatShort(*x.From), formatShort(*x.To)
			}
			if x.Relative != nil {
				change = fmt.Sprintf("%+.1f %%", 100**x.Relative) // a whole +25 % may be less than the wanted one
			}
			if x.Holds {
				verdict = "holds"
			}
			want := x.Want
			if x.Why != "" {
				verdict, want = "-", want+"; no figure: "+x.Why
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d of %d\t%s\t%s\n", name, moved, beyond, x.Key, from, to, change, x.Right, x.Pairs, verdict, want)
			name, moved, beyond = "", "", ""
		}
	}
	_ = w.Flush() // output keeps the error
}

func (f *pairsFound) printCSV(out io.Writer) error {
	lines := [][]string{{"subject", "moved", "beyond_noise", "key", "from", "to", "pairs", "right", "holds", "want", "why"}}
	for i := range f.Subjects {
		s := &f.Subjects[i]
		beyond := ""
		if s.Beyond != nil {
			beyond = formatExact(*s.Beyond)
		}
		for _, x := range s.Shifts {
			from, to := "", ""
			if x.Why == "" {
				from, to = formatExact(*x.From), formatExact(*x.To)
			}
			lines = append(lines, []string{
				s.Name, formatExact(s.Moved), beyond, x.Key, from, to, strconv.Itoa(x.Pairs), strconv.Itoa(x.Right), strconv.FormatBool(x.Holds), x.Want, x.Why,
			})
		}
	}
	return csv.NewWriter(out).WriteAll(lines)
}
