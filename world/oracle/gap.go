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
	minWanting    = 3 // agents whose word for the asker counts
)

// GapReward is what a documentation bounty pays, in ⚡.
const GapReward = 10

// answeringAccuracy is the accuracy from which an entry answers questions about its tags.
const answeringAccuracy = 0.3

// gaps are the questions that were dealt with: a bounty was opened for them, or they were found answered.
type gaps struct {
	*siblings
	*world.Table[wire.Hash, Gap] // question
	rules                        *world.Rules
	entries                      *entries
}

func newGaps(s *world.State, r *world.Rules, others *siblings, in *entries) *gaps {
	return &gaps{siblings: others, rules: r, entries: in, Table: world.NewTable[wire.Hash](s, "gaps", gapCodec)}
}

// open opens a bounty for each question of many that no entry answers, as long as the
// reward budget lasts. A question is dealt with once, also when it is found answered.
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
			return // no room or no money for any other either; what was taken stays unspent this cycle
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

// hasBounty says whether there is, or was, a bounty for one of the things that an entry refers to.
func (x *gaps) hasBounty(references []wire.Hash) bool {
	return slices.ContainsFunc(references, func(id wire.Hash) bool {
		g := x.Get(id)
		return g != nil && g.Bounty != nil
	})
}

// questions are those that may be gaps at the end of cycle now.
func (x *gaps) questions(now wire.Cycle) []world.Question {
	return x.forum.Questions(int(questionsPerS*x.rules.Scale()),
		func(msg wire.Hash) bool { return x.Get(msg) != nil },
		func(q *world.Question) bool { return x.countingAgents(q, now) != nil })
}

// countingAgents are the first three agents whose word for the asker still counts, nil if there
// are fewer: three friends open no bounty every cycle.
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

// answered says whether a published entry that is accurate enough shares a tag.
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
