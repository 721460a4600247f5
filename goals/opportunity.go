package goals

import (
	"slices"

	"kingdom/wire"
)

// Opportunity appends the goal that an event offers this agent, if any. The agent's own events offer none, and
// neither do events for which its capability is too low.
func Opportunity(dst []Goal, s *Situation, e *wire.Event) []Goal {
	if e.Origin == s.Agent {
		return dst
	}
	switch p := e.Payload.(type) {
	case *wire.BountyCreatedEvent:
		if p.Creator == s.Agent {
			return dst
		}
		if b := s.bounty(p.BountyID); b != nil && b.Barred {
			return dst
		}
		return Claim(dst, s, p)
	case *wire.BountyReopenedEvent:
		if b := s.bounty(p.BountyID); b != nil && !b.Barred && b.Creator != s.Agent {
			return Claim(dst, s, &wire.BountyCreatedEvent{ // copied, because the view does not live as long as the goal
				BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward, Deadline: b.Deadline, Difficulty: b.Difficulty,
			})
		}
	case *wire.ReviewRequestedEvent:
		if slices.Contains(p.Reviewers, s.Agent) { // a request without names is for reviewers who are drawn; they see it in their view
			return s.offer(dst, LayerTask, Description{
				Kind: KindDoReview, Text: "Review what was submitted", Subject: &p.ReviewID, Beneficiary: &p.Author,
			}, nil)
		}
	case *wire.ProposalCreatedEvent:
		if p.Author != s.Agent && (s.HasOpinion == nil || s.HasOpinion(p.ProposalID)) {
			return s.offer(dst, LayerTask, Description{
				Kind: KindVote, Text: "Vote on the proposal", Subject: &p.ProposalID, Beneficiary: &p.Author,
			}, &p.VoteDeadline)
		}
	case *wire.MessagePostedEvent:
		if p.Kind == wire.MessageKindQuestion && p.Author != s.Agent {
			return s.offer(dst, LayerTask, Description{
				Kind: KindAnswer, Text: "Answer the question", Subject: &p.MessageID, Beneficiary: &p.Author,
			}, nil)
		}
	}
	return dst
}

// Claim appends the goal to earn a bounty if it is expected to pay more than it costs. The goal refers to the event,
// which all readers share and nobody may change.
func Claim(dst []Goal, s *Situation, b *wire.BountyCreatedEvent) []Goal {
	if !s.capable(KindClaimBounty) {
		return dst
	}
	success := s.Rate(KindClaimBounty.Domain())
	if s.SuccessChance != nil {
		var able bool
		if success, able = s.SuccessChance(b); !able {
			return dst
		}
	}
	gain := float64(float64(b.Reward) * success)
	if s.BountyCost != nil {
		gain -= s.BountyCost()
	}
	if gain <= 0 {
		return dst
	}
	return s.offer(dst, LayerObjective, Description{
		Kind: KindClaimBounty, Text: string(b.Title), Subject: &b.BountyID, Reward: b.Reward, Difficulty: &b.Difficulty, Beneficiary: &b.Creator,
	}, &b.Deadline)
}

// offer appends a goal, unless its deadline has passed: an agent that wakes reads the events since it fell asleep.
func (s *Situation) offer(dst []Goal, l Layer, d Description, deadline *wire.Tick) []Goal {
	if deadline != nil && *deadline < s.Tick || !s.capable(d.Kind) {
		return dst
	}
	g := s.goal(l, SourceOpportunity, d)
	g.Deadline = deadline
	return append(dst, g)
}

func (s *Situation) bounty(id wire.Hash) *wire.BountyView {
	for i := range s.Bounties {
		if s.Bounties[i].ID == id {
			return &s.Bounties[i]
		}
	}
	return nil
}
