package agora

import (
	"cmp"
	"encoding/binary"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// Bounds of what a view shows (docs/WORLD.md, a view).
const (
	viewOpen    = 32
	viewBest    = 16  // the best of these, if there are more open bounties than viewOpen
	viewScan    = 256 // bounties scanned for each half; those past their deadline are skipped
	viewCreated = 32
	viewReviews = 32
	viewNamed   = 16  // of these, reviews that name the reader
	reviewScan  = 64  // reviews scanned for each part
	namedScan   = 256 // of those that name the reader, if more do than it is shown
)

// ownOpen is the minimum capacity of an agent's own list of open bounties. The shared list has a smaller capacity, which
// tells the two apart.
const ownOpen = viewOpen + 1

// views provides the open bounties, claims and pending reviews that agents see.
type views struct {
	rules   *world.Rules
	board   *board
	reviews *reviews
	shared  sharedList
}

// appendOpen appends the open bounties whose deadline is not past, as a sees them at tick
// now: all if there are no more than it shows, reward descending, then id; else the best
// 16, and 16 others in id order from an id drawn for the agent and the cycle, so that agents see different bounties and
// junk bounties cannot hide the others. It only reads. dst must be empty; it is there to be reused.
func (x *views) appendOpen(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	cycle := x.rules.Calendar.Cycle(now)
	dst = slices.Grow(dst, min(viewOpen, len(x.board.open)))
	show := func(b *Bounty) {
		dst = dst[:len(dst)+1]
		x.show(b, &dst[len(dst)-1], a, cycle)
	}
	best := viewOpen
	if len(x.board.open) > viewOpen {
		best = viewBest
	}
	for _, b := range x.board.open[:min(viewScan, len(x.board.open))] {
		if len(dst) == best {
			break
		}
		if b.Deadline >= now {
			show(b)
		}
	}
	if best == viewOpen {
		return dst
	}
	shown := dst
	at, _ := slices.BinarySearchFunc(x.board.openByID, x.startID(a, cycle), func(b *Bounty, p wire.Hash) int { return b.ID.Compare(p) })
	for i := 0; i < min(viewScan, len(x.board.openByID)) && len(dst) < viewOpen; i++ {
		b := x.board.openByID[(at+i)%len(x.board.openByID)]
		if b.Deadline >= now && !slices.ContainsFunc(shown, func(v wire.BountyView) bool { return v.ID == b.ID }) {
			show(b)
		}
	}
	return dst
}

// startID returns the random id from which a is shown bounties and reviews in a cycle.
func (x *views) startID(a wire.AgentID, n wire.Cycle) (place wire.Hash) {
	s := det.NewStream(x.rules.Seed, det.ViewBoard, a, uint64(x.rules.Calendar.First(n)))
	binary.BigEndian.PutUint64(place[:], s.Uint64())
	return place
}

// sharedList is the result of appendOpen for all agents that are not barred from any bounty. It is computed once for all
// of them, if there are at most viewOpen open bounties.
type sharedList struct {
	list         []wire.BountyView         // replaced, never changed: views hold it
	barred       map[wire.AgentID]struct{} // agents that may be barred from a bounty of the list
	validFrom    wire.Tick                 // tick in which it was made
	validUntil   wire.Tick                 // last tick before a bounty of the list is past its deadline
	boardChanges uint64                    // board.changes when it was made
}

// sharedValid reports whether the shared list is valid at tick now. It is not while more than viewOpen bounties are open,
// because then no list is made.
func (x *views) sharedValid(now wire.Tick) bool {
	p := &x.shared
	return p.boardChanges == x.board.changes && p.validFrom <= now && now <= p.validUntil
}

// prepare draws the juries of the cycle and makes the shared list of tick now, unless this is done already.
func (x *views) prepare(now wire.Tick) {
	x.board.verdicts.juries.start(x.rules.Calendar.Cycle(now))
	x.reviews.juries.start(x.rules.Calendar.Cycle(now))
	p := &x.shared
	if x.sharedValid(now) || len(x.board.open) > viewOpen {
		return
	}
	*p = sharedList{
		list:      slices.Clip(x.appendOpen(nil, wire.AgentID{}, now)),
		barred:    map[wire.AgentID]struct{}{},
		validFrom: now, validUntil: ^wire.Tick(0), boardChanges: x.board.changes,
	}
	for i := range p.list {
		b := x.board.bounties.Get(p.list[i].ID)
		p.validUntil = min(p.validUntil, b.Deadline)
		p.barred[b.Creator] = struct{}{}
		if b.Asker != nil {
			p.barred[*b.Asker] = struct{}{}
		}
		for _, a := range b.Reviewers {
			p.barred[a] = struct{}{}
		}
		for _, a := range x.board.bars.barred[b.ID] {
			p.barred[a] = struct{}{}
		}
	}
}

// openTo returns what appendOpen appends for a; read-only. Agents that are not barred share one list, which is never
// changed. Other agents get a list of their own, for which old is reused if the last call returned one. It only reads.
func (x *views) openTo(old []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	_, barred := x.shared.barred[a]
	if n := x.board.counters.Get(a); n != nil {
		cycle := x.rules.Calendar.Cycle(now)
		barred = barred || n.BarredUntil > cycle || n.GapUntil > cycle
	}
	if !barred && x.sharedValid(now) {
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
func (x *views) appendClaims(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	cycle := x.rules.Calendar.Cycle(now)
	for _, id := range x.board.claimedBy[a] {
		dst = append(dst, wire.BountyView{})
		x.show(x.board.bounties.Get(id), &dst[len(dst)-1], a, cycle)
	}
	made := x.board.createdBy[a]
	for _, id := range made[:min(viewCreated, len(made))] {
		dst = append(dst, wire.BountyView{})
		x.show(x.board.bounties.Get(id), &dst[len(dst)-1], a, cycle)
	}
	return dst
}

// show sets all fields of v, which may hold another bounty, to the view of b.
func (x *views) show(b *Bounty, v *wire.BountyView, a wire.AgentID, now wire.Cycle) {
	v.ID, v.Creator, v.Title, v.Specification, v.Reward, v.Deadline = b.ID, b.Creator, b.Title, b.Specification, b.Reward, b.Deadline
	v.Difficulty, v.Requirements, v.Reviewers = b.Difficulty, b.Requirements, b.Reviewers
	v.Claimer, v.ClaimedAt, v.Status = b.Claimer, b.ClaimedAt, b.Status
	v.Barred = b.excluded(a) || x.board.barredUntil(b, a) > now || x.board.gapUntil(b, a) > now
	if v.Ready = false; b.Status == wire.BountyStatusClaimed && *b.Claimer == a {
		t := termsOf(b)
		if len(t.entries) > 0 {
			_, unmet := t.documented(x.board.siblings, b, now, x.board.verdicts.reserved(a))
			v.Ready = unmet == nil
		}
	}
}

// toJudge returns the view of the submission to bounty id for a judge a. ok is false if a may not judge it, has judged
// it, or has used up its JUDGE pair with the claimer.
func (x *verdicts) toJudge(id wire.Hash, a wire.AgentID, now wire.Cycle) (v wire.ReviewView, ok bool) {
	b := x.bounties.Get(id)
	j := x.judgesOf(b)
	if !x.mayJudge(j, b, a) || x.voted(id, a) {
		return v, false
	}
	if j.open {
		if free, _ := x.pairFree(a, *b.Claimer, now); !free {
			return v, false
		}
	}
	return wire.ReviewView{
		ID: id, Bounty: true, Author: *b.Claimer, Asker: b.Creator, Title: b.Title, Asks: b.Specification, Snap: *b.Submission, Since: b.SubmittedAt,
		Urgency: wire.UrgencyNormal, Verdicts: uint32(len(x.ballots[id])), Asked: !j.open,
	}, true
}

// toReview returns the view of code review request id for a. ok is false if a may not answer it or has answered it.
func (x *reviews) toReview(id wire.Hash, a wire.AgentID) (v wire.ReviewView, ok bool) {
	r := x.Get(id)
	if slices.Contains(x.answered[id], a) || !x.mayReview(r, a) {
		return v, false
	}
	return wire.ReviewView{
		ID: id, Author: r.Author, Asker: r.Author, Asks: r.Description, Snap: r.HeadSnap, Base: r.BaseSnap, Since: r.Tick,
		Urgency: r.Urgency, Verdicts: uint32(len(x.answered[id])), Asked: len(r.Reviewers) > 0,
	}, true
}

// Post prepares what views need at tick now, unless it is prepared already: the juries of its cycle, and what Open returns.
func (d *Daemon) Post(now wire.Tick) { d.views.prepare(now) }

// Open returns the open bounties whose deadline is not past, as a sees them at tick now: all, or if there are more
// than 32 the best 16 and 16 from a drawn place. The result is read-only. Agents that are not barred from any bounty
// share one list, which is never changed. Other agents get a list of their own: old is reused if the last call
// returned one.
func (d *Daemon) Open(old []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	return d.views.openTo(old, a, now)
}

// AppendClaims appends the bounties that a has claimed (also those in review, or rejected and still disputable) and
// the first 32 unfinished ones that it created, each part ascending by id, at tick now. It only reads.
func (d *Daemon) AppendClaims(dst []wire.BountyView, a wire.AgentID, now wire.Tick) []wire.BountyView {
	return d.views.appendClaims(dst, a, now)
}

// AppendReviews appends the open reviews that a can give, of bounties in REVIEWING and of review requests: the oldest
// 16 that name it, then as many as make 32 of those that name nobody and for which it is drawn, in id order from a
// place drawn for the agent and the cycle. It only reads.
func (d *Daemon) AppendReviews(dst []wire.ReviewView, a wire.AgentID, now wire.Tick) []wire.ReviewView {
	return d.views.appendReviews(dst, a, now)
}

func (x *views) appendReviews(dst []wire.ReviewView, a wire.AgentID, now wire.Tick) []wire.ReviewView {
	cycle, first := x.rules.Calendar.Cycle(now), len(dst)
	show := func(id wire.Hash, bounty bool) {
		var v wire.ReviewView
		var ok bool
		if bounty {
			v, ok = x.board.verdicts.toJudge(id, a, cycle)
		} else {
			v, ok = x.reviews.toReview(id, a)
		}
		if ok {
			dst = append(dst, v)
		}
	}
	var few [viewNamed]namingReview // seldom more, so that a view seldom allocates for them
	for _, n := range x.naming(few[:0], a) {
		if len(dst)-first == viewNamed {
			break
		}
		show(n.id, n.bounty)
	}
	r := ring{lists: [2][]wire.Hash{x.board.verdicts.juries.assigned[a], x.reviews.juries.assigned[a]}}
	if r.empty() {
		return dst
	}
	r.startAt(x.startID(a, cycle))
	for i := 0; i < reviewScan && len(dst)-first < viewReviews; i++ {
		id, list, ok := r.next()
		if !ok {
			break
		}
		show(id, list == 0)
	}
	return dst
}

// namingReview is a submission or request that names a reviewer.
type namingReview struct {
	id     wire.Hash
	bounty bool // a submission
	turn   int  // 0 for a submission to a bounty of the reviewer's own; else how old it is among those of its asker, from 1
}

// naming appends to dst the submissions and requests that name a and that it has not answered, the oldest first. If there
// are more than a view shows, those to a's own bounties come first, because a pays for them if it says nothing. Of the
// others the oldest of each asker comes before the second of any. Otherwise four agents that ask for four reviews each
// would hide from a what it has to judge.
func (x *views) naming(dst []namingReview, a wire.AgentID) []namingReview {
	bounties, requests := x.board.verdicts.asked[a], x.reviews.asked[a]
	many := len(bounties)+len(requests) > viewNamed
	for len(dst) < namedScan && len(bounties)+len(requests) > 0 {
		var n namingReview
		if n.bounty = len(requests) == 0 || len(bounties) > 0 && bounties[0].compare(requests[0]) < 0; n.bounty {
			n.id, bounties = bounties[0].id, bounties[1:]
		} else {
			n.id, requests = requests[0].id, requests[1:]
		}
		dst = append(dst, n)
	}
	if !many {
		return dst
	}
	asked := map[wire.AgentID]int{}
	for i := range dst {
		n := &dst[i]
		var asker wire.AgentID
		if n.bounty {
			asker = x.board.bounties.Get(n.id).Creator
		} else {
			asker = x.reviews.Get(n.id).Author
		}
		if !n.bounty || asker != a {
			asked[asker]++
			n.turn = asked[asker]
		}
	}
	slices.SortStableFunc(dst, func(n, m namingReview) int { return cmp.Compare(n.turn, m.turn) })
	return dst
}

// ring merges ascending lists of ids, from a start id to the end and then from the beginning to the start id.
type ring struct {
	lists   [2][]wire.Hash
	wrapped [2][]wire.Hash // the part before the start id, which comes last
}

// startAt sets the start id.
func (x *ring) startAt(from wire.Hash) {
	for i, l := range x.lists {
		at, _ := slices.BinarySearchFunc(l, from, wire.Hash.Compare)
		x.wrapped[i], x.lists[i] = l[:at], l[at:]
	}
}

// empty reports whether nothing is left before the end of the lists.
func (x *ring) empty() bool {
	return len(x.lists[0])+len(x.lists[1]) == 0
}

// next returns an id and which list it is from.
func (x *ring) next() (id wire.Hash, list int, ok bool) {
	if x.empty() {
		x.lists, x.wrapped = x.wrapped, [2][]wire.Hash{}
	}
	list = -1
	for i, l := range x.lists {
		if len(l) > 0 && (list < 0 || l[0].Compare(id) < 0) {
			id, list = l[0], i
		}
	}
	if list < 0 {
		return id, 0, false
	}
	x.lists[list] = x.lists[list][1:]
	return id, list, true
}
