package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// reviewReward is what an approved review earns by default, in ⚡ from the treasury.
const reviewReward = 5

// desk is the index over code reviews.
type desk struct {
	byHead   map[wire.Hash][]wire.Hash    // reviews of a snap
	byPost   map[wire.Hash]string         // review_posts key by the message in #reviews
	answered map[wire.Hash][]wire.AgentID // who delivered a review
	anyone   []task                       // requests that name nobody, oldest first
	asked    map[wire.AgentID][]task      // requests that name the agent, unanswered, oldest first
}

func newDesk() desk {
	return desk{
		byHead:   map[wire.Hash][]wire.Hash{},
		byPost:   map[wire.Hash]string{},
		answered: map[wire.Hash][]wire.AgentID{},
		asked:    map[wire.AgentID][]task{},
	}
}

// Review returns the review request id or nil; read-only.
func (d *Daemon) Review(id wire.Hash) *Review { return d.reviews.Get(id) }

// requestReview carries out REVIEW_REQUEST.
func (d *Daemon) requestReview(c *world.Context, q *wire.ReviewRequest) wire.Reply {
	if len(q.Description) > maxSpecification {
		return refuse(c, wire.CategoryInvalidRequest, "bad_description")
	}
	if !d.goodReviewers(q.Reviewers) || slices.Contains(q.Reviewers, c.Source) {
		return refuse(c, wire.CategoryInvalidRequest, "bad_reviewers")
	}
	if d.code == nil || !d.code.Holds(q.Repo, q.BaseSnap) || !d.code.Holds(q.Repo, q.HeadSnap) {
		return refuse(c, wire.CategoryNotFound, "not_found")
	}
	r := &Review{
		ID: c.Msg, Repo: q.Repo, BaseSnap: q.BaseSnap, HeadSnap: q.HeadSnap, Author: c.Source,
		Reviewers: q.Reviewers, Description: q.Description, Urgency: q.Urgency, Tick: c.Tick,
	}
	d.reviews.Put(r.ID, r)
	d.indexReview(r)
	c.Emit(sys, wire.KindReviewRequested, c.Source, &wire.ReviewRequestedEvent{
		ReviewID: r.ID, Repo: r.Repo, Author: r.Author, Reviewers: r.Reviewers, Urgency: r.Urgency, Tick: c.Tick,
	}, nil)
	return c.Ack(&wire.ReviewRequestAck{ReviewID: r.ID})
}

func (d *Daemon) indexReview(r *Review) {
	d.desk.byHead[r.HeadSnap] = append(d.desk.byHead[r.HeadSnap], r.ID)
	t := task{r.Tick, r.ID}
	if len(r.Reviewers) == 0 {
		d.desk.anyone = insert(d.desk.anyone, t, task.compare)
	}
	for _, a := range r.Reviewers {
		d.desk.asked[a] = insert(d.desk.asked[a], t, task.compare)
	}
}

// submitReview carries out REVIEW_SUBMIT and posts the review in #reviews.
func (d *Daemon) submitReview(c *world.Context, q *wire.ReviewSubmit) wire.Reply {
	r := d.reviews.Get(q.Request)
	switch {
	case r == nil:
		return refuse(c, wire.CategoryNotFound, "not_found")
	case slices.Contains(d.desk.answered[r.ID], c.Source):
		return refuse(c, wire.CategoryConflict, "already")
	case r.Author == c.Source:
		return refuse(c, wire.CategoryUnauthorized, "own_code")
	case len(r.Reviewers) > 0 && !slices.Contains(r.Reviewers, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "not_reviewer")
	}
	first := !d.reviewedBefore(r.HeadSnap)
	p := &ReviewPost{
		Review: r.ID, Reviewer: c.Source, Verdict: q.Verdict, Comments: q.Comments, Overall: q.Overall,
		Message: world.Derived("review:", c.Msg), Tick: c.Tick,
	}
	d.posts.Put(pair(r.ID, c.Source), p)
	d.indexPost(p)
	sent := c.Emit(sys, wire.KindReviewSubmitted, c.Source, &wire.ReviewSubmittedEvent{
		ReviewID: r.ID, Reviewer: c.Source, Verdict: q.Verdict, CommentCount: uint32(len(q.Comments)), Tick: c.Tick,
	}, nil)
	d.say(c, c.Source, &sent, &wire.Message{
		ID: p.Message, Channel: ChannelID("reviews"), Author: me, Kind: wire.MessageKindReview, Confidence: 1,
		Content:    wire.TextContent(q.Verdict.String() + " by " + c.Source.Alias() + ": " + clip(q.Overall, maxContent/2)),
		References: []wire.Hash{r.ID, r.HeadSnap},
	})
	d.roster.Reviewed(c, r.Author, c.Source, score(q.Verdict))
	if first { // the snap counts as a contribution once others looked at it
		d.roster.Valued(c, r.Author, 4)
	}
	return c.Ack(nil)
}

func (d *Daemon) indexPost(p *ReviewPost) {
	d.desk.byPost[p.Message] = pair(p.Review, p.Reviewer)
	d.desk.answered[p.Review] = append(d.desk.answered[p.Review], p.Reviewer)
	drop(d.desk.asked, p.Reviewer, task{d.reviews.Get(p.Review).Tick, p.Review}, task.compare)
}

// reviewedBefore says whether any review of the snap was delivered.
func (d *Daemon) reviewedBefore(head wire.Hash) bool {
	return slices.ContainsFunc(d.desk.byHead[head], func(id wire.Hash) bool { return len(d.desk.answered[id]) > 0 })
}

// score is what a verdict says about the code's quality.
func score(v wire.ReviewVerdict) float64 {
	switch v {
	case wire.ReviewVerdictApprove:
		return 1
	case wire.ReviewVerdictCommentOnly:
		return 0.5
	default:
		return 0
	}
}

// approvePost pays the reviewer when an agent that is neither reviewer nor author
// of the code speaks for the review's post. A pair that is used up pays nothing;
// then another agent's signal may still.
func (d *Daemon) approvePost(c *world.Context, e *entry, s *Signal) {
	key, ok := d.desk.byPost[e.msg.ID]
	if !ok || !approves(s.Kind) {
		return
	}
	p := d.posts.Get(key)
	author := d.reviews.Get(p.Review).Author
	if p.Approved || s.Author == p.Reviewer || s.Author == author {
		return
	}
	if d.ledger.Note(c, world.Reward{
		Label: "review", Subject: p.Message, Payee: p.Reviewer,
		Amount: d.amount("mint.reward.review", reviewReward), Approvers: []wire.AgentID{s.Author},
	}) {
		d.posts.Edit(key).Approved = true
	}
}

// approves: AGREE and HELPFUL make a reward due.
func approves(k wire.SignalKind) bool {
	return k == wire.SignalKindAgree || k == wire.SignalKindHelpful
}
