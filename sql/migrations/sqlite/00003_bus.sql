-- +goose Up

-- SHA-256 over what waits to be delivered at the cycle's end; empty in rows that were
-- written before this column was.
ALTER TABLE world_cycles ADD COLUMN bus_hash BLOB NOT NULL DEFAULT X'';

-- idx_plans_agent_status needs no id: SQLite ends every index with the row's key.
-- +goose Down
ALTER TABLE world_cycles DROP COLUMN bus_hash;
