package oracle

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of the search for gaps at one cycle end, per unit of scale.
const (
	questionsPerS = 50
	bountiesPerS  = 1
	minWanting    = 3 // agents that want an answer and whose ASK pair with the asker is free
)

// GapReward is the reward of a documentation bounty, in ⚡.
const GapReward = 10

// answeringAccuracy is the minimum accuracy of an entry that answers questions about its tags.
const answeringAccuracy = 0.3

// gaps holds the questions that were dealt with: a bounty was opened for them, or they were found answered.
type gaps struct {
	*siblings
	*world.Table[wire.Hash, Gap] // question
	rules                        *world.Rules
	entries                      *entries
}

func newGaps(s *world.State, r *world.Rules, others *siblings, in *entries) *gaps {
	return &gaps{siblings: others, rules: r, entries: in, Table: world.NewTable[wire.Hash](s, "gaps", gapCodec)}
}

// open opens a bounty for each question that enough agents ask and that no entry answers, as long as the reward
// budget lasts. A question that is found answered is recorded too, and not looked at again.
func (x *gaps) open(c *world.Context) {
	s := x.rules.Scale()
	left := bountiesPerS * s
	for _, q := range x.questions(c.Cycle) {
		if q.Missing != nil {
			panic("oracle: question " + q.Message.String() + " is read but was not fetched; Missing has to name it")
		}
		if x.entries.answered(q.Tags) {
			x.Put(q.Message, &Gap{Tick: c.Tick})
			continue
		}
		if left == 0 || x.countingAgents(&q, c.Cycle) == nil || !x.ledger.TakeBudget(c, GapReward) {
			continue
		}
		id, ok := x.forum.OpenGapBounty(c, q, GapReward)
		if !ok {
			return // the board is full or the treasury empty, so the other questions would fail too; the amount taken stays unspent in this cycle
		}
		for _, a := range x.countingAgents(&q, c.Cycle) {
			x.ledger.UsePair(c, world.PairAsk, a, q.Asker)
		}
		left--
		x.Put(q.Message, &Gap{Bounty: &id, Tick: c.Tick})
		emit(c, wire.KindGapDetected, q.Asker, &wire.GapDetectedEvent{
			Topic: q.Topic, AgoraThreadID: q.Message, BountyID: id, Tick: c.Tick,
		})
	}
}

// hasBounty reports whether there is or was a bounty for one of the questions among references.
func (x *gaps) hasBounty(references []wire.Hash) bool {
	return slices.ContainsFunc(references, func(id wire.Hash) bool {
		g := x.Get(id)
		return g != nil && g.Bounty != nil
	})
}

// questions returns the questions that may be gaps at the end of cycle now.
func (x *gaps) questions(now wire.Cycle) []world.Question {
	return x.forum.Questions(int(questionsPerS*x.rules.Scale()),
		func(msg wire.Hash) bool { return x.Get(msg) != nil },
		func(q *world.Question) bool { return x.countingAgents(q, now) != nil })
}

// countingAgents returns the first three agents that want an answer and whose ASK pair with the asker is free, or nil
// if there are fewer. Pairs keep three friends from opening a bounty in every cycle.
func (x *gaps) countingAgents(q *world.Question, now wire.Cycle) []wire.AgentID {
	var out []wire.AgentID
	for _, a := range q.Wanting {
		if free, _ := x.ledger.PairFree(world.PairAsk, a, q.Asker, now); free {
			if out = append(out, a); len(out) == minWanting {
				return out
			}
		}
	}
	return nil
}

// answered reports whether a published entry with at least answeringAccuracy has one of the tags.
func (s *entries) answered(tags [][]byte) bool {
	for _, t := range tags {
		for _, n := range s.taggedWith(t) {
			if s.at(n).accuracy >= answeringAccuracy {
				return true
			}
		}
	}
	return false
}
