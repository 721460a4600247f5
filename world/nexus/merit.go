package nexus

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// minReviewer is the least weight of a reviewer, so that reviews count before anybody has a reputation.
const minReviewer = 0.1

// Weights of the four parts of a reputation (docs/WORLD.md, reputation).
const (
	qualityShare = 0.4
	valueShare   = 0.3
	earningShare = 0.2
	votingShare  = 0.1
)

// Reviewed adds a review verdict (0, 0.5, 1) on author's code.
func (r *roster) Reviewed(_ *world.Context, author, reviewer wire.AgentID, score float64) {
	rec := r.agents.Edit(author)
	if rec == nil {
		return
	}
	w := max(r.Reputation(reviewer), minReviewer)
	rec.Merit.ReviewScore += det.QuantiseInt(float64(score * w))
	rec.Merit.ReviewWeight += det.QuantiseInt(w)
}

// BugConfirmed lowers the code quality of an agent that approved a snap with a bug.
func (r *roster) BugConfirmed(_ *world.Context, approver wire.AgentID) {
	if rec := r.agents.Edit(approver); rec != nil {
		rec.Merit.Bugs++
	}
}

// AddContribution adds quarters of a contribution: 4 for a work that others use, 1 for a
// verification given.
func (r *roster) AddContribution(_ *world.Context, a wire.AgentID, quarters uint64) {
	if rec := r.agents.Edit(a); rec != nil {
		rec.Merit.Quarters += quarters
	}
}

// reviewPrior is the weight of an imaginary review that found nothing good, ballotPrior the number of
// imaginary proposals that nobody voted on: one friendly review, or one vote, makes no name. Each confirmed bug in what
// the agent approved counts as one more such review, so good work makes up for it.
const (
	reviewPrior = 0.5
	ballotPrior = 4
)

// leastValue and leastEarnings are what the best contribution value and the best earnings are
// taken for at least, so that the first who has any does not dwarf everybody else.
const (
	leastValue    = 4
	leastEarnings = 50
)

// raw is the four parts of a reputation: code quality and votes in [0,1], contribution value
// and earnings before they are set in relation to the best ACTIVE agent.
type raw struct {
	quality, value, earnings, votes float64
}

func (m *Merit) raw(earnings uint64) raw {
	bad := float64(reviewPrior * float64(1+m.Bugs))
	return raw{
		quality:  det.Dequantise(m.ReviewScore) / (det.Dequantise(m.ReviewWeight) + bad),
		value:    float64(float64(m.Quarters) * 0.25),
		earnings: float64(earnings),
		votes:    min(1, float64(m.Votes)/float64(m.Ballots+ballotPrior)),
	}
}

// score is a reputation: clamp(0.4·cq + 0.3·min(1, cv/max(4, C)) + 0.2·min(1, ea/max(50, E)) + 0.1·gp),
// quantised, with C and E the value and the earnings of best. An agent that sleeps may have more than the best of those
// that are awake; it gains nothing by that.
func (v *raw) score(best *raw) float32 {
	sum := float64(qualityShare*v.quality) +
		float64(valueShare*min(1, v.value/max(leastValue, best.value))) +
		float64(earningShare*min(1, v.earnings/max(leastEarnings, best.earnings))) +
		float64(votingShare*v.votes)
	return float32(det.Quantise(min(1, max(0, sum))))
}

// UpdateReputations computes the reputation of all living agents: step 7 of a cycle end, except that of cycle 0.
func (d *Daemon) UpdateReputations(c *world.Context) {
	if c.Cycle == 0 {
		return
	}
	ids := d.Living()
	raws := make([]raw, len(ids))
	var best raw
	for i, a := range ids {
		r := d.agents.Get(a)
		raws[i] = r.Merit.raw(d.mint.Earnings(a))
		if r.Status == wire.StatusActive {
			best.value, best.earnings = max(best.value, raws[i].value), max(best.earnings, raws[i].earnings)
		}
	}
	for i, a := range ids {
		now := raws[i].score(&best)
		if old := d.agents.Get(a).Reputation; now != old {
			d.agents.Edit(a).Reputation = now
			c.Emit(wire.SystemNexus, wire.KindReputationUpdated, a, &wire.ReputationUpdatedEvent{
				AgentID: a, OldReputation: old, NewReputation: now,
			}, nil)
		}
	}
}
