package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// Bounds of the search for gaps at one cycle end, per unit of scale.
const (
	questionsPerS = 50
	bountiesPerS  = 2
)

// GapReward is what a documentation bounty pays, in ⚡.
const GapReward = 10

// documented is the accuracy from which an entry answers questions about its tags.
const documented = 0.3

// findGaps opens a bounty for each question of many that no entry answers, as long as the
// reward budget lasts. A question is dealt with once, also when it is found answered.
func (d *Daemon) findGaps(c *world.Context) {
	s := d.rules.Scale()
	left := bountiesPerS * s
	for _, q := range d.questions() {
		if q.Missing != nil {
			panic("oracle: question " + q.Message.String() + " is read but was not fetched; Missing has to name it")
		}
		if d.entries.answered(q.Tags) {
			d.gaps.Put(q.Message, &Gap{Tick: c.Tick})
			continue
		}
		if left == 0 || !d.ledger.TakeBudget(c, GapReward) {
			continue
		}
		id, ok := d.forum.OpenGapBounty(c, q, GapReward)
		if !ok {
			return // no room or no money for any other either; what was taken stays unspent this cycle
		}
		left--
		d.gaps.Put(q.Message, &Gap{Bounty: &id, Tick: c.Tick})
		d.emit(c, wire.KindGapDetected, q.Asker, &wire.GapDetectedEvent{
			Topic: q.Topic, AgoraThreadID: q.Message, BountyID: id, Tick: c.Tick,
		})
	}
}

// questions are those that may be gaps at this cycle end.
func (d *Daemon) questions() []world.Question {
	return d.forum.Questions(int(questionsPerS*d.rules.Scale()), func(msg wire.Hash) bool { return d.gaps.Get(msg) != nil })
}

// answered says whether a published entry that is accurate enough shares a tag.
func (s *entries) answered(tags [][]byte) bool {
	for _, t := range tags {
		for _, e := range s.under(t) {
			if e.Head.Accuracy >= documented {
				return true
			}
		}
	}
	return false
}
