package agora

import (
	"slices"

	"kingdom/wire"
)

// Bounds of what a view shows (docs/WORLD.md, filters and delivery).
const (
	viewOpen    = 32
	viewCreated = 32
	viewReviews = 32
)

// ownOpen is the capacity by which an agent's own list of open bounties is known from the
// shared one, which has no more than it shows.
const ownOpen = viewOpen + 1

// appendOpen appends the best 32 open bounties whose deadline is not past, reward
// descending, then id, as a sees them at tick now. It only reads.
func (x *board) appendOpen(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	left, cycle := min(viewOpen, len(x.open)), x.rules.Calendar.Cycle(now)
	dst = slices.Grow(dst, left)
	for _, b := range x.open {
		if left == 0 {
			break
		}
		if b.Deadline < now {
			continue
		}
		left--
		dst = dst[:len(dst)+1]
		b.show(&dst[len(dst)-1], a, cycle)
	}
	return dst
}

// sharedList is what appendOpen shows to all whom nothing bars, made once for them together.
type sharedList struct {
	list   []wire.BountyView         // replaced, never changed: views hold it
	barred map[wire.AgentID]struct{} // agents that something may bar from one of the list
	from   wire.Tick                 // when it was made
	until  wire.Tick                 // last tick before a bounty of the list is past its deadline
	stale  bool                      // the open bounties have changed since
}

func (p *sharedList) holds(now wire.Tick) bool { return !p.stale && p.from <= now && now <= p.until }

// post makes what openTo returns at tick now, unless it is made already.
func (x *board) post(now wire.Tick) {
	p := &x.shared
	if p.holds(now) {
		return
	}
	*p = sharedList{
		list:   slices.Clip(x.appendOpen(nil, wire.AgentID{}, now)),
		barred: map[wire.AgentID]struct{}{},
		from:   now, until: ^wire.Tick(0),
	}
	for i := range p.list {
		b := x.bounties.Get(p.list[i].ID)
		p.until = min(p.until, b.Deadline)
		p.barred[b.Creator] = struct{}{}
		if b.Asker != nil {
			p.barred[*b.Asker] = struct{}{}
		}
		for _, a := range b.Reviewers {
			p.barred[a] = struct{}{}
		}
		for _, x := range b.Bars {
			p.barred[x.Agent] = struct{}{}
		}
	}
}

// openTo returns what appendOpen appends for a, to be read only. Those whom nothing bars
// share one list, which stays as it is. For others it is a list of their own: old, if the
// last call gave them one. It only reads.
func (x *board) openTo(old []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	if _, barred := x.shared.barred[a]; !barred && x.shared.holds(now) {
		return x.shared.list
	}
	if cap(old) < ownOpen { // the shared list, or none
		old = make([]wire.BountyView, 0, ownOpen)
	}
	return x.appendOpen(old[:0], a, now)
}

// appendClaims appends the bounties that a holds (claimed, in review, or rejected
// and still disputable) and the first 32 unfinished ones it has created, each part
// ascending by id, at tick now. It only reads.
func (x *board) appendClaims(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	cycle := x.rules.Calendar.Cycle(now)
	for _, id := range x.held[a] {
		dst = append(dst, wire.BountyView{})
		x.bounties.Get(id).show(&dst[len(dst)-1], a, cycle)
	}
	made := x.created[a]
	for _, id := range made[:min(viewCreated, len(made))] {
		dst = append(dst, wire.BountyView{})
		x.bounties.Get(id).show(&dst[len(dst)-1], a, cycle)
	}
	return dst
}

// show fills all of v, which may hold another bounty.
func (b *Bounty) show(v *wire.BountyView, a wire.AgentID, now wire.Cycle) {
	v.ID, v.Creator, v.Title, v.Reward, v.Deadline = b.ID, b.Creator, b.Title, b.Reward, b.Deadline
	v.Difficulty, v.Requirements, v.Reviewers = b.Difficulty, b.Requirements, b.Reviewers
	v.Claimer, v.ClaimedAt, v.Status = b.Claimer, b.ClaimedAt, b.Status
	v.Barred = b.own(a) || b.barred(a, now)
}

// toJudge is the view of bounty id as a thing for a to judge; ok is false when
// a may not, or did, or its deadline is past.
func (x *board) toJudge(id wire.Hash, a wire.AgentID, now wire.Tick) (v wire.ReviewView, ok bool) {
	b := x.bounties.Get(id)
	if *b.Claimer == a || b.Deadline < now || x.voted(id, a) {
		return v, false
	}
	return wire.ReviewView{
		ID: id, Bounty: true, Author: *b.Claimer, Snap: *b.Submission, Since: b.SubmittedAt,
		Urgency: wire.UrgencyNormal, Verdicts: uint32(len(x.ballots[id])),
	}, true
}

// toReview is the same for code review request id.
func (x *reviews) toReview(id wire.Hash, a wire.AgentID) (v wire.ReviewView, ok bool) {
	r := x.Get(id)
	if r.Author == a || slices.Contains(x.answered[id], a) {
		return v, false
	}
	return wire.ReviewView{
		ID: id, Author: r.Author, Snap: r.HeadSnap, Since: r.Tick,
		Urgency: r.Urgency, Verdicts: uint32(len(x.answered[id])),
	}, true
}

// Post makes what Open returns at tick now, unless it is made already.
func (d *Daemon) Post(now wire.Tick) { d.board.post(now) }

// Open returns the best 32 open bounties whose deadline is not past, reward descending,
// then id, as a sees them at tick now; to be read only. Those whom nothing bars share one
// list, which stays as it is. For others it is a list of their own: old, if the last call
// gave them one. It only reads.
func (d *Daemon) Open(old []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	return d.board.openTo(old, a, now)
}

// AppendClaims appends the bounties that a holds (claimed, in review, or rejected
// and still disputable) and the first 32 unfinished ones it has created, each part
// ascending by id, at tick now. It only reads.
func (d *Daemon) AppendClaims(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	return d.board.appendClaims(dst, a, now)
}

// AppendReviews appends the oldest 32 reviews asked of a that it has not given:
// bounties in REVIEWING and review requests, that name it or ask anyone. It only
// reads.
func (d *Daemon) AppendReviews(dst []wire.ReviewView, a wire.AgentID, now wire.Tick) []wire.ReviewView {
	lists := [...][]task{d.board.anyone, d.board.asked[a], d.reviews.anyone, d.reviews.asked[a]}
	for n := 0; n < viewReviews; {
		best := -1
		for i, l := range lists {
			if len(l) > 0 && (best < 0 || l[0].compare(lists[best][0]) < 0) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		id := lists[best][0].id
		lists[best] = lists[best][1:]
		var v wire.ReviewView
		var ok bool
		if best < 2 {
			v, ok = d.board.toJudge(id, a, now)
		} else {
			v, ok = d.reviews.toReview(id, a)
		}
		if ok {
			dst = append(dst, v)
			n++
		}
	}
	return dst
}
