-- +goose Up

-- Which world this database holds: exactly one.
CREATE TABLE world_run (
    id              INTEGER PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    scenario        TEXT NOT NULL,
    digest          BLOB NOT NULL,               -- SHA-256 of the resolved scenario
    seed            TEXT NOT NULL,
    physics         INTEGER NOT NULL
);

-- Fingerprint of every cycle end.
CREATE TABLE world_cycles (
    cycle           INTEGER PRIMARY KEY,
    tick            INTEGER NOT NULL,              -- last tick of the cycle
    epoch           INTEGER NOT NULL,
    world_hash      BLOB NOT NULL,
    nexus           BLOB NOT NULL,               -- component hashes, 32 zero bytes when absent
    vault           BLOB NOT NULL,
    agora           BLOB NOT NULL,
    oracle          BLOB NOT NULL,
    forge           BLOB NOT NULL,
    mint            BLOB NOT NULL,
    portal          BLOB NOT NULL,
    agents_hash     BLOB NOT NULL,
    envelopes       BLOB NOT NULL,               -- envelope chain of the cycle
    session         BLOB NOT NULL,
    registry        BLOB NOT NULL,
    active          INTEGER NOT NULL,
    dormant         INTEGER NOT NULL,
    dead            INTEGER NOT NULL,
    agent_ticks     INTEGER NOT NULL,              -- since the run began
    nops            INTEGER NOT NULL,              -- since the run began
    nop_warnings    INTEGER NOT NULL,              -- since the run began
    fell_dormant    INTEGER NOT NULL,              -- since the run began
    input_seq       INTEGER NOT NULL               -- outside inputs since the run began
);

-- State of the daemons that changes: what the world is restored from.
CREATE TABLE world_rows (
    system          INTEGER NOT NULL,
    tbl             TEXT NOT NULL,
    key             BLOB NOT NULL,
    body            BLOB NOT NULL,               -- canonical MessagePack
    PRIMARY KEY (system, tbl, key)
) WITHOUT ROWID;

-- Records of the append-only tables, numbered from 0, and the heads of their hash chains.
CREATE TABLE world_records (
    system          INTEGER NOT NULL,
    tbl             TEXT NOT NULL,
    number          INTEGER NOT NULL,
    body            BLOB NOT NULL,               -- canonical MessagePack
    PRIMARY KEY (system, tbl, number)
) WITHOUT ROWID;

CREATE TABLE world_chains (
    system          INTEGER NOT NULL,
    tbl             TEXT NOT NULL,
    digest          BLOB NOT NULL,
    count           INTEGER NOT NULL,
    PRIMARY KEY (system, tbl)
) WITHOUT ROWID;

CREATE TABLE nexus_agents (
    id              BLOB PRIMARY KEY,            -- 32-byte AgentId
    public_key      BLOB NOT NULL,
    spawn_index     INTEGER NOT NULL UNIQUE,
    spawn_tick      INTEGER NOT NULL,
    spawn_epoch     INTEGER NOT NULL,
    role            INTEGER NOT NULL,            -- 0=GENERALIST, 1=COMPILER_SMITH, 2=LIBRARIAN, 3=ARCHITECT, 4=EXPLORER
    reputation      REAL NOT NULL,                -- [0.0, 1.0]
    status          INTEGER NOT NULL,            -- 0=EMBRYO, 1=ACTIVE, 2=DORMANT, 3=DEAD
    parent_id       BLOB NOT NULL,
    genome          BLOB NOT NULL,               -- canonical MessagePack
    last_active_cycle INTEGER NOT NULL,
    inactive_cycles INTEGER NOT NULL,
    dormant_since   INTEGER                        -- tick
) WITHOUT ROWID;

CREATE TABLE nexus_proposals (
    id              BLOB PRIMARY KEY,
    author          BLOB NOT NULL,
    kind            INTEGER NOT NULL,
    status          INTEGER NOT NULL,
    created         INTEGER NOT NULL,              -- tick
    deadline        INTEGER NOT NULL,              -- tick
    votes_for       REAL NOT NULL,
    votes_against   REAL NOT NULL,
    voters          INTEGER NOT NULL
);

CREATE TABLE agora_messages (
    id              BLOB PRIMARY KEY,
    channel         BLOB NOT NULL,
    author          BLOB NOT NULL,
    tick            INTEGER NOT NULL,
    kind            INTEGER NOT NULL,
    content         BLOB NOT NULL,               -- canonical MessagePack
    text            TEXT NOT NULL,                -- its text, for reading
    refs            BLOB NOT NULL,               -- referenced ids, 32 bytes each
    confidence      REAL NOT NULL
);

CREATE INDEX idx_messages_channel_tick ON agora_messages(channel, tick);
CREATE INDEX idx_messages_author ON agora_messages(author);

CREATE TABLE agora_bounties (
    id              BLOB PRIMARY KEY,
    creator         BLOB NOT NULL,
    title           TEXT NOT NULL,
    reward          INTEGER NOT NULL,
    deadline        INTEGER NOT NULL,              -- tick
    difficulty      INTEGER NOT NULL,
    claimer         BLOB,
    claimed_at      INTEGER NOT NULL,              -- tick
    tries           INTEGER NOT NULL,
    status          INTEGER NOT NULL             -- 0=OPEN, 1=CLAIMED, 2=SUBMITTED, 3=REVIEWING, 4=COMPLETED, 5=DISPUTED, 6=REJECTED, 7=EXPIRED
);

CREATE INDEX idx_bounties_status ON agora_bounties(status);

CREATE TABLE mint_transactions (
    number          INTEGER PRIMARY KEY,           -- from 0
    id              BLOB NOT NULL,
    from_id         BLOB NOT NULL,
    to_id           BLOB NOT NULL,
    amount          INTEGER NOT NULL,
    tax             INTEGER NOT NULL,
    kind            INTEGER NOT NULL,            -- 0=DIRECT, 1=BOUNTY_REWARD, 2=BOUNTY_ESCROW, 3=SERVICE_FEE, 4=RESOURCE_BUY, 5=GRANT, 6=TAX_REFUND
    tick            INTEGER NOT NULL
);

CREATE INDEX idx_transactions_from ON mint_transactions(from_id, tick);
CREATE INDEX idx_transactions_to ON mint_transactions(to_id, tick);

CREATE TABLE mint_accounts (
    owner           BLOB PRIMARY KEY,
    amount          INTEGER NOT NULL,
    locked          INTEGER NOT NULL,
    earned          INTEGER NOT NULL,
    spent           INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE oracle_entries (
    id              BLOB PRIMARY KEY,
    kind            INTEGER NOT NULL,
    title           TEXT NOT NULL,
    version         INTEGER NOT NULL,
    author          BLOB NOT NULL,
    created_at      INTEGER NOT NULL,              -- tick
    updated_at      INTEGER NOT NULL,              -- tick
    body            BLOB NOT NULL,
    published       INTEGER NOT NULL,
    accuracy        REAL NOT NULL,
    completeness    REAL NOT NULL,
    freshness       REAL NOT NULL,
    citations       INTEGER NOT NULL,
    verified_by     INTEGER NOT NULL
);

CREATE INDEX idx_entries_author ON oracle_entries(author);

CREATE TABLE observer_events (
    lamport         INTEGER NOT NULL,
    agent           BLOB NOT NULL,               -- emitting daemon
    tick            INTEGER NOT NULL,
    cycle           INTEGER NOT NULL,
    origin          BLOB NOT NULL,
    system          INTEGER NOT NULL,
    kind            INTEGER NOT NULL,             -- code of the event kind
    payload         BLOB NOT NULL,               -- canonical MessagePack
    parent_lamport  INTEGER,
    parent_agent    BLOB,
    PRIMARY KEY (lamport, agent)
);

CREATE INDEX idx_events_cycle ON observer_events(cycle);
CREATE INDEX idx_events_kind ON observer_events(kind, tick);
CREATE INDEX idx_events_origin ON observer_events(origin, tick);

CREATE TABLE observer_metrics (
    cycle           INTEGER PRIMARY KEY,
    epoch           INTEGER NOT NULL,
    agent_count     INTEGER NOT NULL,
    vault_repos     INTEGER NOT NULL,
    oracle_entries  INTEGER NOT NULL,
    circulating_supply INTEGER NOT NULL,
    treasury        INTEGER NOT NULL,
    gini_coefficient REAL NOT NULL,
    velocity        REAL NOT NULL,
    open_bounties   INTEGER NOT NULL,
    completed_bounties INTEGER NOT NULL,
    total_transactions INTEGER NOT NULL,
    messages        INTEGER NOT NULL,
    nops            INTEGER NOT NULL,              -- in this cycle
    agent_ticks     INTEGER NOT NULL               -- in this cycle
);
-- +goose Down
DROP TABLE observer_metrics;
DROP TABLE observer_events;
DROP TABLE oracle_entries;
DROP TABLE mint_accounts;
DROP TABLE mint_transactions;
DROP TABLE agora_bounties;
DROP TABLE agora_messages;
DROP TABLE nexus_proposals;
DROP TABLE nexus_agents;
DROP TABLE world_chains;
DROP TABLE world_records;
DROP TABLE world_rows;
DROP TABLE world_cycles;
DROP TABLE world_run;
