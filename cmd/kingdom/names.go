package main

import (
	"context"
	"strings"

	"kingdom/scenarios"
	"kingdom/sql/table"
	"kingdom/wire"
)

// agentNamed finds an agent of a run by its alias, its id, or the beginning of either, in upper or lower case.
func agentNamed(ctx context.Context, run *finished, dir, name string) (wire.AgentID, error) {
	ids, err := agentIDs(ctx, run.store)
	if err != nil {
		return wire.AgentID{}, err
	}
	want := strings.ToLower(name)
	var found []wire.AgentID
	for _, id := range ids {
		if strings.HasPrefix(id.String(), want) {
			found = append(found, id)
		}
	}
	switch {
	case len(found) == 1 && want != "":
		return found[0], nil
	case len(found) > 1 && want != "":
		return wire.AgentID{}, usagef("%d agents of %s begin with %q, %s and %s among them; give more digits", len(found), dir, name, found[0].Alias(), found[1].Alias())
	}
	aliases := make([]string, len(ids))
	for i, id := range ids {
		aliases[i] = id.Alias()
	}
	if near := scenarios.Nearest(want, aliases); near != "" {
		return wire.AgentID{}, usagef("no agent of %s is named %q; did you mean %s? kingdom inspect %s lists them", dir, name, near, quoted(dir))
	}
	return wire.AgentID{}, usagef("no agent of %s is named %q; an alias has 8 digits of 0-9 and a-f, an id 64; kingdom inspect %s lists them", dir, name, quoted(dir))
}

// agentIDs are the ids of all agents ever, in spawn order.
func agentIDs(ctx context.Context, st boundStore) (ids []wire.AgentID, err error) {
	err = st.Query(ctx, "SELECT id FROM nexus.agents ORDER BY spawn_index", nil, func(c table.Cursor) error {
		for c.Next() {
			var b []byte
			if err := c.Scan(&b); err != nil {
				return err
			}
			ids = append(ids, wire.AgentID(b))
		}
		return c.Err()
	})
	return ids, err
}
