-- +goose Up

-- Requests to models: what they took and cost.
CREATE TABLE agent_calls (
    agent_id         BLOB NOT NULL,              -- 32-byte AgentId
    tick             INTEGER NOT NULL,
    purpose          TEXT NOT NULL,              -- of the thought
    try              INTEGER NOT NULL,           -- of the thought in its slot, from 0
    number           INTEGER NOT NULL,           -- of the call for this thought, from 0
    cycle            INTEGER NOT NULL,
    tier             INTEGER NOT NULL,           -- 0=TIER_1, 1=TIER_2, 2=TIER_3
    model            TEXT NOT NULL,
    failure          TEXT NOT NULL,              -- why it brought no answer; empty if it did
    latency_ms       INTEGER NOT NULL,
    prompt_tokens    INTEGER NOT NULL,
    cached_tokens    INTEGER NOT NULL,
    output_tokens    INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost_micro_usd   INTEGER NOT NULL,
    estimated        BOOLEAN NOT NULL,           -- the server did not report all counts

    PRIMARY KEY (agent_id, tick, purpose, try, number)
) WITHOUT ROWID;

CREATE INDEX idx_calls_cycle ON agent_calls(cycle);

ALTER TABLE observer_metrics ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observer_metrics ADD COLUMN failed_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observer_metrics ADD COLUMN prompt_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observer_metrics ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observer_metrics ADD COLUMN cost_micro_usd INTEGER NOT NULL DEFAULT 0;
-- +goose Down
ALTER TABLE observer_metrics DROP COLUMN cost_micro_usd;
ALTER TABLE observer_metrics DROP COLUMN output_tokens;
ALTER TABLE observer_metrics DROP COLUMN prompt_tokens;
ALTER TABLE observer_metrics DROP COLUMN failed_calls;
ALTER TABLE observer_metrics DROP COLUMN calls;
DROP TABLE agent_calls;
