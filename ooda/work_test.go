package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

func TestOfferTicks(t *testing.T) {
	for _, c := range []struct {
		name    string
		bought  uint64
		max     uint64
		balance int64
		upkeep  uint64
		reward  uint64
		wage    float64
		want    bool
	}{
		{"can spare it", 0, 16, 24, 0, 10, 17, true},
		{"bought before", 1, 16, 24, 0, 10, 17, false},
		{"more than may be bought", 0, 15, 24, 0, 10, 17, false},
		{"too little money", 0, 16, 23, 0, 10, 17, false},
		{"upkeep to pay", 0, 16, 27, 2, 10, 17, false},
		{"and enough for it", 0, 16, 28, 2, 10, 17, true},
		{"no goal worth it", 0, 16, 24, 0, 8, 17, false},
		{"earns no more in them", 0, 16, 24, 0, 10, 16, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.MaxBuyTicks, s.rules.Upkeep, s.view.Balance = c.max, c.upkeep, c.balance
			s.a.Notebook.Bought, s.a.Memory.Market.Wage = c.bought, c.wage
		})
		g := s.about(goals.KindEarn, wire.Hash{})
		g.Description.Reward = c.reward
		worker{o}.offerTicks(g)
		if got := len(o.list) == 1; got != c.want || got && (o.list[0].Spark != 4 || o.list[0].Name() != "resource_buy") {
			t.Errorf("%s: offered %v", c.name, got)
		}
	}
}

func TestOfferReview(t *testing.T) {
	for _, c := range []struct {
		name   string
		review wire.ReviewView
		kind   goals.Kind
		want   string
	}{
		{"a submission", wire.ReviewView{ID: wire.Hash{4}, Bounty: true, Author: peerA}, goals.KindDoReview, "bounty_review"},
		{"of another goal", wire.ReviewView{ID: wire.Hash{4}, Bounty: true, Author: peerA}, goals.KindEarn, ""},
		{"not asked", wire.ReviewView{ID: wire.Hash{5}, Bounty: true, Author: peerA}, goals.KindDoReview, ""},
	} {
		s, o := offering(t, func(s *solo) { s.view.Reviews = []wire.ReviewView{c.review} })
		worker{o}.offerReview(s.about(c.kind, wire.Hash{4}))
		got := ""
		if len(o.list) > 0 {
			got = o.list[0].Name()
			if o.list[0].Author != peerA.Alias() {
				t.Errorf("%s: author %s", c.name, o.list[0].Author)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOfferSubmission: one more entry is written only at the last step of the plan, and
// only when those written cannot suffice.
func TestOfferSubmission(t *testing.T) {
	for _, c := range []struct {
		name            string
		step            uint32
		accurate, wrong int
		unjudged        int
		nothing         bool // nothing is left to state
		want            int
	}{
		{"none written", 4, 0, 0, 0, false, 1},
		{"one of two accurate", 4, 1, 0, 0, false, 1},
		{"one accurate, one open", 4, 1, 0, 1, false, 0},
		{"one accurate, one found wrong", 4, 1, 1, 0, false, 1},
		{"two accurate", 4, 2, 0, 0, false, 0},
		{"not at its last step", 3, 0, 0, 0, false, 0},
		{"none written, and nothing to write", 4, 0, 0, 0, true, 0},
	} {
		s, o := offering(t, func(s *solo) { s.holding() })
		if c.nothing {
			s.a.Memory.Findings = nil
		}
		g := s.aboutBounty()
		p, _ := s.t.plans.of(g)
		if p == nil || len(p.Steps) != 5 {
			t.Fatalf("plan %+v", p)
		}
		p.Step = c.step
		id := byte(0)
		write := func(n, good, bad int) {
			for range n {
				id++
				s.ownEntry(id, wire.EntryKindPattern, 300, good, bad)
			}
		}
		write(c.accurate, 1, 0)
		write(c.wrong, 0, 2)
		write(c.unjudged, 0, 1)
		if (worker{o}).offerSubmission(g); len(o.list) != c.want {
			t.Errorf("%s: %d offered, want %d", c.name, len(o.list), c.want)
		}
		if len(o.list) == 1 && o.list[0].Finding == nil {
			t.Errorf("%s: it is not offered what to state", c.name)
		}
	}
}

func TestOfferVote_VoteGoalGetsItsOwnProposal(t *testing.T) {
	s, o := offering(t, func(s *solo) { s.proposals(3, wire.SystemID(wire.SystemMint), 300) })
	g := s.about(goals.KindVote, wire.Hash{0xB1, 1})
	for range 2 { // the generator runs for each vote goal
		o.generate(genVote, g)
	}
	if len(o.list) != 2 || o.list[0].Subject != (wire.Hash{0xB1, 1}) {
		t.Errorf("%d offered, the first about %v", len(o.list), o.list[0].Subject)
	}
	_ = s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal)
	o.reset()
	for range 2 { // once for all others, which leave that proposal to the vote goal
		o.generate(genVote, s.about(goals.KindEarn, wire.Hash{}))
	}
	if len(o.list) != 2 || o.list[0].Subject == (wire.Hash{0xB1, 1}) || o.list[1].Subject == (wire.Hash{0xB1, 1}) {
		t.Errorf("others are offered %d votes", len(o.list))
	}
}

// A service whose sandbox has ended is not offered for the old sandbox.
func TestFollowWorks_ServiceOfEndedSandboxIsMadeAgain(t *testing.T) {
	for _, stage := range []memory.WorkStage{memory.WorkTried, memory.WorkDone} {
		s := newSolo(t, genomes[6])
		w := s.a.Notebook.BeginWork(memory.WorkService, wire.Hash{}, 256)
		w.Stage, w.Sandbox = stage, wire.Hash{7}
		workReader{&s.t.replies}.followWorks(&wire.View{Sandboxes: []wire.SandboxView{{ID: wire.Hash{7}, State: wire.SandboxStateHalted}}})
		if w.Stage != stage {
			t.Errorf("%d: came to %d while its sandbox is there", stage, w.Stage)
		}
		workReader{&s.t.replies}.followWorks(&wire.View{})
		if w.Stage != memory.WorkWritten || !w.Sandbox.IsZero() {
			t.Errorf("%d: %+v, and its sandbox is gone", stage, w)
		}
	}
}

// A running sandbox costs its owner in each cycle, so it is ended if nothing is or will be served from it, and if its
// owner cannot afford it.
func TestOfferShutdown_SandboxThatServesNobody(t *testing.T) {
	service, box := wire.Hash{9}, wire.Hash{7}
	for _, c := range []struct {
		name    string
		sandbox wire.SandboxView
		stage   memory.WorkStage
		others  int // services of others
		balance int64
		want    bool
	}{
		{"one that serves", wire.SandboxView{Service: &service}, memory.WorkDone, 0, 60, false},
		{"of who cannot afford it", wire.SandboxView{Service: &service}, memory.WorkDone, 0, 49, true},
		{"of the next service", wire.SandboxView{}, memory.WorkTried, 0, 60, false},
		{"there are services enough", wire.SandboxView{}, memory.WorkTried, 30, 60, true},
		{"its program does not run", wire.SandboxView{}, memory.WorkFaulty, 0, 60, true},
		{"of a version that was changed since", wire.SandboxView{ID: wire.Hash{8}}, memory.WorkTried, 0, 60, true},
	} {
		s, o := offering(t, nil)
		w := s.a.Notebook.BeginWork(memory.WorkService, wire.Hash{}, 256)
		w.Stage, w.Sandbox = c.stage, box
		if c.sandbox.ID.IsZero() {
			c.sandbox.ID = box
		}
		c.sandbox.Persistent = true
		s.a.Notebook.Active = 24
		s.t.slotView.available, s.t.slotView.services = c.balance, make([]wire.ServiceView, c.others)
		s.t.slotView.sandboxes = []wire.SandboxView{{ID: wire.Hash{1}}, c.sandbox}
		o.generate(genShutdown, &o.delegate)
		if got := len(o.list) == 1 && o.list[0].Subject == c.sandbox.ID; got != c.want {
			t.Errorf("%s: it is offered %v", c.name, o.list)
		}
	}
}

// No service is written if there are enough, since nobody would call it.
func TestOfferService_NotIfThereAreEnough(t *testing.T) {
	for _, c := range []struct {
		others int
		want   bool
	}{{0, true}, {30, false}} {
		s, o := offering(t, func(s *solo) { s.rules.Gates, s.view.Balance = uint8(action.ProfileOpen), 200 })
		s.a.Notebook.Active, s.t.slotView.services = 24, make([]wire.ServiceView, c.others)
		o.generate(genService, s.about(goals.KindTryNovel, wire.Hash{}))
		if got := len(o.list) > 0; got != c.want {
			t.Errorf("among %d services it is offered %v", c.others, o.list)
		}
	}
}
