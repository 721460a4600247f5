-- +goose Up

-- Requests to models: what they took and cost.
CREATE TABLE agent.calls (
    agent_id         BYTEA NOT NULL,             -- 32-byte AgentId
    tick             BIGINT NOT NULL,
    purpose          TEXT NOT NULL,              -- of the thought
    try              BIGINT NOT NULL,            -- of the thought in its slot, from 0
    number           BIGINT NOT NULL,            -- of the call for this thought, from 0
    cycle            BIGINT NOT NULL,
    tier             SMALLINT NOT NULL,          -- 0=TIER_1, 1=TIER_2, 2=TIER_3
    model            TEXT NOT NULL,
    failure          TEXT NOT NULL,              -- why it brought no answer; empty if it did
    latency_ms       BIGINT NOT NULL,
    prompt_tokens    BIGINT NOT NULL,
    cached_tokens    BIGINT NOT NULL,
    output_tokens    BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    cost_micro_usd   BIGINT NOT NULL,
    estimated        BOOLEAN NOT NULL,           -- the server did not report all counts

    PRIMARY KEY (agent_id, tick, purpose, try, number)
);

CREATE INDEX idx_calls_cycle ON agent.calls(cycle);

ALTER TABLE observer.metrics
    ADD COLUMN calls BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN failed_calls BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN prompt_tokens BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN output_tokens BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN cost_micro_usd BIGINT NOT NULL DEFAULT 0;
-- +goose Down
ALTER TABLE observer.metrics
    DROP COLUMN cost_micro_usd, DROP COLUMN output_tokens, DROP COLUMN prompt_tokens, DROP COLUMN failed_calls, DROP COLUMN calls;
DROP TABLE agent.calls;
