-- +goose Up

-- What changed of an agent's memory since its row of agent_agent_memory.
CREATE TABLE agent_changes (
    agent_id        BLOB NOT NULL,              -- 32-byte AgentId
    number          INTEGER NOT NULL,           -- from 0
    since           INTEGER NOT NULL,           -- updated_at of the row of agent_agent_memory; rows of another mean nothing
    body            BLOB NOT NULL,              -- canonical MessagePack
    updated_at      INTEGER NOT NULL,           -- tick

    PRIMARY KEY (agent_id, number)
) WITHOUT ROWID;
-- +goose Down
DROP TABLE agent_changes;
