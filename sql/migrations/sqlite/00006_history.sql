-- +goose Up

-- There if the bulk of history lies in history_blobs; tables made of it hold it up to a cycle.
CREATE TABLE history_state (
    id              INTEGER PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    made            INTEGER,                       -- last cycle that the tables hold; NULL while there is none
    kinds           BLOB NOT NULL                  -- how many events of each kind there were
);

-- Rows of one table of one cycle, compressed: what docs/STORE.md calls the history.
CREATE TABLE history_blobs (
    cycle           INTEGER NOT NULL,
    tbl             TEXT NOT NULL,                 -- as agent.experiences
    part            INTEGER NOT NULL,              -- from 0
    first           BLOB,                          -- the agent of the first row, where rows are of agents
    n               INTEGER NOT NULL,              -- rows
    body            BLOB NOT NULL,
    PRIMARY KEY (cycle, tbl, part)
);

-- Where the records of append-only daemon tables lie: from this number on in this blob of world.records.
CREATE TABLE history_chains (
    system          INTEGER NOT NULL,
    tbl             TEXT NOT NULL,
    number          INTEGER NOT NULL,
    cycle           INTEGER NOT NULL,
    part            INTEGER NOT NULL,
    PRIMARY KEY (system, tbl, number)
) WITHOUT ROWID;

-- Which cycles hold the experiences and ended plans that an agent is restored from.
CREATE TABLE history_agents (
    agent_id        BLOB PRIMARY KEY,
    body            BLOB NOT NULL
) WITHOUT ROWID;
-- +goose Down
DROP TABLE history_agents;
DROP TABLE history_chains;
DROP TABLE history_blobs;
DROP TABLE history_state;
