package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// orient lets the five sources speak, closes what time has closed, and ranks.
func (t *Turn) orient(v *wire.View) {
	s := &t.sit
	s.Tick, s.Cycle, s.Bounties = t.seen.tick, t.seen.cycle, t.seen.bounties
	s.Earned, t.l.Earned = v.Earned, v.Earned
	if s.Balance != t.a.Balance {
		s.Balance = t.a.Balance
		t.settle(&goals.Fact{Kind: goals.FactBalance, Amount: s.Balance, Earned: s.Earned})
	}
	if now := float64(t.a.Reputation); s.Reputation != now {
		s.Reputation = now
		t.settle(&goals.Fact{Kind: goals.FactReputation, Score: now})
	}
	from := len(t.sats)
	t.sats = t.a.Goals.Expire(t.sats, t.seen.tick, s.Reputation)
	t.ended(from)
	t.closeStale()

	asked := t.reviewsAsked(nil) // of what lives before anything is put
	t.news = t.news[:0]
	if !t.l.Born {
		t.l.Born = true
		t.news = goals.Spawn(t.news, s, t.a.Genome.KnowledgeSeeds)
		t.knowSeeds()
	}
	for _, e := range v.Events {
		if t.news = goals.Opportunity(t.news, s, e); len(t.news) == keptNews {
			t.add()
			t.news = t.news[:0]
		}
	}
	t.add()
	t.news = append(t.news[:0], asked...)
	t.add()
	t.news = goals.Inject(t.news[:0], s)
	t.add()
	if cap(t.news) > keptNews {
		t.news = nil
	}
}

// keptNews is how many new goals of events are gathered before they are put on the stack,
// and how large a list of them is kept for the next slot: an agent that meets many at once
// should not pay for them for ever. What an event offers does not depend on the stack.
const keptNews = 4

// knowSeeds puts the entries an agent is born to read into its knowledge.
func (t *Turn) knowSeeds() {
	for _, h := range t.a.Genome.KnowledgeSeeds {
		t.a.Memory.Knowledge.Learn([]byte("knowledge seed "+h.String()[:8]), []byte("Oracle entry "+h.String()), memory.KnowledgeInference, 1, t.seen.tick)
	}
}

// add puts the news on the stack. A twin or a full layer is the stack's to count.
func (t *Turn) add() {
	for i := range t.news {
		_ = t.put(t.news[i], &t.sit.Appraisal)
	}
}

// put puts a goal on the stack and sees off the one that made room for it.
func (t *Turn) put(g goals.Goal, a *goals.Appraisal) (err error) {
	from := len(t.sats)
	t.sats, err = t.a.Goals.Put(t.sats, g, a)
	t.ended(from)
	return err
}

// reviewsAsked offers the submissions in review that wait for this agent: they
// come with the view, not with an event of their own.
func (t *Turn) reviewsAsked(dst []goals.Goal) []goals.Goal {
	if t.sit.Capability(goals.KindDoReview.Domain()) < goals.CapabilityFloor {
		return dst
	}
	for i := range t.seen.reviews {
		r := &t.seen.reviews[i]
		if t.living(goals.KindDoReview, r.ID) {
			continue
		}
		id, author := r.ID, r.Author
		dst = append(dst, goals.New(t.a.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{
			Kind: goals.KindDoReview, Text: "Review what was submitted", Subject: &id, Beneficiary: &author,
		}, t.seen.tick))
	}
	return dst
}

// closeStale ends the goals whose subject needs nothing of this agent any more.
func (t *Turn) closeStale() {
	living := t.a.Goals.Living()
	for i := len(living) - 1; i >= 0; i-- {
		g := living[i]
		if t.stale(g) {
			t.settle(&goals.Fact{Kind: goals.FactClosed, Subject: g.Subject()})
			living = t.a.Goals.Living()
			i = min(i, len(living))
		}
	}
}

// stale reports whether a review no longer waits, or a question is out of sight.
func (t *Turn) stale(g *goals.Goal) bool {
	switch g.Kind() {
	case goals.KindDoReview:
		return t.review(g.Subject()) == nil
	case goals.KindAnswer:
		return t.outOfSight(g.Subject())
	default:
		return false
	}
}

// outOfSight reports whether a question is no longer noted, so that its plan cannot
// even ask for its tick, or was given up unread. The latter gets a cycle of patience:
// what a look at the channel does not show, a look at its tick still does.
func (t *Turn) outOfSight(question wire.Hash) bool {
	m := t.l.Message(question)
	if m == nil {
		return true
	}
	old := m.At + wire.Tick(t.r.Calendar.TicksPerCycle)
	return !m.Read && m.Signed && t.seen.tick >= old
}

// review returns the review of the view with an id, or nil.
func (t *Turn) review(id wire.Hash) *wire.ReviewView {
	for i := range t.seen.reviews {
		if t.seen.reviews[i].ID == id {
			return &t.seen.reviews[i]
		}
	}
	return nil
}

// living reports whether a goal of a kind about a subject is alive.
func (t *Turn) living(k goals.Kind, subject wire.Hash) bool {
	for _, g := range t.a.Goals.Living() {
		if g.Kind() == k && g.About(subject) {
			return true
		}
	}
	return false
}

// settle gives a fact to the goals and takes the satisfactions to heart.
func (t *Turn) settle(f *goals.Fact) {
	from := len(t.sats)
	t.sats = t.a.Goals.Settle(t.sats, t.a.ID, f, float64(t.a.Reputation))
	t.ended(from)
}

// ended learns from the satisfactions since from, closes the plans of their goals
// and marks claims that nobody works on any more for release.
func (t *Turn) ended(from int) {
	for i := from; i < len(t.sats); i++ {
		s := &t.sats[i]
		if surprise := t.a.Learning.Learn(s); surprise != 0 {
			t.a.Memory.Beliefs.Shift(paysClaim(s.Kind, s.Domain), surprise, &s.Goal, t.seen.tick)
		}
		done := s.Completed
		if p := t.a.Memory.Plans.Of(s.Goal); p != nil {
			end := memory.PlanAbandoned
			if done {
				end = memory.PlanCompleted
			}
			t.a.Memory.Plans.Finish(p, end)
		}
		if t.top != nil && t.top.ID == s.Goal {
			t.top = nil
		}
		if !done && s.Kind == goals.KindClaimBounty {
			t.giveBack(s.Subject)
		}
	}
}

// paysClaim is the belief that goals of a kind pay in a domain.
func paysClaim(k goals.Kind, d interface{ String() string }) memory.Claim {
	return memory.Claim{Subject: []byte(k.String() + " in " + d.String()), Predicate: goals.PaysBelief}
}

// giveBack marks the claim of a goal that ended without success for release. Between
// slots there is no view to tell whether it is held: genRelease strikes it if not.
func (t *Turn) giveBack(bounty wire.Hash) {
	switch {
	case t.phase != phaseIdle:
		t.releaseUnwanted()
	case !t.living(goals.KindClaimBounty, bounty):
		t.l.Release(bounty)
	}
}

// releaseUnwanted marks the held claims that no goal is about any more.
func (t *Turn) releaseUnwanted() {
	for i := range t.seen.claims {
		c := &t.seen.claims[i]
		if c.Claimer != nil && *c.Claimer == t.a.ID && c.Status == wire.BountyStatusClaimed && !t.living(goals.KindClaimBounty, c.ID) {
			t.l.Release(c.ID)
		}
	}
}
