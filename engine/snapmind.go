package engine

import (
	"kingdom/agent"
	"kingdom/wire"
)

// The rows of an agent as a snapshot holds them: the same fields, with wire names.
type (
	snapMemory struct {
		AgentID   wire.AgentID `kdom:"agent_id"`
		Working   []byte       `kdom:"working"`
		Knowledge []byte       `kdom:"knowledge"`
		PeerModel []byte       `kdom:"peer_model"`
		UpdatedAt wire.Tick    `kdom:"updated_at"`
	}
	snapState struct {
		AgentID   wire.AgentID `kdom:"agent_id"`
		Body      []byte       `kdom:"body"`
		UpdatedAt wire.Tick    `kdom:"updated_at"`
	}
	snapExperience struct {
		ID      uint64       `kdom:"id"`
		AgentID wire.AgentID `kdom:"agent_id"`
		Tick    wire.Tick    `kdom:"tick"`
		Action  []byte       `kdom:"action"`
		Outcome uint8        `kdom:"outcome"`
		Lesson  []byte       `kdom:"lesson"`
	}
	snapBelief struct {
		ID         uint64       `kdom:"id"`
		AgentID    wire.AgentID `kdom:"agent_id"`
		Claim      []byte       `kdom:"claim"`
		Confidence float32      `kdom:"confidence"`
		Evidence   []byte       `kdom:"evidence"`
		FormedAt   wire.Tick    `kdom:"formed_at"`
		LastTested wire.Tick    `kdom:"last_tested"`
	}
	snapPlan struct {
		ID             uint64       `kdom:"id"`
		AgentID        wire.AgentID `kdom:"agent_id"`
		GoalID         wire.Hash    `kdom:"goal_id"`
		Steps          []byte       `kdom:"steps"`
		Dependencies   []byte       `kdom:"dependencies"`
		EstimatedTicks uint64       `kdom:"estimated_ticks"`
		EstimatedCost  uint64       `kdom:"estimated_cost"`
		RiskAssessment float32      `kdom:"risk_assessment"`
		Status         uint8        `kdom:"status"`
	}
	snapGoal struct {
		ID          wire.Hash    `kdom:"id"`
		AgentID     wire.AgentID `kdom:"agent_id"`
		Layer       uint8        `kdom:"layer"`
		Source      uint8        `kdom:"source"`
		Description []byte       `kdom:"description"`
		Priority    float64      `kdom:"priority"`
		Status      uint8        `kdom:"status"`
		CreatedAt   wire.Tick    `kdom:"created_at"`
		Deadline    *wire.Tick   `kdom:"deadline"`
	}
	snapMindRecord struct {
		Agent       wire.AgentID     `kdom:"agent"`
		Memory      *snapMemory      `kdom:"memory"`
		State       *snapState       `kdom:"state"`
		Experiences []snapExperience `kdom:"experiences"`
		Beliefs     []snapBelief     `kdom:"beliefs"`
		Plans       []snapPlan       `kdom:"plans"`
		Goals       []snapGoal       `kdom:"goals"`
	}
)

func newSnapMind(id wire.AgentID, r *agent.Rows) snapMindRecord {
	m := snapMindRecord{Agent: id, Memory: (*snapMemory)(r.Memory), State: (*snapState)(r.State)}
	for _, x := range r.Experiences {
		m.Experiences = append(m.Experiences, snapExperience(x))
	}
	for _, x := range r.Beliefs {
		m.Beliefs = append(m.Beliefs, snapBelief(x))
	}
	for _, x := range r.Plans {
		m.Plans = append(m.Plans, snapPlan(x))
	}
	for _, x := range r.Goals {
		m.Goals = append(m.Goals, snapGoal(x))
	}
	return m
}

func (m *snapMindRecord) rows() agent.Rows {
	r := agent.Rows{Memory: (*agent.MemoryRow)(m.Memory), State: (*agent.StateRow)(m.State)}
	for _, x := range m.Experiences {
		r.Experiences = append(r.Experiences, agent.ExperienceRow(x))
	}
	for _, x := range m.Beliefs {
		r.Beliefs = append(r.Beliefs, agent.BeliefRow(x))
	}
	for _, x := range m.Plans {
		r.Plans = append(r.Plans, agent.PlanRow(x))
	}
	for _, x := range m.Goals {
		r.Goals = append(r.Goals, agent.GoalRow(x))
	}
	return r
}
