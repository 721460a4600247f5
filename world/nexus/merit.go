package nexus

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// minReviewer is the least weight of a reviewer, so that reviews count before
// anybody has a reputation; bugCost is what a confirmed bug takes off the quality.
const (
	minReviewer = 0.1
	bugCost     = 0.1
)

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

// BugConfirmed costs an approver of the snap quality.
func (r *roster) BugConfirmed(_ *world.Context, approver wire.AgentID) {
	if rec := r.agents.Edit(approver); rec != nil {
		rec.Merit.Bugs++
	}
}

// Valued adds quarters of a contribution: 4 for a work that others use, 1 for a
// verification given.
func (r *roster) Valued(_ *world.Context, a wire.AgentID, quarters uint64) {
	if rec := r.agents.Edit(a); rec != nil {
		rec.Merit.Quarters += quarters
	}
}

// raw is the four parts of a reputation before they are set in relation to the
// best ACTIVE agent: code quality, contribution value, earnings, votes.
type raw [4]float64

func (m *Merit) raw(earnings uint64) raw {
	var v raw
	if m.ReviewWeight > 0 {
		v[0] = float64(m.ReviewScore) / float64(m.ReviewWeight)
	}
	v[0] = max(0, v[0]-float64(bugCost*float64(m.Bugs)))
	v[1] = float64(float64(m.Quarters) * 0.25)
	v[2] = float64(earnings)
	if m.Ballots > 0 {
		v[3] = float64(m.Votes) / float64(m.Ballots)
	}
	return v
}

// score is clamp(0.4·cq + 0.3·cv + 0.2·ea + 0.1·gp), each part divided by best,
// quantised.
func (v raw) score(best raw) float32 {
	var part raw
	for i := range v {
		if best[i] > 0 {
			part[i] = v[i] / best[i]
		}
	}
	sum := float64(qualityShare*part[0]) + float64(valueShare*part[1]) +
		float64(earningShare*part[2]) + float64(votingShare*part[3])
	return float32(det.Quantise(min(1, max(0, sum))))
}

// Repute recomputes the reputation of everybody but the DEAD: step 7 of a cycle's
// end. Cycle 0 skips it.
func (d *Daemon) Repute(c *world.Context) {
	if c.Cycle == 0 {
		return
	}
	ids := d.agents.Keys()
	raws := make([]raw, len(ids))
	var best raw
	for i, a := range ids {
		r := d.agents.Get(a)
		if r.Status == wire.StatusDead {
			continue
		}
		raws[i] = r.Merit.raw(d.mint.Earnings(a))
		if r.Status == wire.StatusActive {
			for j := range best {
				best[j] = max(best[j], raws[i][j])
			}
		}
	}
	for i, a := range ids {
		r := d.agents.Get(a)
		if r.Status == wire.StatusDead {
			continue
		}
		now := raws[i].score(best)
		if old := r.Reputation; now != old {
			d.agents.Edit(a).Reputation = now
			c.Emit(wire.SystemNexus, wire.KindReputationUpdated, a, &wire.ReputationUpdatedEvent{
				AgentID: a, OldReputation: old, NewReputation: now,
			}, nil)
		}
	}
}
