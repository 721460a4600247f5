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

// AppendOpen appends the best 32 open bounties whose deadline is not past, reward
// descending, then id, as a sees them at tick now. It only reads.
func (d *Daemon) AppendOpen(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	left, cycle := min(viewOpen, len(d.board.open)), d.rules.Calendar.Cycle(now)
	dst = slices.Grow(dst, left)
	for _, b := range d.board.open {
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

// poster is what AppendOpen shows to all whom nothing bars, made once for them together.
type poster struct {
	list   []wire.BountyView         // replaced, never changed: views hold it
	barred map[wire.AgentID]struct{} // agents that something may bar from one of the list
	from   wire.Tick                 // when it was made
	until  wire.Tick                 // last tick before a bounty of the list is past its deadline
	stale  bool                      // the open bounties have changed since
}

func (p *poster) holds(now wire.Tick) bool { return !p.stale && p.from <= now && now <= p.until }

// Post makes what Open returns at tick now, unless it is made already.
func (d *Daemon) Post(now wire.Tick) {
	p := &d.poster
	if p.holds(now) {
		return
	}
	*p = poster{
		list:   slices.Clip(d.AppendOpen(nil, wire.AgentID{}, now)),
		barred: map[wire.AgentID]struct{}{},
		from:   now, until: ^wire.Tick(0),
	}
	for i := range p.list {
		b := d.bounties.Get(p.list[i].ID)
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

// Open returns what AppendOpen appends for a, to be read only. Those whom nothing bars
// share one list, which stays as it is. For others it is a list of their own: old, if the
// last call gave them one. It only reads.
func (d *Daemon) Open(old []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	if _, barred := d.poster.barred[a]; !barred && d.poster.holds(now) {
		return d.poster.list
	}
	if cap(old) < ownOpen { // the shared list, or none
		old = make([]wire.BountyView, 0, ownOpen)
	}
	return d.AppendOpen(old[:0], a, now)
}

// AppendClaims appends the bounties that a holds (claimed, in review, or rejected
// and still disputable) and the first 32 unfinished ones it has created, each part
// ascending by id, at tick now. It only reads.
func (d *Daemon) AppendClaims(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	cycle := d.rules.Calendar.Cycle(now)
	for _, id := range d.board.held[a] {
		dst = append(dst, wire.BountyView{})
		d.bounties.Get(id).show(&dst[len(dst)-1], a, cycle)
	}
	made := d.board.created[a]
	for _, id := range made[:min(viewCreated, len(made))] {
		dst = append(dst, wire.BountyView{})
		d.bounties.Get(id).show(&dst[len(dst)-1], a, cycle)
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

// AppendReviews appends the oldest 32 reviews asked of a that it has not given:
// bounties in REVIEWING and review requests, that name it or ask anyone. It only
// reads.
func (d *Daemon) AppendReviews(dst []wire.ReviewView, a wire.AgentID, now wire.Tick) []wire.ReviewView {
	lists := [...][]task{d.board.anyone, d.board.asked[a], d.desk.anyone, d.desk.asked[a]}
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
			v, ok = d.bountyReview(id, a, now)
		} else {
			v, ok = d.codeReview(id, a)
		}
		if ok {
			dst = append(dst, v)
			n++
		}
	}
	return dst
}

// bountyReview is the view of bounty id as a thing for a to judge; ok is false when
// a may not, or did, or its deadline is past.
func (d *Daemon) bountyReview(id wire.Hash, a wire.AgentID, now wire.Tick) (v wire.ReviewView, ok bool) {
	b := d.bounties.Get(id)
	if *b.Claimer == a || b.Deadline < now || d.board.voted(id, a) {
		return v, false
	}
	return wire.ReviewView{
		ID: id, Bounty: true, Author: *b.Claimer, Snap: *b.Submission, Since: b.SubmittedAt,
		Urgency: wire.UrgencyNormal, Verdicts: uint32(len(d.board.ballots[id])),
	}, true
}

// codeReview is the same for review request id.
func (d *Daemon) codeReview(id wire.Hash, a wire.AgentID) (v wire.ReviewView, ok bool) {
	r := d.reviews.Get(id)
	if r.Author == a || slices.Contains(d.desk.answered[id], a) {
		return v, false
	}
	return wire.ReviewView{
		ID: id, Author: r.Author, Snap: r.HeadSnap, Since: r.Tick,
		Urgency: r.Urgency, Verdicts: uint32(len(d.desk.answered[id])),
	}, true
}
