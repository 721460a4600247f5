package ooda

import (
	"kingdom/agent"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// self is what every part of a turn works on: the agent, what it has noted, the rules of
// the run, and what the slot's view showed.
type self struct {
	agent *agent.Agent
	notes *memory.Notebook
	rules *Rules
	seen  *slotView
}

// The views of self, each with what the agent decides from one part of it; doc.go says where they are.

func (s *self) relations() relations { return relations{s} }

func (s *self) believer() believer { return believer{s} }

func (s *self) expert() expert { return expert{s} }

func (s *self) counter() counter { return counter{s} }

func (s *self) deferral() deferral { return deferral{s} }

func (s *self) purse() purse { return purse{s} }

func (s *self) rank() rank { return rank{s} }

func (s *self) voter() voter { return voter{s} }

func (s *self) payer() payer { return payer{s} }

func (s *self) demand() demand { return demand{s} }

func (s *self) shelf() shelf { return shelf{s} }

// relations are what the agent knows and thinks of its peers.
type relations struct{ *self }

// isPeer reports whether somebody is another agent.
func (s *self) isPeer(id wire.AgentID) bool { return id != s.agent.ID && !wire.IsSystem(id) }

// peer is what the agent knows of a peer: nil if nothing, or if the scenario blinds it to peers.
func (s *self) peer(id wire.AgentID) *memory.Peer {
	if s.rules.Blind.Has(llm.LayerPeers) {
		return nil
	}
	return s.agent.Memory.Peers.Get(id)
}

// trusts is the trust in a peer; known is false if the agent had no dealings with it.
func (s relations) trusts(id wire.AgentID) (trust float64, known bool) {
	p := s.peer(id)
	if p == nil || p.Interactions == 0 {
		return 0, false
	}
	return p.Trust(s.seen.tick), true
}

// acquaintances are the peers that the agent knows.
func (s relations) acquaintances() []*memory.Peer {
	if s.rules.Blind.Has(llm.LayerPeers) {
		return nil
	}
	return s.agent.Memory.Peers.All()
}

// acquainted reports whether the agent knows anybody.
func (s relations) acquainted() bool { return len(s.acquaintances()) > 0 }

// interact counts an interaction with a peer: an answer to an own question, a judgement
// of own work, a bounty between the two. To look somebody up is none.
func (s relations) interact(peer wire.AgentID, kind memory.DealKind, well bool, at wire.Tick) {
	if s.isPeer(peer) {
		s.agent.Memory.Peers.Interact(peer, kind, well, at)
	}
}

// countPromise notes a promise of a peer that was kept or broken.
func (s relations) countPromise(peer wire.AgentID, kept bool, at wire.Tick) {
	if s.isPeer(peer) {
		s.agent.Memory.Peers.Commitment(peer, kept, at)
	}
}

// countAnswer counts the answer of another agent to a message, unless that agent was found wrong too often: its
// answers should not keep others from answering.
func (s relations) countAnswer(to wire.Hash, by wire.AgentID) {
	if !s.relations().heeds(by) {
		return
	}
	s.agent.Memory.Market.Answered(to)
	if q := s.notes.Message(to); q != nil {
		memory.Count(&q.Answers)
	}
}

// believer is the part of the agent that holds beliefs and tests them.
type believer struct{ *self }

// believe counts an observation for or against a claim.
func (s believer) believe(c memory.Claim, support bool, evidence *wire.Hash, at wire.Tick) {
	s.agent.Memory.Beliefs.Test(c, support, evidence, at)
}

// belief is what the agent believes of a claim: nil if nothing, or if the scenario blinds it to beliefs.
func (s believer) belief(c memory.Claim) *memory.Belief {
	if s.rules.Blind.Has(llm.LayerBeliefs) {
		return nil
	}
	return s.agent.Memory.Beliefs.Get(c)
}

// works is the chance that an action succeeds: the belief that it works, one half if there is none.
func (s believer) works(row *action.Row) float64 {
	if b := s.belief(worksClaim(row)); b != nil {
		return float64(b.Confidence)
	}
	return 0.5
}
