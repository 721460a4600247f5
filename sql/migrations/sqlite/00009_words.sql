-- +goose Up

-- Texts and ids that stand in memories and states of many agents, in blocks: what docs/STORE.md calls words.
CREATE TABLE history_words (
    generation      INTEGER NOT NULL,              -- cycle / 16
    part            INTEGER NOT NULL,              -- from 0
    body            BLOB NOT NULL,
    PRIMARY KEY (generation, part)
);
-- +goose Down
DROP TABLE history_words;
