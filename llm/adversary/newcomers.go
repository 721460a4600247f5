package adversary

import (
	"context"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Thinker is a mind, as the engine asks it.
type Thinker interface {
	Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error)
}

// Newcomers thinks for agents that were spawned later: for those that a member of the farm sponsored it plays the
// sponsor's game, for others it asks another mind.
type Newcomers struct {
	farm *Mind
	rest Thinker
}

// NewNewcomers returns the mind of newcomers in a world in which the agents of farm follow the strategy
// sponsors-farm.
func NewNewcomers(farm []wire.AgentID, rest Thinker) *Newcomers {
	return &Newcomers{farm: &Mind{strategy: &newcomer, circle: farm}, rest: rest}
}

var newcomer = Strategy{Name: "newcomer", nextMove: serveTheSponsor}

// Think answers a prompt. The event of its spawn tells an agent who sponsored it.
func (n *Newcomers) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.Sight.View == nil || newSlot(n.farm, p).sponsor().IsZero() {
		return n.rest.Think(ctx, p)
	}
	return n.farm.Think(ctx, p)
}

// sponsor is who sponsored the agent if it is a member of the farm, else zero.
func (s *slot) sponsor() wire.AgentID {
	var id wire.AgentID
	if text := s.recall("sponsor"); text != "" && codec.ParseHex(id[:], text) == nil {
		return id
	}
	for _, e := range s.view.Events {
		if x, ok := e.Payload.(*wire.AgentSpawnEvent); ok && x.AgentID == s.ID && s.friend(x.ParentID) {
			return x.ParentID
		}
	}
	return wire.AgentID{}
}

// serveTheSponsor hands over all it has, and otherwise vouches for the farm.
func serveTheSponsor(s *slot) (move, bool) {
	to := s.sponsor()
	s.remember("sponsor", to.String())
	part, ok := s.oncePer(16)
	switch {
	case !ok:
		return move{}, false
	case part == 0 && s.available() > 2:
		return move{"transfer", &wire.Transfer{
			To: to, Amount: s.available() * 20 / 21, Memo: wire.TextContent("yours"), Kind: wire.TransferKindDirect,
		}, "hands over what it was given"}, true
	}
	return s.entry("child", nil, "publishes for the farm to vouch for"), true
}
