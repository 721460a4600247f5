package engine

import (
	"crypto/sha256"
	"hash"
	"time"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/ooda"
	"kingdom/wire"
)

// seat is what the engine keeps of an agent: its turn, the deferred job and the results of its last slot. Between phases
// only the engine's goroutine uses it; see [agentPool].
type seat struct {
	id     wire.AgentID
	a      *agent.Agent
	turn   *ooda.Turn
	status wire.AgentStatus // as registered

	deferred *job // the record step of its last slot, not run yet; nil: none

	alloc wire.TickAlloc // of this cycle
	view  wire.View

	// Of the last slot.
	step           ooda.Step
	thinks         []ooda.ThinkRecord
	thoughtsHasher hash.Hash // computes thoughtsHash
	thoughtsHash   wire.Hash // SHA-256 over its thoughts
	reply          wire.Reply

	// Of the last cycle end.
	hash    wire.Hash // of its state
	rows    agent.Rows
	spilled spilledRows // positions of its rows that were spilled

	touched       bool           // changed outside of its slots since the last cycle end
	bestPeers     []wire.AgentID // peers that it follows, see rankPeers
	satisfactions []goals.Satisfaction
	faults        []error
	thinkTime     time.Duration // spent with the mind in this slot; not counted for minds that are recomputed

	err error // first error of its jobs; it runs no job after it
}

// newSeat makes the seat of an agent.
func newSeat(a *agent.Agent, rules *ooda.Rules) *seat {
	return &seat{
		id: a.ID, a: a, turn: ooda.NewTurn(a, rules),
		status: a.Status, thoughtsHasher: sha256.New(),
	}
}

func bySeatID(a, b *seat) int { return a.id.Compare(b.id) }

// agentsHash is SHA-256 over id ‖ state hash of all agents, sorted by id. Only
// agents that changed were hashed anew.
func agentsHash(sorted []*seat) wire.Hash {
	h := sha256.New()
	for _, s := range sorted {
		h.Write(s.id[:])
		h.Write(s.hash[:])
	}
	return wire.Hash(h.Sum(nil))
}
