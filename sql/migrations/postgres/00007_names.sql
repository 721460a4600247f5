-- +goose Up

-- The name that the scenario gives an agent.
ALTER TABLE nexus.agents ADD COLUMN name TEXT NOT NULL DEFAULT '';
-- +goose Down
ALTER TABLE nexus.agents DROP COLUMN name;
