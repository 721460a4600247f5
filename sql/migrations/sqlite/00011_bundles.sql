-- +goose Up

-- All rows that an agent has of a table that changes, in one value, in a store with a history until tables are made: what docs/STORE.md calls a bundle.
CREATE TABLE history_bundles (
    agent           INTEGER NOT NULL,              -- its place among the agents, spawn_index
    tbl             TEXT NOT NULL,                 -- as agent.beliefs
    body            BLOB NOT NULL,
    PRIMARY KEY (agent, tbl)
);
-- +goose Down
DROP TABLE history_bundles;
