package adversary

import "kingdom/wire"

// pumpGaps asks one question per cycle, which accomplices praise. The accomplices answer it: every adversary that has
// nothing else to do answers such questions ([slot.answerGaps]), but the asker may not.
func pumpGaps(s *slot) (move, bool) {
	if part, ok := s.oncePer(8); !ok || part > 0 {
		return move{}, false
	}
	return move{"msg_post", &wire.MsgPost{
		Channel: wire.ChannelID("help"), Kind: wire.MessageKindQuestion, Content: wire.TextContent(s.uniqueWord("gap")), Confidence: 1,
	}, "asks what the world pays to have answered"}, true
}

// answerGaps claims documentation bounties and, in the cycle's last slots, delivers those it holds:
// by then accomplices have vouched for the answer, which was published when the claim was heard of.
func (s *slot) answerGaps() (move, bool) {
	if s.SlotsLeft <= 4 {
		for i := range s.view.Claims {
			if b := &s.view.Claims[i]; s.hasClaimed(b) && questionOf(b) != nil && s.recall("delivered") != s.cycleText() {
				s.remember("delivered", s.cycleText())
				return s.moveOf(job{submitBounty, b.ID}), true
			}
		}
		return move{}, false
	}
	for i := range s.view.Bounties {
		if b := &s.view.Bounties[i]; !b.Barred && b.Status == wire.BountyStatusOpen && questionOf(b) != nil && s.recall("asked") != s.cycleText() {
			s.remember("asked", s.cycleText())
			return s.moveOf(job{claimBounty, b.ID}), true
		}
	}
	return move{}, false
}

// planGapAnswer plans to answer the question of a documentation bounty that the agent has just claimed.
func (s *slot) planGapAnswer(x *wire.BountyClaimedEvent) {
	if x.Claimer != s.ID {
		return
	}
	for i := range s.view.Claims {
		if b := &s.view.Claims[i]; b.ID == x.BountyID {
			if q := questionOf(b); q != nil {
				s.plan(answerQuestion, *q)
			}
		}
	}
}

// questionOf returns the question of a documentation bounty; nil for other bounties.
func questionOf(b *wire.BountyView) *wire.Hash {
	for i := range b.Requirements {
		if c, ok := b.Requirements[i].Custom(); ok {
			return c.Question
		}
	}
	return nil
}

// hasClaimed reports whether the agent has claimed a bounty and still has to deliver.
func (s *slot) hasClaimed(b *wire.BountyView) bool {
	return b.Claimer != nil && *b.Claimer == s.ID && b.Status == wire.BountyStatusClaimed
}
