-- +goose Up

-- Changes are 2 to 8 KB long. In a table without rowid, of which a page must hold four rows, each had most of a page
-- of its own; with one they lie side by side.
ALTER TABLE agent_changes RENAME TO agent_changes_old;
CREATE TABLE agent_changes (
    agent_id        BLOB NOT NULL,              -- 32-byte AgentId
    number          INTEGER NOT NULL,           -- from 0
    since           INTEGER NOT NULL,           -- updated_at of the row of agent_agent_memory; rows of another mean nothing
    body            BLOB NOT NULL,              -- canonical MessagePack
    updated_at      INTEGER NOT NULL,           -- tick

    PRIMARY KEY (agent_id, number)
);
INSERT INTO agent_changes SELECT * FROM agent_changes_old;
DROP TABLE agent_changes_old;
-- +goose Down
ALTER TABLE agent_changes RENAME TO agent_changes_old;
CREATE TABLE agent_changes (
    agent_id        BLOB NOT NULL,
    number          INTEGER NOT NULL,
    since           INTEGER NOT NULL,
    body            BLOB NOT NULL,
    updated_at      INTEGER NOT NULL,

    PRIMARY KEY (agent_id, number)
) WITHOUT ROWID;
INSERT INTO agent_changes SELECT * FROM agent_changes_old;
DROP TABLE agent_changes_old;
