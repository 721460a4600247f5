package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/scenarios"
)

// completions sets what a shell offers for the arguments of each command: scenarios by name and files, run
// directories, agents of a run, paths of scenario values.
func completions(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			group(cmd)
			cmd.Long = "Print a script that completes kingdom's commands, scenarios, run directories, agents and --set paths in a shell.\n" +
				"That of bash needs the package bash-completion (2 or newer); the others need nothing."
			for _, c := range append(cmd.Commands(), cmd) {
				c.PreRunE = func(cmd *cobra.Command, _ []string) error {
					if asJSON, err := cmd.Flags().GetBool("json"); err == nil && asJSON {
						return usagef("%s prints a script for a shell, which is no JSON; leave out --json", cmd.CommandPath())
					}
					return nil
				}
			}
		case "run", "doctor", "prompt":
			cmd.ValidArgsFunction = completeScenario
		case "replay", "society", "query":
			cmd.ValidArgsFunction = completeRunOrSweep
		case "compare":
			cmd.ValidArgsFunction = completeSweep
		case "resume", "inspect", "tail", "watch", "mcp", "input", "explain":
			cmd.ValidArgsFunction = completeRun
		case "scenario":
			for _, sub := range cmd.Commands() {
				if sub.Name() == "show" || sub.Name() == "validate" {
					sub.ValidArgsFunction = completeScenario
				}
			}
		case "journal":
			for _, sub := range cmd.Commands() {
				sub.ValidArgsFunction = completeRun
			}
		}
	}
	for _, cmd := range append(root.Commands(), commandsOf(root, "scenario")...) {
		if cmd.Flags().Lookup("set") != nil {
			_ = cmd.RegisterFlagCompletionFunc("set", completeSet) // fails only if done twice
		}
		if cmd.Flags().Lookup("agent") != nil {
			_ = cmd.RegisterFlagCompletionFunc("agent", completeAgent)
		}
	}
}

func commandsOf(root *cobra.Command, name string) []*cobra.Command {
	for _, cmd := range root.Commands() {
		if cmd.Name() == name {
			return cmd.Commands()
		}
	}
	return nil
}

// completeScenario offers built-in scenarios by name, and files.
func completeScenario(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, s := range scenarios.List() {
		if strings.HasPrefix(s.Name, toComplete) {
			out = append(out, s.Name+"\t"+s.Description)
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

// completeRun offers run directories: those in runs/, or in the directory that was typed.
func completeRun(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault // a file to write
	}
	out := dirsWith(runFile, toComplete, toComplete+"*", filepath.Join("runs", "*"), filepath.Join(toComplete, "*"), filepath.Join("runs", "*", "seed-*"))
	if len(out) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// dirsWith finds the directories that match one of the patterns, contain a file of this name, and begin
// with what was typed.
func dirsWith(file, toComplete string, patterns ...string) (dirs []string) {
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(pattern, file))
		if err != nil {
			continue // what was typed is no valid pattern
		}
		for _, f := range found {
			if dir := filepath.Dir(f); strings.HasPrefix(dir, toComplete) && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// completeSweep offers the directories of sweeps.
func completeSweep(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out := dirsWith(sweepFileName, toComplete, toComplete+"*", filepath.Join("runs", "*"))
	if len(out) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeRunOrSweep offers sweeps and runs.
func completeRunOrSweep(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out, _ := completeSweep(cmd, args, toComplete)
	runs, directive := completeRun(cmd, args, toComplete)
	if out = append(out, runs...); len(out) > 0 {
		directive = cobra.ShellCompDirectiveNoFileComp
	}
	return out, directive
}

// completeSet offers the paths of scenario values; those of the scenario on the command
// line, where there is one.
func completeSet(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	name := "epoch0"
	if len(args) > 0 {
		name = args[0]
	}
	sc, err := scenarios.Load(name)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, path := range sc.Paths() {
		if strings.HasPrefix(path, toComplete) {
			out = append(out, path+"=")
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeAgent offers the aliases and names of the agents of the run on the command line.
func completeAgent(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if _, err := os.Stat(filepath.Join(args[0], runFile)); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	run, err := openRun(cmd.Context(), args[0], "")
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer func() { _ = run.store.Close() }() // it was only read
	ids, err := agentIDs(cmd.Context(), run.store)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, id := range ids {
		if strings.HasPrefix(id.Alias(), toComplete) {
			out = append(out, id.Alias())
		}
	}
	for _, name := range run.scenario.AgentNames() {
		if name != "" && strings.HasPrefix(name, toComplete) {
			out = append(out, name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
