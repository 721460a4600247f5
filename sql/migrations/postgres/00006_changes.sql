-- +goose Up

-- What changed of an agent's memory since its row of agent.agent_memory.
CREATE TABLE agent.changes (
    agent_id        BYTEA NOT NULL,             -- 32-byte AgentId
    number          BIGINT NOT NULL,            -- from 0
    since           BIGINT NOT NULL,            -- updated_at of the row of agent.agent_memory; rows of another mean nothing
    body            BYTEA NOT NULL,             -- canonical MessagePack
    updated_at      BIGINT NOT NULL,            -- tick

    PRIMARY KEY (agent_id, number)
);
-- +goose Down
DROP TABLE agent.changes;
