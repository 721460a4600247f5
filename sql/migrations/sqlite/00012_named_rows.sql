-- +goose Up

-- No table changes. From this version on records of world_rows may be packed: a program that does not know how refuses the file by its version.
SELECT 1;
-- +goose Down
SELECT 1;
