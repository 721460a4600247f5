package main

import (
	"fmt"
	"text/tabwriter"

	"kingdom/engine"
)

// repoJSON is a branch of a repo in inspect --repos.
type repoJSON struct {
	Repo   string `json:"repo"`
	Name   string `json:"name"`
	Owner  string `json:"owner"`
	Branch string `json:"branch"`
	Snaps  int    `json:"snaps"`
	Head   string `json:"head"`
	Error  string `json:"error,omitempty"` // what is wrong with it
}

// printRepos prints a line for each branch and returns an error if one is not intact.
func (a *app) printRepos(checks []engine.RepoCheck, dir string) error {
	bad, list := 0, []repoJSON{}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "REPO\tNAME\tOWNER\tBRANCH\tSNAPS\tSTATE")
	for i := range checks {
		c := &checks[i]
		r := repoJSON{Repo: c.Repo.String(), Name: string(c.RepoName), Owner: c.Owner.Alias(), Branch: string(c.Name), Snaps: len(c.Snaps), Head: c.Snaps[0].String()}
		state := "intact"
		if c.Err != nil {
			bad++
			r.Error, state = c.Err.Error(), c.Err.Error()
		}
		list = append(list, r)
		fmt.Fprintf(w, "%s\t%q\t%s\t%q\t%d\t%s\n", r.Repo[:8], r.Name, r.Owner, r.Branch, r.Snaps, state)
	}
	var err error
	if a.json {
		err = printJSON(a.out, map[string]any{"branches": list})
	} else {
		err = w.Flush()
	}
	if err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d branches of %s are not what was stored and signed; restore the run from a copy, or run its scenario again", bad, len(checks), dir)
	}
	return nil
}
