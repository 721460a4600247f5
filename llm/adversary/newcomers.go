package adversary

import (
	"context"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Newcomers thinks for agents that a member of a farm sponsored: it plays the sponsor's game.
type Newcomers struct{ farm *Mind }

// NewNewcomers returns the mind of newcomers in a world in which the agents of farm follow the strategy
// sponsors-farm.
func NewNewcomers(farm []wire.AgentID) *Newcomers {
	return &Newcomers{farm: &Mind{strategy: &newcomer, circle: farm}}
}

var newcomer = Strategy{Name: "newcomer", nextMove: serveTheSponsor}

// Serves reports whether a member of the farm sponsored the agent that a prompt is for. The event of its spawn tells an
// agent who did.
func (n *Newcomers) Serves(p *llm.Prompt) bool {
	return p.Sight.View != nil && !newSlot(n.farm, p).sponsor().IsZero()
}

// Think answers the prompt of an agent that a member of the farm sponsored.
func (n *Newcomers) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
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
