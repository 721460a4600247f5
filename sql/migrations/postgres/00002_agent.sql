-- +goose Up
CREATE SCHEMA IF NOT EXISTS agent;

-- Core agent memory blob (working + knowledge graph)
CREATE TABLE agent.agent_memory (
    agent_id        BYTEA PRIMARY KEY,           -- 32-byte AgentId
    working         BYTEA NOT NULL DEFAULT ''::BYTEA,  -- max 64 KB
    knowledge       BYTEA NOT NULL DEFAULT ''::BYTEA,  -- MessagePack-encoded KnowledgeGraph
    peer_model      BYTEA NOT NULL DEFAULT ''::BYTEA,  -- MessagePack-encoded HashMap<AgentId, PeerModel>
    updated_at      BIGINT NOT NULL DEFAULT 0          -- tick of last update
);

-- Experience log
CREATE TABLE agent.experiences (
    id              BIGSERIAL PRIMARY KEY,
    agent_id        BYTEA NOT NULL,
    tick            BIGINT NOT NULL,
    action          BYTEA NOT NULL,
    outcome         SMALLINT NOT NULL,            -- 0=SUCCESS, 1=FAILURE, 2=PARTIAL, 3=UNKNOWN
    lesson          BYTEA NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT fk_experience_agent FOREIGN KEY (agent_id)
        REFERENCES nexus.agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_experiences_agent_tick ON agent.experiences(agent_id, tick DESC);

-- Beliefs
CREATE TABLE agent.beliefs (
    id              BIGSERIAL PRIMARY KEY,
    agent_id        BYTEA NOT NULL,
    claim           BYTEA NOT NULL,
    confidence      REAL NOT NULL,                -- [0.0, 1.0]
    evidence        BYTEA NOT NULL,               -- MessagePack-encoded Vec<Hash256>
    formed_at       BIGINT NOT NULL,              -- tick
    last_tested     BIGINT NOT NULL,              -- tick
    updated_at      TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT fk_belief_agent FOREIGN KEY (agent_id)
        REFERENCES nexus.agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_beliefs_agent ON agent.beliefs(agent_id);

-- Plans
CREATE TABLE agent.plans (
    id              BIGSERIAL PRIMARY KEY,
    agent_id        BYTEA NOT NULL,
    goal_id         BYTEA NOT NULL,               -- 32-byte Hash256
    steps           BYTEA NOT NULL,               -- MessagePack-encoded Vec<PlanStep>
    dependencies    BYTEA NOT NULL,               -- MessagePack-encoded Vec<Hash256>
    estimated_ticks BIGINT NOT NULL,
    estimated_cost  BIGINT NOT NULL,
    risk_assessment REAL NOT NULL,                -- [0.0, 1.0]
    status          SMALLINT NOT NULL,            -- 0=DRAFT, 1=ACTIVE, 2=COMPLETED, 3=ABANDONED
    created_at      TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at      TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT fk_plan_agent FOREIGN KEY (agent_id)
        REFERENCES nexus.agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_plans_agent_status ON agent.plans(agent_id, status);

-- Goals
CREATE TABLE agent.goals (
    id              BYTEA PRIMARY KEY,            -- 32-byte Hash256
    agent_id        BYTEA NOT NULL,
    layer           SMALLINT NOT NULL,            -- 0=ASPIRATION, 1=OBJECTIVE, 2=TASK
    source          SMALLINT NOT NULL,            -- 0=SURVIVAL, 1=ROLE, 2=OPPORTUNITY, 3=CURIOSITY, 4=SOCIAL
    description     BYTEA NOT NULL,
    priority        DOUBLE PRECISION NOT NULL,
    status          SMALLINT NOT NULL,            -- 0=PENDING, 1=ACTIVE, 2=COMPLETED, 3=ABANDONED
    created_at      BIGINT NOT NULL,              -- tick
    deadline        BIGINT,                       -- optional tick deadline

    CONSTRAINT fk_goal_agent FOREIGN KEY (agent_id)
        REFERENCES nexus.agents(id) ON DELETE CASCADE
);

CREATE INDEX idx_goals_agent_status ON agent.goals(agent_id, status);
CREATE INDEX idx_goals_agent_layer ON agent.goals(agent_id, layer);

-- What the tables above cannot hold: streak, open task, plan pointers, counters.
CREATE TABLE agent.state (
    agent_id        BYTEA PRIMARY KEY,           -- 32-byte AgentId
    body            BYTEA NOT NULL,              -- canonical MessagePack
    updated_at      BIGINT NOT NULL              -- tick of last update
);
-- +goose Down
DROP SCHEMA agent CASCADE;
