package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"kingdom/society"
)

// comparing says which metrics of two sweeps are compared.
type comparing struct {
	measuring
	society bool   // those of docs/SOCIETY.md, instead of those of results.csv
	by      string // those of groups of agents, as society --by has them; "": of all agents
	group   string // of one of these groups alone; "": of all
	metric  string // print the seeds of this one; "": print all metrics
	above   float64
}

// groupMetric is the name of a figure of a group of agents. Names of figures have no spaces.
func groupMetric(group, figure string) string { return group + " " + figure }

// splitMetric returns the group and the metric of a name; group is empty if all agents are compared.
func (x *experiment) splitMetric(name string) (group, metric string) {
	if x.by == "" {
		return "", name
	}
	i := strings.LastIndexByte(name, ' ')
	return name[:i], name[i+1:]
}

// measureGroups replaces the metrics of both sides by the figures of the groups of agents that both have.
func (x *experiment) measureGroups(ctx context.Context, c *comparing) error {
	x.from, x.society, x.by = c.from, true, c.by
	var sides [2]*groupedSociety
	for i, side := range []*sweepResults{x.a, x.b} {
		var err error
		if sides[i], err = groupDir(ctx, sweepOf(side.path), &measuring{seeds: strings.Join(x.seeds, ","), from: c.from}, c.by); err != nil {
			return err
		}
	}
	var shared []string
	for _, name := range sides[0].groups {
		if slices.Contains(sides[1].groups, name) {
			shared = append(shared, name)
		}
	}
	for _, name := range slices.Concat(sides[0].groups, sides[1].groups) {
		if !slices.Contains(shared, name) {
			x.groupsLeft = append(x.groupsLeft, name)
		}
	}
	switch {
	case len(shared) == 0:
		return usagef("%s and %s have no %s in common: the one has %s, the other %s", x.a.path, x.b.path, c.by, strings.Join(sides[0].groups, ", "), strings.Join(sides[1].groups, ", "))
	case c.group != "" && !slices.Contains(shared, c.group):
		return usagef("%s and %s have no %s named %s in common; want one of %s", x.a.path, x.b.path, c.by, shellQuote(c.group), strings.Join(shared, ", "))
	case c.group != "":
		shared, x.groupsLeft = []string{c.group}, nil
	}
	for i, side := range []*sweepResults{x.a, x.b} {
		side.seeds, side.names, side.values = x.seeds, nil, map[string][]float64{}
		for _, group := range shared {
			for k, figure := range society.GroupCatalogue() {
				name := groupMetric(group, figure.Key)
				side.names = append(side.names, name)
				for r := range sides[i].runs {
					side.values[name] = append(side.values[name], sides[i].runs[r].value(group, k))
				}
			}
		}
	}
	return nil
}

// writeGroupsLeft says which groups are not compared.
func (x *experiment) writeGroupsLeft(w io.Writer) {
	if len(x.groupsLeft) > 0 {
		fmt.Fprintf(w, "left out, because only one of the two has agents of it: %s\n", strings.Join(x.groupsLeft, ", "))
	}
}
