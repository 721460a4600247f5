-- +goose Up

-- What Mint moved money for, where the kind does not say: royalty, review, spawn.
ALTER TABLE mint.transactions ADD COLUMN reason TEXT NOT NULL DEFAULT '';
-- +goose Down
ALTER TABLE mint.transactions DROP COLUMN reason;
