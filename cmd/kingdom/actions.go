package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kingdom/llm"
	"kingdom/wire/action"
)

func newActions(a *app) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "actions [NAME]",
		Short: "List what agents can do, or show one action",
		Long: "List the action catalogue, or show one action with its parameters. --schema prints the JSON Schema of\n" +
			"an action's parameters, or without NAME that of a mind's whole answer.\n" +
			"Fields of --json: name, code, system, domain, ticks, cost, read, epoch {default, strict, open}, summary, params.",
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
				list := make([]actionJSON, 0, len(rows))
				for _, r := range rows {
					list = append(list, toActionJSON(r))
				}
				return printJSON(a.out, list)
			case len(names) == 1:
				printAction(a, rows[0])
			default:
				printActions(a, rows)
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d\t%s\n", r.Name, systemName(r), r.Domain, r.Ticks, r.Cost, r.Epoch[action.ProfileDefault], r.Summary)
	}
	w.Flush()
}

func printAction(a *app, r *action.Row) {
	fmt.Fprintf(a.out, "%s (%s 0x%04X)\n  %s\n  costs %s and %s ⚡; allowed from epoch %d (profile strict: %d, open: %d)\n",
		r.Name, systemName(r), uint16(r.Type), r.Summary, counted(r.Ticks, "tick"), r.Cost, r.Epoch[0], r.Epoch[1], r.Epoch[2])
	for _, p := range r.Params {
		need := "optional"
		if p.Required {
			need = "required"
		}
		fmt.Fprintf(a.out, "  %-20s %s\n", p.Name, need)
	}
}

func systemName(r *action.Row) string {
	if r.System == 0 {
		return "-"
	}
	return r.System.String()
}

type actionJSON struct {
	Name    string         `json:"name"`
	Code    uint16         `json:"code"`
	System  string         `json:"system"`
	Domain  string         `json:"domain"`
	Ticks   uint64         `json:"ticks"`
	Cost    string         `json:"cost"`
	Read    bool           `json:"read"`
	Epoch   map[string]int `json:"epoch"`
	Summary string         `json:"summary"`
	Params  []paramJSON    `json:"params"`
}

type paramJSON struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
}

func toActionJSON(r *action.Row) actionJSON {
	j := actionJSON{
		Name: r.Name, Code: uint16(r.Type), System: systemName(r), Domain: r.Domain.String(), Ticks: r.Ticks, Cost: r.Cost,
		Read: r.Read, Summary: r.Summary, Params: []paramJSON{},
		Epoch: map[string]int{"default": int(r.Epoch[0]), "strict": int(r.Epoch[1]), "open": int(r.Epoch[2])},
	}
	for _, p := range r.Params {
		j.Params = append(j.Params, paramJSON{p.Name, p.Required})
	}
	return j
}

func printJSON(w interface{ Write([]byte) (int, error) }, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
