package engine

import (
	"kingdom/agent"
	"kingdom/wire"
)

// snapMindRecord holds the rows of an agent in a snapshot.
type snapMindRecord struct {
	Agent       wire.AgentID          `kdom:"agent"`
	Memory      *agent.MemoryRow      `kdom:"memory"`
	State       *agent.StateRow       `kdom:"state"`
	Experiences []agent.ExperienceRow `kdom:"experiences"`
	Beliefs     []agent.BeliefRow     `kdom:"beliefs"`
	Plans       []agent.PlanRow       `kdom:"plans"`
	Goals       []agent.GoalRow       `kdom:"goals"`
}

func newSnapMind(id wire.AgentID, r *agent.Rows) snapMindRecord {
	return snapMindRecord{
		Agent: id, Memory: r.Memory, State: r.State, Experiences: r.Experiences, Beliefs: r.Beliefs, Plans: r.Plans, Goals: r.Goals,
	}
}

func (m *snapMindRecord) rows() agent.Rows {
	return agent.Rows{
		Memory: m.Memory, State: m.State, Experiences: m.Experiences, Beliefs: m.Beliefs, Plans: m.Plans, Goals: m.Goals,
	}
}
