package ooda

import (
	"crypto/sha256"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

func TestMoneyNeed_FallsWithBalance(t *testing.T) {
	for _, c := range []struct {
		balance int64
		locked  uint64
		blind   llm.Layers
		want    float64
	}{{0, 0, 0, 1}, {20, 0, 0, 1}, {40, 0, 0, .5}, {100, 0, 0, .2}, {100, 40, 0, .2}, {100, 90, 0, 2. / 11}, {100, 0, llm.LayersOf([]string{"money"}), 0}} {
		s := newSolo(t, genomes[2])
		s.view.Balance, s.view.Locked, s.rules.Blind = c.balance, c.locked, c.blind
		s.ask()
		if got := s.t.purse().moneyNeed(); !near(got, c.want) {
			t.Errorf("%d ⚡, %d of them locked, blind %v: moneyNeed %v, want %v", c.balance, c.locked, c.blind, got, c.want)
		}
	}
}

// A cheap bounty is left alone for a while, a dear one is not. Hasty and poor agents wait less.
func TestWeighOffers_CheapBountyIsLeftAloneForAWhile(t *testing.T) {
	for _, c := range []struct {
		name    string
		reward  uint64
		going   float64
		speed   float32
		balance int64
		age     wire.Tick
		blind   []string
		want    bool
	}{
		{"nothing was paid yet", 1, 0, .2, 1000, 0, nil, true},
		{"as much as usual", 10, 10, .2, 1000, 0, nil, true},
		{"a tenth of it", 1, 10, .2, 1000, 0, nil, false},
		{"a tenth of it, for long", 1, 10, .2, 1000, 2000, nil, true},
		{"nearly as much, for a while", 9, 10, .2, 1000, 100, nil, true},
		{"a tenth of it, for the same while", 1, 10, .2, 1000, 100, nil, false},
		{"to the hasty", 1, 10, 1, 1000, 0, nil, true},
		{"to who has nothing to spare", 1, 10, .2, 20, 0, nil, true},
		{"to who is blind to money", 1, 10, .2, 1000, 0, []string{"money"}, true},
	} {
		g := genomes[2]
		g.Traits.QualityVsSpeed = c.speed
		s := newSolo(t, g)
		s.view.Balance, s.rules.Blind, s.next = c.balance, llm.LayersOf(c.blind), 4000
		s.a.Memory.Market.AveragePay[memory.BountyWorkOther] = c.going
		s.view.Bounties = []wire.BountyView{{ID: wire.Hash{7}, Creator: wire.AgentID{5}, Status: wire.BountyStatusOpen, Title: []byte("x"), Reward: c.reward, Deadline: 9000, Difficulty: wire.DifficultyTrivial}}
		s.t.notes.Offer(memory.OfferNote{Bounty: wire.Hash{7}, Difficulty: wire.DifficultyTrivial, At: 4000 - c.age})
		s.ask()
		if got := s.t.goals.living(goals.KindClaimBounty, wire.Hash{7}); got != c.want {
			t.Errorf("%s: a goal %v, want %v", c.name, got, c.want)
		}
	}
}

// No bounty costs more than the agent can spare, together with its tax of one twentieth, which is at least 1 ⚡. What is
// left over is not enough for 2 ⚡ more.
func TestMost_RewardAndTaxFitSpareMoney(t *testing.T) {
	tax := func(reward uint64) uint64 { return max(reward/20, 1) }
	s := newSolo(t, genomes[2])
	for spare := uint64(0); spare <= 500; spare++ {
		s.t.slotView.available = goals.SurvivalBalance + int64(spare)
		most := s.t.purse().most()
		if most > 0 && most+tax(most) > spare {
			t.Errorf("of %d ⚡ to spare it offers %d, which cost %d with the tax", spare, most, most+tax(most))
		}
		if more := most + 2; more+tax(more) <= spare {
			t.Errorf("of %d ⚡ to spare it offers %d at most, although %d would do", spare, most, more)
		}
	}
}

// A bounty that is claimed, barred or the agent's own is no opportunity. One that is too hard is looked at again later.
func TestWeighOffers_OnlyFreeBountiesBecomeGoals(t *testing.T) {
	bounty := wire.Hash{7}
	me := newSolo(t, genomes[2]).a.ID // all solos are the same agent
	for _, c := range []struct {
		name  string
		view  func(b *wire.BountyView)
		note  func(n *memory.OfferNote)
		want  bool
		again bool
	}{
		{"free", nil, nil, true, false},
		{"barred", func(b *wire.BountyView) { b.Barred = true }, nil, false, false},
		{"its own", func(b *wire.BountyView) { b.Creator = me }, nil, false, false},
		{"claimed", nil, func(n *memory.OfferNote) { n.Claimed = 3000 }, false, true},
		{"claimed, as the view shows", func(b *wire.BountyView) { b.Status = wire.BountyStatusClaimed }, nil, false, true},
		{"out of sight", func(b *wire.BountyView) { b.ID = wire.Hash{8} }, nil, false, true},
		{"decided on", nil, func(n *memory.OfferNote) { n.Again = ^wire.Tick(0) }, false, false},
		{"too hard", func(b *wire.BountyView) {
			b.Title, b.Difficulty = []byte("Set right: How fast #help answers"), wire.DifficultyEasy
		}, nil, false, true},
	} {
		s := newSolo(t, genomes[2])
		b := wire.BountyView{ID: bounty, Creator: wire.AgentID{5}, Status: wire.BountyStatusOpen, Title: []byte("x"), Reward: 9, Deadline: 9000, Difficulty: wire.DifficultyTrivial}
		n := memory.OfferNote{Bounty: b.ID, Difficulty: b.Difficulty, At: 4000}
		if c.view != nil {
			c.view(&b)
		}
		if c.note != nil {
			c.note(&n)
		}
		s.next, s.view.Bounties = 4000, []wire.BountyView{b}
		s.a.Memory.Topics = make(memory.TopicNotes, memory.Topics)
		s.t.notes.Born = true
		s.t.notes.Offer(n)
		s.ask()
		if got := s.t.goals.living(goals.KindClaimBounty, bounty); got != c.want {
			t.Errorf("%s: a goal %v, want %v", c.name, got, c.want)
		}
		if again := s.t.notes.Offered(bounty).Again != ^wire.Tick(0); again != c.again {
			t.Errorf("%s: looked at again %v, want %v", c.name, again, c.again)
		}
	}
}

// A bounty that the agent has no note of becomes a goal in one slot of the cycle, which others draw differently.
func TestWeighBoard_OnceInACycle(t *testing.T) {
	me := newSolo(t, genomes[2]).a.ID // all solos are the same agent
	slots := map[int]int{}            // in how many cases a bounty became a goal in this slot
	for _, c := range []struct {
		name   string
		change func(s *solo, b *wire.BountyView)
		want   int
	}{
		{"free", nil, 1},
		{"noted and decided on", func(s *solo, b *wire.BountyView) {
			s.t.notes.Offer(memory.OfferNote{Bounty: b.ID, At: 300, Again: ^wire.Tick(0)})
		}, 0},
		{"barred", func(_ *solo, b *wire.BountyView) { b.Barred = true }, 0},
		{"its own", func(_ *solo, b *wire.BountyView) { b.Creator = me }, 0},
		{"claimed", func(_ *solo, b *wire.BountyView) { b.Status = wire.BountyStatusClaimed }, 0},
		{"too hard", func(_ *solo, b *wire.BountyView) {
			b.Title, b.Difficulty = []byte("Set right: How fast #help answers"), wire.DifficultyEasy
		}, 0},
	} {
		for id := range byte(20) {
			s := newSolo(t, genomes[2])
			s.a.Memory.Topics = make(memory.TopicNotes, memory.Topics)
			s.t.notes.Born = true
			b := wire.BountyView{ID: sha256.Sum256([]byte{id}), Creator: peerA, Status: wire.BountyStatusOpen, Title: []byte("x"), Reward: 9, Deadline: 9000, Difficulty: wire.DifficultyTrivial}
			if c.change != nil {
				c.change(s, &b)
			}
			s.next, s.view.Bounties = 4096, []wire.BountyView{b}
			s.ask()
			proposed := 0
			for slot := range 64 {
				s.t.slotView.tick, s.t.slotView.cycle = wire.Tick(4096+4*slot), 16
				s.t.goals.proposed = s.t.goals.proposed[:0]
				s.t.goals.weighBoard()
				if proposed += len(s.t.goals.proposed); len(s.t.goals.proposed) > 0 {
					slots[slot]++
				}
			}
			if proposed != c.want {
				t.Errorf("%s, bounty %d: proposed %d times in a cycle, want %d", c.name, id, proposed, c.want)
			}
		}
	}
	if len(slots) < 10 {
		t.Errorf("20 bounties are considered in %d different slots: %v", len(slots), slots)
	}
}

// An agent that has counted too little for a bounty looks at it again a quarter of a cycle later, not before.
func TestWeighOffers_LooksAgainAfterQuarterOfACycle(t *testing.T) {
	for _, c := range []struct {
		later wire.Tick
		want  bool
	}{{4, false}, {63, false}, {64, true}, {68, true}} {
		s := newSolo(t, genomes[2])
		s.a.Memory.Topics = make(memory.TopicNotes, memory.Topics)
		s.a.Genome.Traits.RiskTolerance = 1
		b := wire.BountyView{ID: wire.Hash{7}, Creator: peerA, Status: wire.BountyStatusOpen, Title: []byte("Set right: How fast #help answers"), Reward: 9, Deadline: 9000, Difficulty: wire.DifficultyTrivial}
		s.view.Bounties, s.next, s.t.notes.Born = []wire.BountyView{b}, 4000, true
		s.t.notes.Offer(memory.OfferNote{Bounty: b.ID, Difficulty: b.Difficulty, At: 3000})
		s.slot(nothing, wire.Reply{})
		for range 20 { // meanwhile it has counted enough
			s.a.Memory.Findings.Observe(memory.MeasureChannel, []byte("help"), 10, 15)
		}
		s.next = 4000 + c.later
		s.ask()
		if got := s.t.goals.living(goals.KindClaimBounty, b.ID); got != c.want {
			t.Errorf("%d ticks later: a goal %v, want %v", c.later, got, c.want)
		}
	}
}

func TestStanding_IsTheShareOfPeersBelow(t *testing.T) {
	s := newSolo(t, genomes[2])
	if got := s.t.rank().standing(); got != .5 {
		t.Errorf("who knows nobody stands at %v", got)
	}
	s.a.Reputation = .5
	for i, r := range []float32{.1, .4, .5, .9} {
		s.a.Notebook.SeePeer(wire.AgentID{byte(i + 1)}, r, 256)
	}
	if got := s.t.rank().standing(); !near(got, 2.5/4) || !near(s.t.rank().waitFactor(), 2.25/4) {
		t.Errorf("stands at %v, defers %v", got, s.t.rank().waitFactor())
	}
	for id, want := range map[byte]float64{1: .5 / 4, 3: 2.5 / 4, 4: 3.5 / 4, 9: 0} { //house:sorted each is looked at by itself
		if got := s.t.rank().standingOf(wire.AgentID{id}); !near(got, want) {
			t.Errorf("peer %d stands at %v, want %v", id, got, want)
		}
	}
	s.rules.Blind = llm.LayersOf([]string{"reputation"})
	if s.t.rank().standing() != .5 || s.t.rank().waitFactor() != 1 {
		t.Errorf("blind to reputation it stands at %v, defers %v", s.t.rank().standing(), s.t.rank().waitFactor())
	}
}

// An agent that is blind to a layer gets no goals from it.
func TestSources_BlindLayerGivesNoGoals(t *testing.T) {
	for _, c := range []struct {
		blind  string
		source goals.Source
		want   bool
	}{{"", goals.SourceSurvival, true}, {"money", goals.SourceSurvival, false}, {"", goals.SourceSocial, true}, {"reputation", goals.SourceSocial, false}, {"peers", goals.SourceSocial, false}} {
		s := newSolo(t, genomes[2])
		if c.blind != "" {
			s.rules.Blind = llm.LayersOf([]string{c.blind})
			s.t = NewTurn(s.a, &s.rules)
		}
		s.view.Balance, s.a.Balance, s.a.Reputation, s.next = 5, 5, .1, 256*6
		s.a.Memory.Peers.Observe(peerA, 1)
		s.view.Reputation = .1
		s.ask()
		got := false
		for _, g := range s.a.Goals.Living() {
			got = got || g.Source == c.source
		}
		if got != c.want {
			t.Errorf("blind to %q: a goal of %v %v, want %v", c.blind, c.source, got, c.want)
		}
	}
}

// An agent keeps back the upkeep for as long as it needs to earn the cost of an entry, and cautious agents up to three
// times as much.
func TestSpare_KeepsMoreUpkeepWithLowerWage(t *testing.T) {
	for _, c := range []struct {
		name   string
		risk   float32
		cycles uint32
		wage   float64
		upkeep uint64
		want   uint64
	}{
		{"no upkeep", 0.5, 2, 1, 0, 40},
		{"nothing is known of its earnings", 0.5, 1, 0, 1, 38},
		{"earns an entry each cycle", 0.5, 2, 10, 1, 38},
		{"earns one in five cycles", 0.5, 2, 2, 1, 33},
		{"earns one in ten", 0.5, 2, 1, 1, 25},
		{"earns one in ten and dares nothing", 0, 2, 1, 1, 10},
		{"earns one in ten and dares everything", 1, 2, 1, 1, 38},
		{"earns nothing", 0.5, 2, 0, 1, 10},
	} {
		s := newSolo(t, genomes[2])
		s.a.Genome.Traits.RiskTolerance = c.risk
		s.rules.Upkeep, s.t.slotView.available = c.upkeep, 60
		s.a.Memory.Market.Cycles, s.a.Memory.Market.Wage = c.cycles, c.wage
		if got := s.t.purse().spare(); got != c.want {
			t.Errorf("%s: it can spare %d, want %d", c.name, got, c.want)
		}
	}
}

// An agent that does not know its balance can spare nothing.
func TestSpare_NothingIfBlindToMoney(t *testing.T) {
	s := newSolo(t, genomes[2])
	s.t.slotView.available = 60
	if got := s.t.purse().spare(); got != 40 {
		t.Errorf("of 60 ⚡ it can spare %d, want 40", got)
	}
	s.rules.Blind = llm.LayersOf([]string{"money"})
	if got := s.t.purse().spare(); got != 0 {
		t.Errorf("blind to money it can spare %d", got)
	}
}
