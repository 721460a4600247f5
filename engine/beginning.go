package engine

import (
	"fmt"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/ooda"
	"kingdom/wire"
)

// Beginning is the initial knowledge, goals and relations of an agent of the bootstrap. It becomes part of the agent's
// state at spawn, so only [Start] and a repeated bootstrap read it.
type Beginning struct {
	Facts     []Fact
	Goals     []goals.Goal // layer, source, description and deadline are used
	Relations []Relation
}

// Fact is a node of an agent's knowledge.
type Fact struct {
	Label, Content string
	Source         memory.KnowledgeSource
	Confidence     float64  // [0,1]
	RelatesTo      []string // labels of facts of the same agent
}

// Relation is an agent's record of interactions with a peer before the world began.
type Relation struct {
	Peer                    wire.AgentID
	Successes, Interactions uint32 // trust is Successes/Interactions and decays like other trust
}

// Relations between facts, and their weight.
const (
	knows       = "knows"
	relatesTo   = "relates_to"
	relatedness = 0.5
)

// apply gives a new agent its initial knowledge, goals and relations.
func (b *Beginning) apply(a *agent.Agent, rules *ooda.Rules) error {
	at := a.SpawnTick
	root := memory.NodeID([]byte(memory.InitialKnowledge))
	if len(b.Facts) > 0 {
		a.Memory.Knowledge.LearnInitial([]byte(memory.InitialKnowledge), nil, memory.KnowledgeInference, 1, at)
	}
	for i := range b.Facts {
		f := &b.Facts[i]
		a.Memory.Knowledge.LearnInitial([]byte(f.Label), []byte(f.Content), f.Source, f.Confidence, at)
		a.Memory.Knowledge.Relate(root, memory.NodeID([]byte(f.Label)), []byte(knows), relatedness, at)
	}
	for i := range b.Facts {
		for _, to := range b.Facts[i].RelatesTo {
			from := memory.NodeID([]byte(b.Facts[i].Label))
			if !a.Memory.Knowledge.Relate(from, memory.NodeID([]byte(to)), []byte(relatesTo), relatedness, at) {
				return fmt.Errorf("begin agent %s: fact %q relates to %q, which is not a fact of this agent", a.ID.Alias(), b.Facts[i].Label, to)
			}
		}
	}
	for _, r := range b.Relations {
		a.Memory.Peers.AddInitial(r.Peer, r.Successes, r.Interactions, at)
	}
	terms := rules.Appraise(a, at)
	for i := range b.Goals {
		given := &b.Goals[i]
		g := goals.New(a.ID, given.Layer, given.Source, given.Description, at)
		g.Deadline = given.Deadline
		if err := a.Goals.Add(g, &terms); err != nil {
			return fmt.Errorf("begin agent %s: %w", a.ID.Alias(), err)
		}
	}
	return nil
}
