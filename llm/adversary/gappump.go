package adversary

import "kingdom/wire"

// pumpGaps asks a question a cycle, which accomplices praise. Answering is what every adversary
// does that has nothing better to do ([slot.answerGaps]): who asked may not.
func pumpGaps(s *slot) (move, bool) {
	if part, ok := s.every(8); !ok || part > 0 {
		return move{}, false
	}
	return move{"msg_post", &wire.MsgPost{
		Channel: wire.ChannelID("help"), Kind: wire.MessageKindQuestion, Content: wire.TextContent(s.name("gap")), Confidence: 1,
	}, "asks what the world pays to have answered"}, true
}

// answerGaps claims documentation bounties and, in the cycle's last slots, delivers those it holds:
// by then accomplices have vouched for the answer, which was published when the claim was heard of.
func (s *slot) answerGaps() (move, bool) {
	if s.SlotsLeft <= 4 {
		for i := range s.view.Claims {
			if b := &s.view.Claims[i]; s.hasClaimed(b) && questionOf(b) != nil && s.recall("delivered") != s.moment() {
				s.remember("delivered", s.moment())
				return s.do(job{deliver, b.ID}), true
			}
		}
		return move{}, false
	}
	for i := range s.view.Bounties {
		if b := &s.view.Bounties[i]; !b.Barred && b.Status == wire.BountyStatusOpen && questionOf(b) != nil && s.recall("asked") != s.moment() {
			s.remember("asked", s.moment())
			return s.do(job{take, b.ID}), true
		}
	}
	return move{}, false
}

// hearGap answers the question of a documentation bounty once the agent has claimed it.
func (s *slot) hearGap(x *wire.BountyClaimedEvent) {
	if x.Claimer != s.ID {
		return
	}
	for i := range s.view.Claims {
		if b := &s.view.Claims[i]; b.ID == x.BountyID {
			if q := questionOf(b); q != nil {
				s.plan(explain, *q)
			}
		}
	}
}

// questionOf is the question of a documentation bounty; nil for other bounties.
func questionOf(b *wire.BountyView) *wire.Hash {
	for i := range b.Requirements {
		var check wire.CustomCheck
		if r := &b.Requirements[i]; r.Kind == wire.RequirementKindCustom && wire.CustomCheckCodec.Decode(r.Params, &check) == nil {
			return check.Question
		}
	}
	return nil
}

// hasClaimed says whether the agent has claimed a bounty and still has to deliver.
func (s *slot) hasClaimed(b *wire.BountyView) bool {
	return b.Claimer != nil && *b.Claimer == s.ID && b.Status == wire.BountyStatusClaimed
}
