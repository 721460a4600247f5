package agora

import (
	"bytes"
	"fmt"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// reviewReward is what an approved review earns by default, in ⚡ from the treasury.
const reviewReward = 5

// reviews holds the requests for code reviews and the reviews given, and rewards or blames the reviewers.
type reviews struct {
	*siblings
	*world.Table[wire.Hash, Review]
	posts    *world.Table[string, ReviewPost]
	rules    *world.Rules
	channels *channels
	counters *counters

	byHead   map[wire.Hash][]wire.Hash        // reviews of a snap
	byPost   map[wire.Hash]string             // review_posts key by the message in #reviews
	answered map[wire.Hash][]wire.AgentID     // who has given a review
	counted  map[wire.Hash]bool               // snaps of which a review counted for the author's reputation
	juries   *juries                          // for open requests that name nobody
	asked    map[wire.AgentID][]pendingReview // open requests that name the agent, unanswered, oldest first
	open     map[wire.AgentID]uint64          // number of open requests of an author
	due      map[wire.Cycle][]wire.Hash       // requests to be closed at the end of that cycle
}

// Bounds of reviews and requests for them.
const (
	reviewCycles = 16 // cycles for which a request stays open after its own
	maxReviews   = 2  // of a request that names nobody
	maxRequests  = 4  // open ones per author
	keyBytes     = 24 // what a key of a path counts beside its own bytes, so that empty ones count too
)

func newReviews(s *world.State, r *world.Rules, others *siblings, in *channels) *reviews {
	return &reviews{
		siblings: others, rules: r, channels: in, counters: in.counters,
		Table:    world.NewTable[wire.Hash, Review](s, "reviews", reviewCodec),
		posts:    world.NewTable[string, ReviewPost](s, "review_posts", postCodec),
		byHead:   map[wire.Hash][]wire.Hash{},
		byPost:   map[wire.Hash]string{},
		answered: map[wire.Hash][]wire.AgentID{},
		counted:  map[wire.Hash]bool{},
		juries:   newJuries(r, others),
		asked:    map[wire.AgentID][]pendingReview{},
		open:     map[wire.AgentID]uint64{},
		due:      map[wire.Cycle][]wire.Hash{},
	}
}

// Review returns the review request id or nil; read-only.
func (d *Daemon) Review(id wire.Hash) *Review { return d.reviews.Get(id) }

func (x *reviews) restored(cal wire.Calendar) {
	x.Each(func(_ wire.Hash, r *Review) { x.index(r, cal) })
	x.posts.Each(func(_ string, p *ReviewPost) { x.indexPost(p) })
}

// request carries out REVIEW_REQUEST.
func (x *reviews) request(c *world.Context, q *wire.ReviewRequest) wire.Reply {
	if refusal := world.InvalidIf(!x.validReviewers(q.Reviewers) || slices.Contains(q.Reviewers, c.Source), "reviewers"); refusal != nil {
		return c.Relay(sys, refusal)
	}
	if field := x.unknownIn(q); field != "" {
		return refuse(c, wire.CategoryNotFound, "not_found", world.Field(field))
	}
	if _, author, ok := x.code.Owner(q.HeadSnap); !ok || author != c.Source {
		return refuse(c, wire.CategoryUnauthorized, "not_author", world.Field("head_snap"))
	}
	if !x.code.Readable(q.HeadSnap, q.Reviewers...) || !x.code.Readable(q.BaseSnap, q.Reviewers...) {
		return refuse(c, wire.CategoryUnauthorized, "read", world.Field("reviewers"))
	}
	if x.open[c.Source] >= maxRequests {
		return refuse(c, wire.CategoryQuotaExceeded, "too_many_open", world.Limit(maxRequests))
	}
	if refusal := x.counters.mayWrite(c, len(q.Description)); refusal != nil {
		return c.Relay(sys, refusal)
	}
	x.counters.countText(c, len(q.Description))
	r := &Review{
		ID: c.Msg, Repo: q.Repo, BaseSnap: q.BaseSnap, HeadSnap: q.HeadSnap, Author: c.Source,
		Reviewers: q.Reviewers, Description: q.Description, Urgency: q.Urgency, Tick: c.Tick,
	}
	x.Put(r.ID, r)
	x.index(r, x.rules.Calendar)
	c.Emit(sys, wire.KindReviewRequested, c.Source, &wire.ReviewRequestedEvent{
		ReviewID: r.ID, Repo: r.Repo, Author: r.Author, Reviewers: r.Reviewers, Urgency: r.Urgency, Tick: c.Tick,
	}, nil)
	return c.Ack(&wire.ReviewRequestAck{ReviewID: r.ID})
}

// unknownIn returns the field of a request that names no repo, or no snap of the repo; "" if all of them do. A tag is
// no snap: it has no tree of its own that a reviewer could read.
func (x *reviews) unknownIn(q *wire.ReviewRequest) string {
	switch {
	case x.code == nil || !x.code.Contains(q.Repo, q.Repo):
		return "repo"
	case !x.isSnapOf(q.Repo, q.BaseSnap):
		return "base_snap"
	case !x.isSnapOf(q.Repo, q.HeadSnap):
		return "head_snap"
	}
	return ""
}

// isSnapOf reports whether a repo holds a snap with this id.
func (x *reviews) isSnapOf(repo, id wire.Hash) bool {
	_, _, tag := x.code.Tag(id)
	return !tag && x.code.Contains(repo, id)
}

func (x *reviews) index(r *Review, cal wire.Calendar) {
	x.byHead[r.HeadSnap] = append(x.byHead[r.HeadSnap], r.ID)
	if r.Closed {
		return
	}
	x.open[r.Author]++
	due := cal.Cycle(r.Tick) + reviewCycles
	x.due[due] = append(x.due[due], r.ID)
	if len(r.Reviewers) == 0 {
		x.juries.add(juryDraw{thing: r.ID, by: r.Author, at: r.Tick, since: cal.Cycle(r.Tick)})
	}
	for _, a := range r.Reviewers {
		x.asked[a] = insert(x.asked[a], pendingReview{r.Tick, r.ID}, pendingReview.compare)
	}
}

// close ends an open request.
func (x *reviews) close(id wire.Hash) {
	r := x.Edit(id)
	r.Closed = true
	if x.open[r.Author]--; x.open[r.Author] == 0 {
		delete(x.open, r.Author)
	}
	x.juries.remove(id)
	for _, a := range r.Reviewers {
		drop(x.asked, a, pendingReview{r.Tick, id}, pendingReview.compare)
	}
}

// answeredAll reports whether a request has all the reviews it asks for.
func (x *reviews) answeredAll(r *Review) bool {
	if len(r.Reviewers) == 0 {
		return len(x.answered[r.ID]) >= maxReviews
	}
	return len(x.answered[r.ID]) >= len(r.Reviewers)
}

// mayReview reports whether a may answer a request: it is named or, if the request names nobody, it is drawn, as for
// bounties. If everybody could answer, the two fastest agents would shut out all others.
func (x *reviews) mayReview(r *Review, a wire.AgentID) bool {
	return slices.Contains(r.Reviewers, a) || x.juries.drawn(r.ID, a)
}

// expire closes the requests that are due at the end of this cycle.
func (x *reviews) expire(c *world.Context) {
	for _, id := range x.due[c.Cycle] {
		if !x.Get(id).Closed {
			x.close(id)
		}
	}
	delete(x.due, c.Cycle)
}

// submit carries out REVIEW_SUBMIT and posts the review in #reviews.
func (x *reviews) submit(c *world.Context, q *wire.ReviewSubmit) wire.Reply {
	r := x.Get(q.Request)
	switch {
	case r == nil:
		return refuse(c, wire.CategoryNotFound, "not_found", world.Field("request"))
	case slices.Contains(x.answered[r.ID], c.Source):
		return refuse(c, wire.CategoryConflict, "already")
	case r.Closed:
		return refuse(c, wire.CategoryConflict, "closed", world.Closed)
	case r.Author == c.Source:
		return refuse(c, wire.CategoryUnauthorized, "own_code")
	case !x.mayReview(r, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "not_reviewer")
	}
	text := len(q.Overall)
	for i := range q.Comments {
		text += len(q.Comments[i].Content)
		for _, key := range q.Comments[i].Path {
			text += len(key) + keyBytes
		}
	}
	if refusal := x.counters.mayWrite(c, text); refusal != nil {
		return c.Relay(sys, refusal)
	}
	x.counters.countText(c, text)
	first := !x.counted[r.HeadSnap]
	counts := x.ledger.UsePair(c, world.PairMerit, c.Source, r.Author)
	p := &ReviewPost{
		Counts: counts, Review: r.ID, Reviewer: c.Source, Verdict: q.Verdict, Comments: q.Comments, Overall: q.Overall,
		Message: world.Derived("review:", c.Msg), Tick: c.Tick,
	}
	x.posts.Put(pair(r.ID, c.Source), p)
	x.indexPost(p)
	if x.answeredAll(r) {
		x.close(r.ID)
	}
	written := textOfReview(q)
	sent := c.Emit(sys, wire.KindReviewSubmitted, c.Source, &wire.ReviewSubmittedEvent{
		ReviewID: r.ID, Reviewer: c.Source, Verdict: q.Verdict, CommentCount: uint32(len(q.Comments)), Text: wire.EventText(written), Tick: c.Tick,
	}, nil)
	x.channels.appendMessage(c, c.Source, &sent, &wire.Message{
		ID: p.Message, Channel: wire.ChannelID("reviews"), Author: me, Kind: wire.MessageKindReview, Confidence: 1,
		Content:    wire.TextContent(q.Verdict.String() + " by " + c.Source.Alias() + ": " + clip(written, maxQuoted)),
		References: []wire.Hash{r.ID, r.HeadSnap},
	})
	if counts {
		x.roster.Reviewed(c, r.Author, c.Source, score(q.Verdict))
		x.code.Reviewed(c, r.Repo, score(q.Verdict), max(x.roster.Reputation(c.Source), minReviewerWeight))
		if first { // a snap counts as a contribution once
			x.roster.AddContribution(c, r.Author, 4)
		}
	}
	return c.Ack(nil)
}

// textOfReview returns the judgement of a review followed by its comments, a line each with path, severity and kind. It
// may be cut after maxQuoted bytes, because no more is shown of it.
func textOfReview(q *wire.ReviewSubmit) []byte {
	out := slices.Clip(q.Overall)
	for i := range q.Comments {
		if len(out) > maxQuoted {
			break
		}
		x := &q.Comments[i]
		out = append(append(out, '\n'), bytes.Join(x.Path, []byte("/"))...)
		if x.Offset != nil {
			out = fmt.Appendf(out, "[%d:%d]", x.Offset[0], x.Offset[1])
		}
		out = fmt.Appendf(out, " %s %s: %s", x.Severity, x.Kind, x.Content)
	}
	return bytes.TrimSpace(out)
}

// minReviewerWeight is the minimum weight of a reviewer, as in Nexus.
const minReviewerWeight = 0.1

func (x *reviews) indexPost(p *ReviewPost) {
	x.byPost[p.Message] = pair(p.Review, p.Reviewer)
	x.answered[p.Review] = append(x.answered[p.Review], p.Reviewer)
	r := x.Get(p.Review)
	if p.Counts {
		x.counted[r.HeadSnap] = true
	}
	drop(x.asked, p.Reviewer, pendingReview{r.Tick, p.Review}, pendingReview.compare)
}

// approvals returns the reviews that approved a snap.
func (x *reviews) approvals(head wire.Hash) (out []*ReviewPost) {
	for _, id := range x.byHead[head] {
		for _, a := range x.answered[id] {
			if p := x.posts.Get(pair(id, a)); p.Verdict == wire.ReviewVerdictApprove {
				out = append(out, p)
			}
		}
	}
	return out
}

// Approved reports whether agent by has answered a review request with APPROVE.
func (d *Daemon) Approved(review wire.Hash, by wire.AgentID) bool {
	p := d.reviews.posts.Get(pair(review, by))
	return p != nil && p.Verdict == wire.ReviewVerdictApprove
}

// score returns the quality that a verdict stands for, 0 to 1.
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

// approvePost rewards the reviewer, once, when an agent other than the reviewer and the author of the code approves the
// post of the review. If the pair of this agent is used, nothing is paid, and a later signal of another agent may earn
// the reward.
func (x *reviews) approvePost(c *world.Context, e *entry, s *Signal) {
	key, ok := x.byPost[e.id]
	if !ok || !approves(s.Kind) {
		return
	}
	p := x.posts.Get(key)
	author := x.Get(p.Review).Author
	if p.Approved || s.Author == p.Reviewer || s.Author == author {
		return
	}
	if x.ledger.AddReward(c, world.Reward{
		Label: "review", Subject: p.Message, Payee: p.Reviewer,
		Amount: x.amount("mint.reward.review", reviewReward), Approvers: []wire.AgentID{s.Author},
	}) {
		x.posts.Edit(key).Approved = true
	}
}

// approves reports whether a kind of signal approves a review or a bug report.
func approves(k wire.SignalKind) bool {
	return k == wire.SignalKindAgree || k == wire.SignalKindHelpful
}
