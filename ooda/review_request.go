package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// reviewsAskedFor is how many reviews of own programs an agent waits for at a time.
const reviewsAskedFor = 2

// offerReviewRequest offers to ask for a review of a published program that was changed since its first version: two fifths of
// a reputation are what reviewers think of the agent's work. Each version is asked about once. Who knows a reviewer
// that it trusts asks that one, others ask anybody.
func (o programmer) offerReviewRequest(g *goals.Goal) {
	row := o.seen.action("review_request")
	if row == nil || o.waitingReviews() >= reviewsAskedFor {
		return
	}
	for i := range o.notes.Works {
		w := &o.notes.Works[i]
		if w.Stage != memory.WorkTagged || w.Kind == memory.WorkReview || w.First == w.Snap || w.Asked == w.Snap {
			continue
		}
		reviewers := []wire.AgentID{}
		if who := scribe(o).whomToAsk(memory.TopicPrograms); !who.IsZero() {
			if trust, known := o.relations().trusts(who); known && trust > 0.5 {
				reviewers = append(reviewers, who)
			}
		}
		o.offerAbout(g, row, &wire.ReviewRequest{
			Repo: w.Repo, BaseSnap: w.First, HeadSnap: w.Snap, Reviewers: reviewers, Description: []byte("it ran well; is it right?"), Urgency: wire.UrgencyNormal,
		}, w.Repo, 1)
		return
	}
}

// reviewCycles is for how many cycles after asking the agent waits for the review of an own program.
const reviewCycles = 3

// waitingReviews counts own programs for which the agent still waits for a review.
func (o programmer) waitingReviews() (n int) {
	for i := range o.notes.Works {
		if w := &o.notes.Works[i]; !w.Asked.IsZero() && w.At+wire.Tick(reviewCycles*o.rules.Calendar.TicksPerCycle) > o.seen.tick {
			n++
		}
	}
	return n
}

// noteAskedReview notes which version others were asked about; the world takes the same one but once.
func (rr advocate) noteAskedReview(q *wire.ReviewRequest) {
	if w := rr.notes.WorkOf(q.Repo); w != nil {
		w.Asked = q.HeadSnap
	}
}
