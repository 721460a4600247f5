-- +goose Up
CREATE SCHEMA IF NOT EXISTS nexus;
CREATE SCHEMA IF NOT EXISTS world;
CREATE SCHEMA IF NOT EXISTS agora;
CREATE SCHEMA IF NOT EXISTS oracle;
CREATE SCHEMA IF NOT EXISTS mint;
CREATE SCHEMA IF NOT EXISTS observer;

-- Which world this database holds: exactly one.
CREATE TABLE world.run (
    id              SMALLINT PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    scenario        TEXT NOT NULL,
    digest          BYTEA NOT NULL,               -- SHA-256 of the resolved scenario
    seed            TEXT NOT NULL,
    physics         BIGINT NOT NULL
);

-- Fingerprint of every cycle end.
CREATE TABLE world.cycles (
    cycle           BIGINT PRIMARY KEY,
    tick            BIGINT NOT NULL,              -- last tick of the cycle
    epoch           BIGINT NOT NULL,
    world_hash      BYTEA NOT NULL,
    nexus           BYTEA NOT NULL,               -- component hashes, 32 zero bytes when absent
    vault           BYTEA NOT NULL,
    agora           BYTEA NOT NULL,
    oracle          BYTEA NOT NULL,
    forge           BYTEA NOT NULL,
    mint            BYTEA NOT NULL,
    portal          BYTEA NOT NULL,
    agents_hash     BYTEA NOT NULL,
    envelopes       BYTEA NOT NULL,               -- envelope chain of the cycle
    session         BYTEA NOT NULL,
    registry        BYTEA NOT NULL,
    active          BIGINT NOT NULL,
    dormant         BIGINT NOT NULL,
    dead            BIGINT NOT NULL,
    agent_ticks     BIGINT NOT NULL,              -- since the run began
    nops            BIGINT NOT NULL,              -- since the run began
    nop_warnings    BIGINT NOT NULL,              -- since the run began
    fell_dormant    BIGINT NOT NULL,              -- since the run began
    input_seq       BIGINT NOT NULL               -- outside inputs since the run began
);

-- State of the daemons that changes: what the world is restored from.
CREATE TABLE world.rows (
    system          SMALLINT NOT NULL,
    tbl             TEXT NOT NULL,
    key             BYTEA NOT NULL,
    body            BYTEA NOT NULL,               -- canonical MessagePack
    PRIMARY KEY (system, tbl, key)
);

-- Records of the append-only tables, numbered from 0, and the heads of their hash chains.
CREATE TABLE world.records (
    system          SMALLINT NOT NULL,
    tbl             TEXT NOT NULL,
    number          BIGINT NOT NULL,
    body            BYTEA NOT NULL,               -- canonical MessagePack
    PRIMARY KEY (system, tbl, number)
);

CREATE TABLE world.chains (
    system          SMALLINT NOT NULL,
    tbl             TEXT NOT NULL,
    digest          BYTEA NOT NULL,
    count           BIGINT NOT NULL,
    PRIMARY KEY (system, tbl)
);

CREATE TABLE nexus.agents (
    id              BYTEA PRIMARY KEY,            -- 32-byte AgentId
    public_key      BYTEA NOT NULL,
    spawn_index     BIGINT NOT NULL UNIQUE,
    spawn_tick      BIGINT NOT NULL,
    spawn_epoch     BIGINT NOT NULL,
    role            SMALLINT NOT NULL,            -- 0=GENERALIST, 1=COMPILER_SMITH, 2=LIBRARIAN, 3=ARCHITECT, 4=EXPLORER
    reputation      REAL NOT NULL,                -- [0.0, 1.0]
    status          SMALLINT NOT NULL,            -- 0=EMBRYO, 1=ACTIVE, 2=DORMANT, 3=DEAD
    parent_id       BYTEA NOT NULL,
    genome          BYTEA NOT NULL,               -- canonical MessagePack
    last_active_cycle BIGINT NOT NULL,
    inactive_cycles BIGINT NOT NULL,
    dormant_since   BIGINT                        -- tick
);

CREATE TABLE nexus.proposals (
    id              BYTEA PRIMARY KEY,
    author          BYTEA NOT NULL,
    kind            SMALLINT NOT NULL,
    status          SMALLINT NOT NULL,
    created         BIGINT NOT NULL,              -- tick
    deadline        BIGINT NOT NULL,              -- tick
    votes_for       DOUBLE PRECISION NOT NULL,
    votes_against   DOUBLE PRECISION NOT NULL,
    voters          BIGINT NOT NULL
);

CREATE TABLE agora.messages (
    id              BYTEA PRIMARY KEY,
    channel         BYTEA NOT NULL,
    author          BYTEA NOT NULL,
    tick            BIGINT NOT NULL,
    kind            SMALLINT NOT NULL,
    content         BYTEA NOT NULL,               -- canonical MessagePack
    text            TEXT NOT NULL,                -- its text, for reading
    refs            BYTEA NOT NULL,               -- referenced ids, 32 bytes each
    confidence      REAL NOT NULL
);

CREATE INDEX idx_messages_channel_tick ON agora.messages(channel, tick);
CREATE INDEX idx_messages_author ON agora.messages(author);

CREATE TABLE agora.bounties (
    id              BYTEA PRIMARY KEY,
    creator         BYTEA NOT NULL,
    title           TEXT NOT NULL,
    reward          BIGINT NOT NULL,
    deadline        BIGINT NOT NULL,              -- tick
    difficulty      SMALLINT NOT NULL,
    claimer         BYTEA,
    claimed_at      BIGINT NOT NULL,              -- tick
    tries           BIGINT NOT NULL,
    status          SMALLINT NOT NULL             -- 0=OPEN, 1=CLAIMED, 2=SUBMITTED, 3=REVIEWING, 4=COMPLETED, 5=DISPUTED, 6=REJECTED, 7=EXPIRED
);

CREATE INDEX idx_bounties_status ON agora.bounties(status);

CREATE TABLE mint.transactions (
    number          BIGINT PRIMARY KEY,           -- from 0
    id              BYTEA NOT NULL,
    from_id         BYTEA NOT NULL,
    to_id           BYTEA NOT NULL,
    amount          BIGINT NOT NULL,
    tax             BIGINT NOT NULL,
    kind            SMALLINT NOT NULL,            -- 0=DIRECT, 1=BOUNTY_REWARD, 2=BOUNTY_ESCROW, 3=SERVICE_FEE, 4=RESOURCE_BUY, 5=GRANT, 6=TAX_REFUND
    tick            BIGINT NOT NULL
);

CREATE INDEX idx_transactions_from ON mint.transactions(from_id, tick);
CREATE INDEX idx_transactions_to ON mint.transactions(to_id, tick);

CREATE TABLE mint.accounts (
    owner           BYTEA PRIMARY KEY,
    amount          BIGINT NOT NULL,
    locked          BIGINT NOT NULL,
    earned          BIGINT NOT NULL,
    spent           BIGINT NOT NULL
);

CREATE TABLE oracle.entries (
    id              BYTEA PRIMARY KEY,
    kind            SMALLINT NOT NULL,
    title           TEXT NOT NULL,
    version         BIGINT NOT NULL,
    author          BYTEA NOT NULL,
    created_at      BIGINT NOT NULL,              -- tick
    updated_at      BIGINT NOT NULL,              -- tick
    body            BYTEA NOT NULL,
    published       BOOLEAN NOT NULL,
    accuracy        DOUBLE PRECISION NOT NULL,
    completeness    DOUBLE PRECISION NOT NULL,
    freshness       DOUBLE PRECISION NOT NULL,
    citations       BIGINT NOT NULL,
    verified_by     BIGINT NOT NULL
);

CREATE INDEX idx_entries_author ON oracle.entries(author);

CREATE TABLE observer.events (
    lamport         BIGINT NOT NULL,
    agent           BYTEA NOT NULL,               -- emitting daemon
    tick            BIGINT NOT NULL,
    cycle           BIGINT NOT NULL,
    origin          BYTEA NOT NULL,
    system          SMALLINT NOT NULL,
    kind            INTEGER NOT NULL,             -- code of the event kind
    payload         BYTEA NOT NULL,               -- canonical MessagePack
    parent_lamport  BIGINT,
    parent_agent    BYTEA,
    PRIMARY KEY (lamport, agent)
);

CREATE INDEX idx_events_cycle ON observer.events(cycle);
CREATE INDEX idx_events_kind ON observer.events(kind, tick);
CREATE INDEX idx_events_origin ON observer.events(origin, tick);

CREATE TABLE observer.metrics (
    cycle           BIGINT PRIMARY KEY,
    epoch           BIGINT NOT NULL,
    agent_count     BIGINT NOT NULL,
    vault_repos     BIGINT NOT NULL,
    oracle_entries  BIGINT NOT NULL,
    circulating_supply BIGINT NOT NULL,
    treasury        BIGINT NOT NULL,
    gini_coefficient DOUBLE PRECISION NOT NULL,
    velocity        DOUBLE PRECISION NOT NULL,
    open_bounties   BIGINT NOT NULL,
    completed_bounties BIGINT NOT NULL,
    total_transactions BIGINT NOT NULL,
    messages        BIGINT NOT NULL,
    nops            BIGINT NOT NULL,              -- in this cycle
    agent_ticks     BIGINT NOT NULL               -- in this cycle
);
-- +goose Down
DROP SCHEMA observer, mint, oracle, agora, world, nexus CASCADE;
