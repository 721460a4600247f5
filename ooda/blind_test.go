package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// TestBlindToPlans: who has no plans takes no first step, and is not led to the next one either.
func TestBlindToPlans(t *testing.T) {
	for _, c := range []struct {
		name  string
		blind []string
		mine  bool
		want  string
	}{
		{"sighted, the bounty is free", nil, false, "bounty_claim"},
		{"sighted, the bounty is its own", nil, true, "entry_publish"},
		{"blind, the bounty is free", []string{"plans"}, false, ""},
		{"blind, the bounty is its own", []string{"plans"}, true, ""},
	} {
		s := newSolo(t, genomes[6])
		s.rules.Blind = llm.LayersOf(c.blind)
		s.t = NewTurn(s.a, &s.rules)
		b := s.bounty()
		s.slot(`{"action":"nop"}`, wire.Reply{}, s.created(b))
		if c.mine {
			claimed, me := *b, s.a.ID
			claimed.Claimer, claimed.Status, claimed.ClaimedAt = &me, wire.BountyStatusClaimed, 256
			s.view.Bounties, s.view.Claims = nil, []wire.BountyView{claimed}
		}
		asked, got := s.ask(), ""
		for i := range asked.Prompt.Affordances {
			if a := &asked.Prompt.Affordances[i]; a.GoalKind == goals.KindClaimBounty.String() && a.Name() != "resource_buy" {
				got += a.Name()
			}
		}
		if got != c.want {
			t.Errorf("%s: offered for the bounty: %q, want %q", c.name, got, c.want)
		}
		if planned := len(s.a.Memory.Plans.Living()) > 0; planned != (c.blind == nil) {
			t.Errorf("%s: it has plans: %v", c.name, planned)
		}
	}
}

// TestBlindToPeers: nobody is trusted, known or turned to by who is blind to peers.
func TestBlindToPeers(t *testing.T) {
	for _, blind := range [][]string{nil, {"peers"}} {
		s := newSolo(t, genomes[6])
		s.rules.Blind = llm.LayersOf(blind)
		s.t = NewTurn(s.a, &s.rules)
		s.a.Memory.Peers.Interact(peerA, memory.DealAnswer, true, 256)
		s.a.Memory.Peers.Interest(peerA, []byte(memory.TopicTalk.String()), 256)
		s.a.Genome.Traits.Collaboration = 1
		sighted := blind == nil
		if _, known := s.t.goals.situation.Trust(peerA); known != sighted {
			t.Errorf("blind to %v: trust is known: %v", blind, known)
		}
		if _, met := s.t.offers.somePeer(); met != sighted {
			t.Errorf("blind to %v: there is a peer: %v", blind, met)
		}
		if who := (scribe{&s.t.offers}).expert(memory.TopicTalk); (who == peerA) != sighted {
			t.Errorf("blind to %v: turns to %s", blind, who.Alias())
		}
	}
}

// The share of subjects for which an agent turns to peers is its collaboration trait, and always the same subjects.
func TestSociable_ShareOfSubjectsFollowsCollaboration(t *testing.T) {
	share := func(collab float32) float64 {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.Collaboration = collab
		n := 0
		for i := range 1000 {
			id := keyOf(memory.MeasureKeeps, []byte{byte(i), byte(i >> 8)})
			if (deferral{&s.t.self}).sociable(id) {
				n++
			}
		}
		return float64(n) / 1000
	}
	if none, some, all := share(0), share(0.3), share(1); none != 0 || some < 0.2 || some > 0.4 || all != 1 {
		t.Errorf("shares of 0, 0.3 and 1: %v, %v, %v", none, some, all)
	}
}

// An act that failed on a subject weighs little for the same subject, until one went well or two cycles have passed.
func TestFailedBefore_WeighsDownRepeatOfFailedAct(t *testing.T) {
	about := wire.Hash{3}
	for _, c := range []struct {
		name     string
		outcomes []memory.Outcome
		subject  wire.Hash
		at       wire.Tick
		want     float64
	}{
		{"nothing happened", nil, about, 300, 1},
		{"it failed", []memory.Outcome{memory.OutcomeFailure}, about, 300, 0.05},
		{"in part", []memory.Outcome{memory.OutcomePartial}, about, 300, 0.05},
		{"about another thing", []memory.Outcome{memory.OutcomeFailure}, wire.Hash{4}, 300, 1},
		{"it went well since", []memory.Outcome{memory.OutcomeFailure, memory.OutcomeSuccess}, about, 300, 1},
		{"long ago", []memory.Outcome{memory.OutcomeFailure}, about, 256 + 513, 1},
	} {
		s := newSolo(t, genomes[6])
		for _, o := range c.outcomes {
			s.a.Memory.Experiences.AddAct(256, &memory.Act{Action: "entry_verify", Domain: "REVIEW", Subject: &about}, o, nil)
		}
		s.t.seen.tick = c.at
		row, _ := action.ByName("entry_verify")
		if got := (weigher{&s.t.offers}).failedBefore(&llm.Affordance{Action: row, Params: &wire.EntryVerify{EntryID: c.subject}}, nil); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Cautious agents claim bounties that are easy for what they know, daring agents also those that are too hard.
func TestAttempts_HardestDifficultyByRiskAndKnowledge(t *testing.T) {
	for _, c := range []struct {
		risk float32
		know float64
		want wire.Difficulty // the hardest that is attempted; 0: none
	}{
		{0, 1, 0},
		{0.3, 0.6, 0},
		{0.3, 0.9, wire.DifficultyEasy},
		{0.3, 1, wire.DifficultyEasy},
		{0.4, 0.6, wire.DifficultyModerate},
		{0.5, 0.6, wire.DifficultyModerate},
		{0.6, 0.55, wire.DifficultyHard},
		{0.7, 0.5, wire.DifficultyLegendary},
		{1, 0, wire.DifficultyLegendary},
	} {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.RiskTolerance = c.risk
		hardest := wire.Difficulty(0)
		for d := wire.DifficultyTrivial; d <= wire.DifficultyLegendary; d++ {
			if s.t.attempts(d, c.know) {
				hardest = d
			}
		}
		if hardest != c.want {
			t.Errorf("risk %v, knows %v: attempts up to %v, want %v", c.risk, c.know, hardest, c.want)
		}
	}
	for fails, want := range map[float64]wire.Difficulty{0: wire.DifficultyTrivial, 0.3: wire.DifficultyEasy, 0.5: wire.DifficultyModerate, 0.7: wire.DifficultyHard, 1: wire.DifficultyLegendary} {
		if got := rates(fails); got != want {
			t.Errorf("what %v fail at is %v, want %v", fails, got, want)
		}
	}
}
