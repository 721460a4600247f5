package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/wire"
	"kingdom/wire/action"
)

func newActions(a *app) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "actions [NAME]",
		Short: "List what agents can do, or show one action",
		Long: "List the action catalogue, all other messages and the events, or show one action with its parameters, bounds,\n" +
			"reply and refusals. --schema prints the JSON Schema of an action's parameters, or without NAME that of the\n" +
			"complete answer of a mind.\n" +
			"Fields of --json: actions {name, code, system, domain, ticks, cost, read, epoch {default, strict, open}, summary, params\n" +
			"{name, form, required, help}, bounds {field, unit, least, most}, reply, refusals {category, code, reason, context, when}}\n" +
			"and without NAME: errors {code, category, reason} of any action, messages {name, code, body, summary}, events {name, code, payload}.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error {
			rows, err := pick(names)
			if err != nil {
				return err
			}
			switch {
			case schema && len(names) == 1:
				return printJSON(a.out, rows[0].ParamsSchema())
			case schema:
				return printJSON(a.out, llm.AnswerSchema(rows))
			case a.json:
				return printJSON(a.out, catalogueOf(rows, len(names) == 0))
			case len(names) == 1:
				printAction(a, rows[0])
			default:
				printActions(a, rows)
				printMessages(a)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print a JSON Schema")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		rows, _ := pick(nil)
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// pick returns the rows a mind may choose, or the named one.
func pick(names []string) ([]*action.Row, error) {
	if len(names) == 1 {
		r, ok := action.ByName(names[0])
		if !ok || !r.LLM {
			var known []string
			for _, r := range action.ForMinds() {
				known = append(known, r.Name)
			}
			if near := scenarios.Nearest(names[0], known); near != "" {
				return nil, usagef("no action is named %q; did you mean %s? kingdom actions lists them", names[0], near)
			}
			return nil, usagef("no action is named %q; kingdom actions lists them", names[0])
		}
		return []*action.Row{r}, nil
	}
	all := action.All()
	rows := make([]*action.Row, 0, len(all))
	for i := range all {
		if all[i].LLM {
			rows = append(rows, &all[i])
		}
	}
	return rows, nil
}

func printActions(a *app, rows []*action.Row) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ACTION\tDAEMON\tDOMAIN\tTICKS\t⚡\tFROM EPOCH\tWHAT IT DOES")
	for _, r := range rows {
		cost := r.Cost
		if at := strings.IndexAny(cost, ",;"); at >= 0 {
			cost = cost[:at+1] + " …" // or the column would be wider than a terminal
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d\t%s\n", r.Name, systemName(r), r.Domain, r.Ticks, cost, r.Epoch[action.ProfileDefault], r.Summary)
	}
	w.Flush()
	fmt.Fprintln(a.out, "kingdom actions NAME shows the whole price of an action, its parameters and its refusals")
}

func printMessages(a *app) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nOTHER MESSAGE\tCODE\tWHAT IT IS FOR")
	for _, m := range action.Messages() {
		fmt.Fprintf(w, "%s\t0x%04X\t%s\n", m.Type, uint16(m.Type), m.Summary)
	}
	fmt.Fprintln(w, "\nEVENT\tCODE\tPAYLOAD")
	for _, k := range wire.EventKinds() {
		if s := wire.EventShape(k); s != nil {
			fmt.Fprintf(w, "%s\t0x%04X\t%s\n", k, uint16(k), action.FormOf(s))
		}
	}
	w.Flush()
}

func printAction(a *app, r *action.Row) {
	fmt.Fprintf(a.out, "%s (%s 0x%04X)\n  %s\n  costs %s and %s ⚡; allowed from epoch %d (profile strict: %d, open: %d)\n  answered by %s\n",
		r.Name, systemName(r), uint16(r.Type), r.Summary, llm.Count(r.Ticks, "tick"), r.Cost, r.Epoch[0], r.Epoch[1], r.Epoch[2], r.Reply())
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, p := range r.Params {
		need := "optional"
		if p.Required {
			need = "required"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", p.Name, need, action.FormOf(p.Shape), p.Help)
	}
	w.Flush()
	for _, b := range action.Bounds(r.Type) {
		fmt.Fprintf(a.out, "  at most: %s\n", &b)
	}
	for i := range r.Refusals {
		x := &r.Refusals[i]
		fmt.Fprintf(w, "  refused\t%s\t%s\t%s\n", x.Category, x.Reason, x.When)
	}
	w.Flush()
}

func systemName(r *action.Row) string {
	if r.System == 0 {
		return "-"
	}
	return r.System.String()
}
