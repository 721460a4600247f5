package ooda

import (
	"slices"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
)

// genRelease gives claims back that no plan serves any more. Those that ended by
// themselves, as by lease or with their bounty, are struck out.
func (t *Turn) genRelease(g *goals.Goal) {
	t.l.Releases = slices.DeleteFunc(t.l.Releases, func(id wire.Hash) bool {
		b := t.seen.claim(id)
		return b == nil || b.Claimer == nil || *b.Claimer != t.a.ID
	})
	for _, id := range t.l.Releases {
		if t.offers.reviews == len(t.offers.review) {
			return
		}
		if t.claimed(id) == nil {
			continue
		}
		p := &t.offers.review[t.offers.reviews]
		t.offers.reviews++
		*p = wire.BountyReview{BountyID: id, Verdict: wire.BountyVerdictReject, Comments: []byte("released")}
		if a := t.offer(g, t.row("bounty_review"), p, 1); a != nil {
			a.Success = 1
		}
	}
}

// genReview judges the submission that a goal is about.
func (t *Turn) genReview(g *goals.Goal) {
	if g.Kind() != goals.KindDoReview {
		return
	}
	r := t.review(g.Subject())
	if r == nil {
		return
	}
	if !r.Bounty {
		t.offer(g, t.row("review_submit"), &wire.ReviewSubmit{
			Request: r.ID, Verdict: wire.ReviewVerdictApprove, Comments: []wire.ReviewComment{}, Overall: []byte("read"),
		}, 1)
		return
	}
	if t.offers.reviews < len(t.offers.review) {
		p := &t.offers.review[t.offers.reviews]
		t.offers.reviews++
		*p = wire.BountyReview{BountyID: r.ID, Verdict: wire.BountyVerdictApprove, Comments: []byte("meets its requirements")}
		if a := t.offer(g, t.row("bounty_review"), p, 1); a != nil {
			a.Author = r.Author.Alias()
		}
	}
}

// genVote votes: for a vote goal on its proposal, else on the nearest deadlines.
func (t *Turn) genVote(g *goals.Goal) {
	row := t.row("proposal_vote")
	if g.Kind() == goals.KindVote {
		t.offers.used &^= 1 << genVote
	}
	for i := range t.seen.proposals {
		p := &t.seen.proposals[i]
		if g.Kind() == goals.KindVote && !g.About(p.ID) || g.Kind() != goals.KindVote && t.living(goals.KindVote, p.ID) {
			continue
		}
		if t.offers.votes == len(t.offers.vote) {
			return
		}
		v := &t.offers.vote[t.offers.votes]
		*v = wire.ProposalVote{ProposalID: p.ID, Vote: true}
		if row == nil || p.Deadline < t.seen.tick || !t.mayVote(row, p) {
			continue
		}
		t.offers.votes++
		if a := t.offer(g, row, v, 1); a != nil {
			a.Author = p.Author.Alias()
		}
	}
}

// mayVote checks the gate of votes, which proposals of the systems pass.
func (t *Turn) mayVote(row *action.Row, p *wire.ProposalView) bool {
	return wire.IsSystem(p.Author) || t.gateOpen(row, nil)
}

// genSubmission writes one more entry for a claimed bounty when too few of those
// written can still be found accurate.
func (t *Turn) genSubmission(g *goals.Goal) {
	b := t.claimed(g.Subject())
	p := t.a.Memory.Plans.Of(g.ID)
	if b == nil || p == nil || int(p.Step) != len(p.Steps)-1 {
		return
	}
	for i := range b.Requirements {
		var c wire.CustomCheck
		q := &b.Requirements[i]
		if q.Kind != wire.RequirementKindCustom || wire.CustomCheckCodec.Decode(q.Params, &c) != nil || c.Kind == nil || c.Count == nil {
			continue
		}
		if accurate, open := t.deliveredSince(c.Kind.String(), b.ClaimedAt); accurate+open < int(*c.Count) {
			t.offer(g, t.row("entry_publish"), &wire.EntryPublish{
				Entry: wire.EntryDraft{
					Kind: *c.Kind, Title: []byte("For a bounty"), Body: wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{}),
					Tags: [][]byte{[]byte("starlark")}, References: []wire.Hash{},
				},
				Review: wire.ReviewModeImmediate,
			}, 1)
		}
	}
}

// genBuy offers ticks for the next cycle, once per cycle, to those who can spare
// the money and have a goal worth more than they cost.
func (t *Turn) genBuy(g *goals.Goal) {
	const (
		spare = 100 // ⚡ that stay
		worth = 0.8 // priority
	)
	if t.l.Bought > 0 || wanted*t.r.TicksPerSpark > t.r.MaxBuyTicks || t.seen.available < spare+wanted || g.Priority < worth {
		return
	}
	if a := t.offer(g, t.row("resource_buy"), buyTicks, 0.3); a != nil {
		a.Spark = wanted
	}
}

// wanted is how many ⚡ an agent spends on ticks at a time.
const wanted = 4

// buyTicks is what all agents offer themselves; nobody writes to it.
var buyTicks = (&action.ResourceBuy{Resource: wire.ResourceTicks, Amount: wanted}).Transfer()
