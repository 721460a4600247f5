-- +goose Up

-- Ids of beliefs begin with the place of their agent among the agents (spawn_index * 2^32), so they are found by a
-- range of ids. The index was a seventh of what beliefs took.
DROP INDEX idx_beliefs_agent;
-- +goose Down
CREATE INDEX idx_beliefs_agent ON agent_beliefs(agent_id);
