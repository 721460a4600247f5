package ooda

import (
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// between makes a bounty that a peer created and this agent holds, or the other way.
func (s *solo) between(creator, claimer wire.AgentID) *wire.Event {
	s.view.Claims = []wire.BountyView{{ID: deal, Creator: creator, Claimer: &claimer, Status: wire.BountyStatusClaimed}}
	return event(wire.KindBountyClaimed, 256, claimer, &wire.BountyClaimedEvent{BountyID: deal, Claimer: claimer})
}

func TestNotice_EndOfBountyCountsAsInteraction(t *testing.T) {
	completed := func(claimer wire.AgentID) *wire.Event {
		return event(wire.KindBountyCompleted, 260, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: claimer, Reward: 5})
	}
	rejected := event(wire.KindBountyRejected, 260, peerB, &wire.BountyRejectedEvent{BountyID: deal, Reason: []byte("reviewers")})
	reopened := func(reason string) *wire.Event {
		return event(wire.KindBountyReopened, 264, peerA, &wire.BountyReopenedEvent{BountyID: deal, Reason: []byte(reason)})
	}
	for _, c := range []struct {
		name            string
		mine            bool // this agent created it; else it claimed it
		end             func(claimer wire.AgentID) []*wire.Event
		well, all       uint32
		reliability     float64 // of peer A
		stillKnowsClaim bool
	}{
		{"completed for me", true, func(c wire.AgentID) []*wire.Event { return []*wire.Event{completed(c)} }, 1, 1, 0.6, false},
		{"completed by me", false, func(c wire.AgentID) []*wire.Event { return []*wire.Event{completed(c)} }, 1, 1, 0.5, false},
		{"rejected", false, func(wire.AgentID) []*wire.Event { return []*wire.Event{rejected} }, 0, 1, 0.5, true},
		{"given back", true, func(wire.AgentID) []*wire.Event { return []*wire.Event{reopened("released")} }, 0, 1, 0.4, false},
		{"rejected, then reopened: one failure", true, func(wire.AgentID) []*wire.Event {
			return []*wire.Event{rejected, reopened("rejected")}
		}, 0, 1, 0.4, false},
		{"a rejection that a dispute overturned", false, func(c wire.AgentID) []*wire.Event {
			return []*wire.Event{rejected, completed(c)}
		}, 1, 2, 0.5, false},
	} {
		s := newSolo(t, genomes[6])
		creator, claimer := s.a.ID, peerA
		if !c.mine {
			creator, claimer = peerA, s.a.ID
		}
		s.see(s.between(creator, claimer))
		s.view.Claims = nil // the view forgets it before its end is noticed
		s.see(c.end(claimer)...)
		p := s.peer(peerA)
		if p.Successes != c.well || p.Interactions != c.all {
			t.Errorf("%s: %d of %d went well, want %d of %d", c.name, p.Successes, p.Interactions, c.well, c.all)
		}
		if d := float64(s.peer(peerA).Reliability) - c.reliability; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: reliability %v, want %v", c.name, p.Reliability, c.reliability)
		}
		if _, ok := s.t.notes.Claimer(deal); ok != c.stillKnowsClaim {
			t.Errorf("%s: claim still noted: %v", c.name, ok)
		}
	}
}

func TestNotice_AMissedDeadlineBreaksACommitment(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.see(event(wire.KindBountySubmitted, 256, peerA, &wire.BountySubmittedEvent{BountyID: deal, Claimer: peerA}))
	s.see(event(wire.KindBountyExpired, 260, wire.SystemID(wire.SystemAgora), &wire.BountyExpiredEvent{BountyID: deal}))
	if p := s.peer(peerA); p.Reliability >= 0.41 || p.Reliability < 0.39 {
		t.Errorf("reliability %v, want 0.4", p.Reliability)
	}
	if _, ok := s.t.notes.Claimer(deal); ok {
		t.Error("the claim is still noted")
	}
}

func TestNotice_RejectionIsAVerdict(t *testing.T) {
	for _, c := range []struct {
		name       string
		origin     wire.AgentID
		competence float64
	}{
		{"by a reviewer of reputation 0.5", peerB, 0.45},
		{"by a check of the world", peerA, 0.4},
	} {
		s := newSolo(t, genomes[6])
		s.t.notes.SeePeer(peerB, 0.5, 1)
		s.see(
			event(wire.KindBountyClaimed, 256, peerA, &wire.BountyClaimedEvent{BountyID: deal, Claimer: peerA}),
			event(wire.KindBountyRejected, 256, c.origin, &wire.BountyRejectedEvent{BountyID: deal}),
		)
		if d := float64(s.peer(peerA).Competence) - c.competence; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: competence %v, want %v", c.name, s.peer(peerA).Competence, c.competence)
		}
	}
	s := newSolo(t, genomes[6])
	s.see(s.between(peerA, s.a.ID), event(wire.KindBountyRejected, 256, peerB, &wire.BountyRejectedEvent{BountyID: deal}))
	if b := s.a.Memory.Beliefs.Get(beliefOwnWork); b == nil || b.Confidence >= 0.5 || b.EvidenceCount() != 1 || s.a.Memory.Beliefs.Evidence(b)[0] != deal {
		t.Errorf("own rejection: %+v", b)
	}
}

// TestCountLost_EachFailureCountsOnce: a bounty for an entry that ends without one makes the agent believe less that such entries get
// done: when a claim of it fails, or when nobody ever claimed it, but not again when it expires after a claim has failed.
func TestCountLost_EachFailureCountsOnce(t *testing.T) {
	expired := func(at wire.Tick) *wire.Event {
		return event(wire.KindBountyExpired, at, peerA, &wire.BountyExpiredEvent{BountyID: deal, Tick: at})
	}
	reopened := func(at wire.Tick) *wire.Event {
		return event(wire.KindBountyReopened, at, peerA, &wire.BountyReopenedEvent{BountyID: deal, Tick: at})
	}
	claimed := func(at wire.Tick) *wire.Event {
		return event(wire.KindBountyClaimed, at, peerB, &wire.BountyClaimedEvent{BountyID: deal, Claimer: peerB, Tick: at})
	}
	for _, c := range []struct {
		name   string
		events []*wire.Event
		want   int // failures
	}{
		{"it is still open", nil, 0},
		{"nobody claimed it", []*wire.Event{expired(300)}, 1},
		{"the claim failed", []*wire.Event{claimed(260), reopened(280)}, 1},
		{"the claim failed, and nobody claimed it again", []*wire.Event{claimed(260), reopened(280), expired(300)}, 1},
		{"two claims failed", []*wire.Event{claimed(260), reopened(280), claimed(285), reopened(290)}, 2},
		{"it expired while the second one held it", []*wire.Event{claimed(260), reopened(280), claimed(285), expired(300)}, 2},
	} {
		s, plain := newSolo(t, genomes[6]), newSolo(t, genomes[6])
		note := memory.OfferNote{Bounty: deal, Measure: memory.MeasureKeeps, At: 256}
		s.a.Notebook.Offer(note)
		for _, e := range c.events {
			s.t.events.countBounty(e)
		}
		for range c.want {
			plain.t.believer().believeAgreed(&note, false, 256)
		}
		confidence := func(s *solo) float32 {
			if b := s.a.Memory.Beliefs.Get(agreedClaims[memory.MeasureKeeps]); b != nil {
				return b.Confidence
			}
			return -1 // it believes nothing yet
		}
		if got, want := confidence(s), confidence(plain); got != want {
			t.Errorf("%s: believes that such bounties get done with %v, after %d failures it would with %v", c.name, got, c.want, want)
		}
	}
}
