package memory

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// planRow is the part of a plan that the digest covers: its columns. The rest is in the agent's state, which has its own
// hash.
type planRow struct {
	ID             uint64      `kdom:"id"`
	Goal           wire.Hash   `kdom:"goal"`
	Steps          []PlanStep  `kdom:"steps"`
	Dependencies   []wire.Hash `kdom:"dependencies"`
	EstimatedTicks uint64      `kdom:"estimated_ticks"`
	EstimatedCost  uint64      `kdom:"estimated_cost"`
	Risk           float32     `kdom:"risk_assessment"`
	Status         PlanStatus  `kdom:"status"`
}

var planCodec = codec.New[planRow]()

// Digest returns a hash over the living and the remembered finished plans. Its cost depends on how many changed since
// the last call.
func (s *Plans) Digest() wire.Hash {
	if s.stale {
		for _, p := range s.living {
			s.rehash(&p.row, p)
		}
		for i := range s.history {
			e := &s.history[i]
			s.rehash(&e.row, e.plan)
		}
		s.stale = false
	}
	return s.digest.Hash()
}

// rehash adds a plan to the digest unless it is in it.
func (s *Plans) rehash(row *wire.Hash, p *Plan) {
	if !row.IsZero() {
		return
	}
	*row = rowHash(planCodec, &planRow{
		p.ID, p.Goal, p.Steps, p.Dependencies, p.EstimatedTicks, p.EstimatedCost, p.Risk, p.Status,
	})
	s.digest.Add(*row)
}

// Changed returns the plans whose columns changed since the last call, by row id, and
// marks them as unchanged.
func (s *Plans) Changed() []*Plan {
	out := s.evicted
	for _, list := range [][]*Plan{s.living, s.Ended()} {
		for _, p := range list {
			if p.dirty {
				out = append(out, p)
			}
		}
	}
	s.Forget()
	slices.SortFunc(out, byID)
	return out
}

// Forget is [Plans.Changed] for a caller that does not need the plans.
func (s *Plans) Forget() {
	s.Digest()
	s.evicted = nil
	for _, p := range s.living {
		p.dirty = false
	}
	for i := range s.history {
		s.history[i].plan = nil
	}
}

// Restore puts back stored plans in any order: the living ones and the newest finished.
func (s *Plans) Restore(rows []Plan) {
	s.living, s.history, s.evicted, s.digest, s.stale = nil, nil, nil, Digest{}, true
	for i := range rows {
		p := rows[i]
		p.dirty, p.row = false, wire.Hash{}
		if p.Status == PlanDraft || p.Status == PlanActive {
			s.living = append(s.living, &p)
		} else {
			s.addToHistory(&p)
		}
	}
	slices.SortFunc(s.living, byID)
	s.goals = s.goals[:0]
	for _, p := range s.living {
		s.goals = append(s.goals, prefixOf(&p.Goal))
	}
}
