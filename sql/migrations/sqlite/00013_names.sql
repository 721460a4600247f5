-- +goose Up

-- The name that the scenario gives an agent.
ALTER TABLE nexus_agents ADD COLUMN name TEXT NOT NULL DEFAULT '';
-- +goose Down
ALTER TABLE nexus_agents DROP COLUMN name;
