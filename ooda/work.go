package ooda

import (
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// worker offers to review and deliver, to give back what was claimed, and to buy time.
type worker struct{ *offers }

// offerRelease offers to give back claims that no plan serves any more. It drops those that have ended by themselves,
// such as by the end of their lease.
func (o worker) offerRelease(g *goals.Goal) {
	o.notes.Releases = slices.DeleteFunc(o.notes.Releases, func(id wire.Hash) bool {
		b := o.seen.claim(id)
		return b == nil || b.Claimer == nil || *b.Claimer != o.agent.ID
	})
	for _, id := range o.notes.Releases {
		if o.seen.claimed(id) == nil {
			continue
		}
		p := o.payloads.reviews.add(wire.BountyReview{BountyID: id, Verdict: wire.BountyVerdictReject, Comments: []byte("released")})
		if p == nil {
			return
		}
		if a := o.offer(g, o.seen.action("bounty_review"), p, 1); a != nil {
			a.Success = 1
		}
	}
}

// offerReview offers to judge the submission that a goal is about.
func (o worker) offerReview(g *goals.Goal) {
	if g.Kind() != goals.KindDoReview {
		return
	}
	r := o.seen.review(g.Subject())
	if r == nil {
		return
	}
	var w *memory.WorkNote
	fit := 1.0
	if !r.Snap.IsZero() && o.seen.action("snap_get") != nil {
		w, fit = programmer(o).offerInspection(g, r)
	}
	if !r.Bounty {
		showProgram(o.offer(g, o.seen.action("review_submit"), &wire.ReviewSubmit{
			Request: r.ID, Verdict: wire.ReviewVerdictApprove, Comments: []wire.ReviewComment{}, Overall: []byte("read"),
		}, fit), w)
		return
	}
	if creator(o).review(g, r) {
		return
	}
	p := o.payloads.reviews.add(wire.BountyReview{BountyID: r.ID, Verdict: wire.BountyVerdictApprove, Comments: []byte("meets its requirements")})
	if p != nil {
		if a := o.offer(g, o.seen.action("bounty_review"), p, fit); a != nil {
			a.Author = r.Author.Alias()
			showProgram(a, w)
		}
	}
}

// offerSubmission offers to write one more entry for a claimed bounty when too few of those
// written can still be found accurate.
func (o worker) offerSubmission(g *goals.Goal) {
	b := o.seen.claimed(g.Subject())
	p := o.agent.Memory.Plans.ByGoal(g.ID)
	if b == nil || p == nil || int(p.Step) != len(p.Steps)-1 {
		return
	}
	for i := range b.Requirements {
		c, ok := b.Requirements[i].Custom()
		if !ok || c.Check != wire.CheckOracleVerified || c.Kind == nil || c.Count == nil {
			continue
		}
		var known llm.Affordance
		if accurate, open := o.plans.deliveredSince(c.Kind.String(), b.ClaimedAt); accurate+open < int(*c.Count) && scribe(o).state(&known, *c.Kind, true) {
			a := o.offer(g, o.seen.action("entry_publish"), &wire.EntryPublish{
				Entry: wire.EntryDraft{
					Kind: *c.Kind, Title: []byte("For a bounty"), Body: wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{}),
					Tags: [][]byte{[]byte("starlark")}, References: []wire.Hash{},
				},
				Review: wire.ReviewModeImmediate,
			}, 1)
			if a != nil {
				a.Know, a.Finding, a.Besides = known.Know, known.Finding, known.Besides
			}
		}
	}
}

// offerTicks offers to buy ticks for the next cycle, once per cycle, if the agent can spare the money, has a goal that
// is expected to pay more than they cost, and earns more than that in so many ticks.
func (o worker) offerTicks(g *goals.Goal) {
	ticks := wanted * o.rules.TicksPerSpark
	worth := o.agent.Memory.Market.Cost(ticks, o.agent.TickBudget)
	if o.notes.Bought > 0 || ticks > o.rules.MaxBuyTicks || o.purse().spare() < wanted || o.goals.situation.Expected(g) <= wanted || worth <= wanted {
		return
	}
	if a := o.offer(g, o.seen.action("resource_buy"), buyTicks, 0.3); a != nil {
		a.Spark = wanted
	}
}

// wanted is how many ⚡ an agent spends on ticks at a time.
const wanted = 4

// buyTicks is the purchase that all agents share; nobody writes to it.
var buyTicks = (&action.ResourceBuy{Resource: wire.ResourceTicks, Amount: wanted}).Transfer()
