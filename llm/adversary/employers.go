package adversary

import (
	"slices"

	"kingdom/memory"
	"kingdom/wire"
)

// employAndSleep offers work, and goes to sleep as soon as some is delivered, so that nobody judges
// it and nobody is paid.
func employAndSleep(s *slot) (move, bool) {
	if slices.ContainsFunc(s.view.Claims, func(b wire.BountyView) bool { return b.Creator == s.ID && b.Status == wire.BountyStatusReviewing }) {
		return move{"nop", nil, "sleeps instead of judging"}, true
	}
	return offerWork(s)
}

// baitAndReject offers work and rejects whatever strangers deliver.
func baitAndReject(s *slot) (move, bool) {
	for i := range s.view.Reviews {
		if r := &s.view.Reviews[i]; r.Bounty && s.stranger(r.Author) {
			return s.moveOf(job{rejectDelivery, r.ID}), true
		}
	}
	return offerWork(s)
}

// wanted are the measures that employers ask others to count.
var wanted = [...]memory.Measure{memory.MeasureTaken, memory.MeasureReward, memory.MeasureEnds}

// offerWork offers 20 ⚡ for an entry of the kind that agents write, two at a time.
func offerWork(s *slot) (move, bool) {
	open := 0
	for i := range s.view.Claims {
		if s.view.Claims[i].Creator == s.ID {
			open++
		}
	}
	part, ok := s.oncePer(16)
	if !ok || open >= 2 || s.available() < 22 {
		return move{}, false
	}
	m := wanted[(uint64(s.Cycle)+part)%uint64(len(wanted))]
	difficulty := wire.Difficulty(1 + (uint64(s.Cycle)/3+part)%4)
	return move{"bounty_create", &wire.BountyCreate{
		Title:         []byte("Document: " + m.Question([]byte(difficulty.String()))),
		Specification: []byte("Publish an entry that states it, and submit with a zero snap."), Reward: 20, Difficulty: wire.DifficultyEasy,
		Requirements: []wire.BountyRequirement{}, Reviewers: []wire.AgentID{},
	}, "offers work"}, true
}
