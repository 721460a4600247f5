package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/scenarios"
	"kingdom/sql/table"
	"kingdom/wire"
)

// namesOf returns the names that the scenario gives agents, by id. Agents without a name are left out.
func namesOf(sc *scenarios.Scenario) map[wire.AgentID]string {
	out := map[wire.AgentID]string{}
	for i, name := range sc.AgentNames() {
		if name != "" {
			out[agentID(sc, uint64(i)+1)] = name
		}
	}
	return out
}

// namesIn returns the names of the agents of a run, by id: those of the initial population, and those that inputs gave to
// agents that they spawned. Agents without a name are left out.
func namesIn(ctx context.Context, run *openedRun) (map[wire.AgentID]string, error) {
	out := namesOf(run.scenario)
	if !slices.ContainsFunc(run.scenario.Inputs, func(in scenarios.Input) bool { return in.Name != "" }) {
		return out, nil
	}
	err := run.store.Query(ctx, "SELECT id, name FROM nexus.agents WHERE name <> ''", nil, func(c table.Cursor) error {
		for c.Next() {
			var id []byte
			var name string
			if err := c.Scan(&id, &name); err != nil {
				return err
			}
			agent, err := table.ID32[wire.AgentID]("nexus.agents.id", id)
			if err != nil {
				return err
			}
			out[agent] = name
		}
		return c.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("read the names of agents: %w", err)
	}
	return out, nil
}

// growingNames are the names of the agents of a run that may go on, and give names to newcomers.
type growingNames struct {
	dir     string
	known   map[wire.AgentID]string
	missing int // how many names that the scenario gives to newcomers nobody has yet
}

// namesSoFar returns the names of the agents that a run has. What cannot be read is left out: aliases do.
func namesSoFar(ctx context.Context, dir string) *growingNames {
	n := &growingNames{dir: dir, known: map[wire.AgentID]string{}}
	if sc, err := scenarios.Load(filepath.Join(dir, scenarioFile)); err == nil {
		n.known, n.missing = namesOf(sc), len(namingInputs(sc))
	}
	n.look(ctx)
	return n
}

// look adds the names of newcomers that have come since.
func (n *growingNames) look(ctx context.Context) {
	if n.missing == 0 {
		return
	}
	run, err := openRun(ctx, n.dir, "")
	if err != nil {
		return
	}
	defer func() { _ = run.store.Close() }() // it was only read
	if names, err := namesIn(ctx, run); err == nil {
		n.missing += len(n.known) - len(names)
		maps.Copy(n.known, names)
	}
}

// agentNumber returns the number, in spawn order from 1, of the agent with this name in the scenario; 0 if
// there is none. The name of a group of several agents is an error.
func agentNumber(sc *scenarios.Scenario, name string) (uint64, error) {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return 0, nil
	}
	switch found := sc.AgentsNamed(scenarios.AgentRef(name)); len(found) {
	case 0:
		return 0, nil
	case 1:
		return found[0], nil
	default:
		return 0, usagef("%s names %d agents; give one of them, %s-1 to %s-%d", name, len(found), name, name, len(found))
	}
}

// refuseEmptyAgent returns an error if --agent is given and empty, as with a shell variable that is not set.
func refuseEmptyAgent(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("agent"); f.Changed && f.Value.String() == "" {
		return usagef("--agent is empty; want the number, name, alias or id of an agent, or leave it out")
	}
	return nil
}

// findAgent finds an agent of a run by its number in spawn order, its name in the scenario, its alias, its id, or the
// beginning of any of these, in upper or lower case. A number of an agent comes before an alias that begins with it.
func findAgent(ctx context.Context, run *openedRun, dir, name string) (wire.AgentID, error) {
	ids, err := agentIDs(ctx, run.store)
	if err != nil {
		return wire.AgentID{}, err
	}
	want := strings.ToLower(name)
	n, err := agentNumber(run.scenario, want)
	if err != nil {
		return wire.AgentID{}, err
	}
	if number, err := strconv.ParseUint(want, 10, 32); n == 0 && err == nil && want[0] != '0' {
		n = number
	}
	if 0 < n && n <= uint64(len(ids)) {
		return ids[n-1], nil
	}
	named, err := namesIn(ctx, run)
	if err != nil {
		return wire.AgentID{}, err
	}
	return agentAmong(run.scenario, ids, named, dir, name)
}

// agentAmong finds the one agent whose name or id begins with a text.
func agentAmong(sc *scenarios.Scenario, ids []wire.AgentID, named map[wire.AgentID]string, dir, name string) (wire.AgentID, error) {
	want := strings.ToLower(name)
	var found []wire.AgentID
	for _, id := range ids {
		if strings.HasPrefix(id.String(), want) || strings.HasPrefix(named[id], want) {
			found = append(found, id)
		}
	}
	switch {
	case len(found) == 1 && want != "":
		return found[0], nil
	case len(found) > 1 && want != "":
		return wire.AgentID{}, usagef("%d agents of %s begin with %q, %s and %s among them; write more of the one you mean", len(found), dir, name,
			cmp.Or(named[found[0]], found[0].Alias()), cmp.Or(named[found[1]], found[1].Alias()))
	}
	return wire.AgentID{}, noSuchAgentError(named, sc, ids, dir, name)
}

// beginners finds agents of the initial population of a scenario, as findAgents does among all agents of a run.
func beginners(sc *scenarios.Scenario, dir, name string) (ids []wire.AgentID, err error) {
	want := strings.ToLower(name)
	numbers := sc.AgentsNamed(scenarios.AgentRef(want))
	all := make([]wire.AgentID, len(sc.AgentNames()))
	for i := range all {
		all[i] = agentID(sc, uint64(i)+1)
	}
	if n, err := strconv.ParseUint(want, 10, 32); len(numbers) == 0 && err == nil && 0 < n && n <= uint64(len(all)) && want[0] != '0' {
		numbers = []uint64{n}
	}
	for _, n := range numbers {
		ids = append(ids, agentID(sc, n))
	}
	if len(ids) > 0 {
		return ids, nil
	}
	id, err := agentAmong(sc, all, namesOf(sc), dir, name)
	return []wire.AgentID{id}, err
}

// noSuchAgentError says that no agent of a run has a name, and which one was probably meant: an agent or a group.
func noSuchAgentError(named map[wire.AgentID]string, sc *scenarios.Scenario, ids []wire.AgentID, dir, name string) error {
	words := slices.Sorted(maps.Values(named))
	for i := range sc.Population {
		if group := sc.Population[i].Name; group != "" {
			words = append(words, group)
		}
	}
	orName := ""
	if len(words) > 0 {
		orName = ", its name in the scenario"
	}
	for _, id := range ids {
		words = append(words, id.Alias())
	}
	if near := scenarios.Nearest(strings.ToLower(name), words); near != "" {
		return usagef("no agent of %s is named %q; did you mean %s? kingdom inspect %s lists them", dir, name, near, shellQuote(dir))
	}
	return usagef("no agent of %s is named %q; want its number from 1 to %d%s, an alias of 8 digits of 0-9 and a-f, or an id of 64; kingdom inspect %s lists them", dir, name, len(ids), orName, shellQuote(dir))
}

// findAgents finds all members of the group of the population that is named, or else the one agent that findAgent finds.
func findAgents(ctx context.Context, run *openedRun, dir, name string) ([]wire.AgentID, error) {
	var ids []wire.AgentID
	for _, n := range run.scenario.AgentsNamed(scenarios.AgentRef(strings.ToLower(name))) {
		ids = append(ids, agentID(run.scenario, n))
	}
	if len(ids) > 1 {
		return ids, nil
	}
	if ids, err := newcomersNamed(ctx, run, strings.ToLower(name)); len(ids) > 1 || err != nil {
		return ids, err
	}
	id, err := findAgent(ctx, run, dir, name)
	return []wire.AgentID{id}, err
}

// newcomersNamed returns the agents that an input with this name spawned; none if it names a single one.
func newcomersNamed(ctx context.Context, run *openedRun, name string) (ids []wire.AgentID, err error) {
	if !slices.ContainsFunc(run.scenario.Inputs, func(in scenarios.Input) bool { return in.Name == name && in.Count > 1 }) {
		return nil, nil
	}
	named, err := namesIn(ctx, run)
	if err != nil {
		return nil, err
	}
	all, err := agentIDs(ctx, run.store)
	if err != nil {
		return nil, err
	}
	spawned := namingInputs(run.scenario)
	for _, id := range all {
		if from := spawned[named[id]]; from != nil && from.Name == name {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// agentIDs reads the ids of all agents ever, in spawn order.
func agentIDs(ctx context.Context, st boundStore) (ids []wire.AgentID, err error) {
	err = st.Query(ctx, "SELECT id FROM nexus.agents ORDER BY spawn_index", nil, func(c table.Cursor) error {
		for c.Next() {
			var b []byte
			if err := c.Scan(&b); err != nil {
				return err
			}
			id, err := table.ID32[wire.AgentID]("nexus.agents.id", b)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return c.Err()
	})
	return ids, err
}
