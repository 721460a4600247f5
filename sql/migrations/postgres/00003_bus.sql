-- +goose Up

-- SHA-256 over what waits to be delivered at the cycle's end; empty in rows that were
-- written before this column was.
ALTER TABLE world.cycles ADD COLUMN bus_hash BYTEA NOT NULL DEFAULT ''::BYTEA;

-- The newest finished plans of an agent are read backwards along this index.
DROP INDEX agent.idx_plans_agent_status;
CREATE INDEX idx_plans_agent_status ON agent.plans(agent_id, status, id);
-- +goose Down
DROP INDEX agent.idx_plans_agent_status;
CREATE INDEX idx_plans_agent_status ON agent.plans(agent_id, status);
ALTER TABLE world.cycles DROP COLUMN bus_hash;
