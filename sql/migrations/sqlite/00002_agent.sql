-- +goose Up

-- Core agent memory blob (working + knowledge graph)
CREATE TABLE agent_agent_memory (
    agent_id        BLOB PRIMARY KEY,           -- 32-byte AgentId
    working         BLOB NOT NULL DEFAULT x'',  -- max 64 KB
    knowledge       BLOB NOT NULL DEFAULT x'',  -- MessagePack-encoded KnowledgeGraph
    peer_model      BLOB NOT NULL DEFAULT x'',  -- MessagePack-encoded HashMap<AgentId, PeerModel>
    updated_at      INTEGER NOT NULL DEFAULT 0          -- tick of last update
);

-- Experience log
CREATE TABLE agent_experiences (
    id              INTEGER PRIMARY KEY,
    agent_id        BLOB NOT NULL,
    tick            INTEGER NOT NULL,
    action          BLOB NOT NULL,
    outcome         INTEGER NOT NULL,            -- 0=SUCCESS, 1=FAILURE, 2=PARTIAL, 3=UNKNOWN
    lesson          BLOB NOT NULL,
    created_at      TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT fk_experience_agent FOREIGN KEY (agent_id)
        REFERENCES nexus_agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_experiences_agent_tick ON agent_experiences(agent_id, tick DESC);

-- Beliefs
CREATE TABLE agent_beliefs (
    id              INTEGER PRIMARY KEY,
    agent_id        BLOB NOT NULL,
    claim           BLOB NOT NULL,
    confidence      REAL NOT NULL,                -- [0.0, 1.0]
    evidence        BLOB NOT NULL,               -- MessagePack-encoded Vec<Hash256>
    formed_at       INTEGER NOT NULL,              -- tick
    last_tested     INTEGER NOT NULL,              -- tick
    updated_at      TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT fk_belief_agent FOREIGN KEY (agent_id)
        REFERENCES nexus_agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_beliefs_agent ON agent_beliefs(agent_id);

-- Plans
CREATE TABLE agent_plans (
    id              INTEGER PRIMARY KEY,
    agent_id        BLOB NOT NULL,
    goal_id         BLOB NOT NULL,               -- 32-byte Hash256
    steps           BLOB NOT NULL,               -- MessagePack-encoded Vec<PlanStep>
    dependencies    BLOB NOT NULL,               -- MessagePack-encoded Vec<Hash256>
    estimated_ticks INTEGER NOT NULL,
    estimated_cost  INTEGER NOT NULL,
    risk_assessment REAL NOT NULL,                -- [0.0, 1.0]
    status          INTEGER NOT NULL,            -- 0=DRAFT, 1=ACTIVE, 2=COMPLETED, 3=ABANDONED
    created_at      TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at      TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT fk_plan_agent FOREIGN KEY (agent_id)
        REFERENCES nexus_agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_plans_agent_status ON agent_plans(agent_id, status);

-- Goals
CREATE TABLE agent_goals (
    id              BLOB PRIMARY KEY,            -- 32-byte Hash256
    agent_id        BLOB NOT NULL,
    layer           INTEGER NOT NULL,            -- 0=ASPIRATION, 1=OBJECTIVE, 2=TASK
    source          INTEGER NOT NULL,            -- 0=SURVIVAL, 1=ROLE, 2=OPPORTUNITY, 3=CURIOSITY, 4=SOCIAL
    description     BLOB NOT NULL,
    priority        REAL NOT NULL,
    status          INTEGER NOT NULL,            -- 0=PENDING, 1=ACTIVE, 2=COMPLETED, 3=ABANDONED
    created_at      INTEGER NOT NULL,              -- tick
    deadline        INTEGER,                       -- optional tick deadline

    CONSTRAINT fk_goal_agent FOREIGN KEY (agent_id)
        REFERENCES nexus_agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_goals_agent_status ON agent_goals(agent_id, status);
CREATE INDEX idx_goals_agent_layer ON agent_goals(agent_id, layer);

-- What the tables above cannot hold: streak, open task, plan pointers, counters.
CREATE TABLE agent_state (
    agent_id        BLOB PRIMARY KEY,           -- 32-byte AgentId
    body            BLOB NOT NULL,              -- canonical MessagePack
    updated_at      INTEGER NOT NULL              -- tick of last update
);
-- +goose Down
DROP TABLE agent_state;
DROP TABLE agent_goals;
DROP TABLE agent_plans;
DROP TABLE agent_beliefs;
DROP TABLE agent_experiences;
DROP TABLE agent_agent_memory;
