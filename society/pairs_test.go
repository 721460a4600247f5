package society

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

// did is a run of acts, each with its action and the kind of its goal.
func did(acts ...string) *Run {
	r := &Run{TicksPerCycle: 256, Last: 1, Agents: []Agent{{}}}
	for _, a := range acts {
		r.Acts = append(r.Acts, Act{Action: a, Kind: "earn"})
	}
	return r
}

func TestActVariation_BetweenArms(t *testing.T) {
	a, b := Arm{did("x", "x"), did("y", "y")}, Arm{did("x", "y"), did("x", "z")}
	if got := ActVariation(a, a); got != 0 {
		t.Errorf("the same moved by %v", got)
	}
	if got := ActVariation(a, b); got != .25 { // x 2, y 2 against x 2, y 1, z 1
		t.Errorf("moved by %v", got)
	}
	b[1].Acts[0].Kind = "vote"
	if got := ActVariation(a, b); got != .5 {
		t.Errorf("with an act for another sort of goal moved by %v", got)
	}
}

func TestNoise_WithinAnArm(t *testing.T) {
	for _, c := range []struct {
		arm  Arm
		want float64
	}{
		{nil, 0},
		{Arm{did("x")}, 0},
		{Arm{did("x"), did("y")}, 1},
		{Arm{did("x"), did("y"), did("z")}, 1},            // the last is left out
		{Arm{did("x"), did("x"), did("y"), did("y")}, 1},  // halved as it differs most
		{Arm{did("x"), did("x"), did("x"), did("y")}, .5}, // whichever way
		{Arm{did("x", "y"), did("y", "x")}, 0},
	} {
		if got := c.arm.Noise(); got != c.want {
			t.Errorf("%d runs: %v, want %v", len(c.arm), got, c.want)
		}
	}
}

// Each way to divide an arm is tried: runs drawn at random differ most in the halves that a search by hand finds.
func TestNoise_IsTheWorstOfAllHalves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Arm
		for range 2 * rapid.IntRange(1, 4).Draw(t, "pairs") {
			a = append(a, did(rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", "z"}), 0, 6).Draw(t, "acts")...))
		}
		worst := 0.0
		for half := range 1 << len(a) {
			var in, out Arm
			for i, r := range a {
				if half>>i&1 == 1 {
					in = append(in, r)
				} else {
					out = append(out, r)
				}
			}
			if len(in) == len(out) {
				worst = max(worst, ActVariation(in, out))
			}
		}
		if got := a.Noise(); math.Abs(got-worst) > 1e-12 {
			t.Fatalf("noise %v, the worst halves differ by %v", got, worst)
		}
	})
}

func TestShift_OfEachFigure(t *testing.T) {
	count := func(r *Run) figure {
		if len(r.Acts) == 0 {
			return none("nothing")
		}
		return value(float64(len(r.Acts)), 1)
	}
	more := Shift{compute: count, wanted: grows(.5)}
	less := Shift{compute: count, wanted: falls(.5)}
	most := Shift{compute: count, wanted: inMostPairs(grows(.5))}
	two, three, four := did("x", "x"), did("x", "x", "x"), did("x", "x", "x", "x")
	for _, c := range []struct {
		name         string
		shift        *Shift
		from, to     Arm
		holds        bool
		pairs, right int
		relative     float64
	}{
		{"half as much again", &more, Arm{two}, Arm{three}, true, 1, 1, .5},
		{"too little", &more, Arm{two, three}, Arm{three, three}, false, 2, 1, .2},
		{"the wrong way", &more, Arm{four}, Arm{two}, false, 1, 0, -.5},
		{"half as much", &less, Arm{four}, Arm{two}, true, 1, 1, -.5},
		{"no change is none", &less, Arm{two}, Arm{two}, false, 1, 0, 0},
		{"far enough, in five of six pairs", &most, Arm{two, two, two, two, two, two}, Arm{four, four, four, four, four, two}, true, 6, 5, 5.0 / 6},
		{"far enough, in four of six pairs", &most, Arm{two, two, two, two, two, two}, Arm{four, four, four, four, two, two}, false, 6, 4, 2.0 / 3},
		{"a pair without a figure does not count", &more, Arm{two, did()}, Arm{four, four}, true, 1, 1, 1},
	} {
		got := c.shift.Measure(c.from, c.to)
		if got.Holds != c.holds || got.Pairs != c.pairs || got.Right != c.right || math.Abs(got.Relative()-c.relative) > 1e-12 || got.Why != "" {
			t.Errorf("%s: %+v, relative %v", c.name, got, got.Relative())
		}
	}
	for _, to := range []*Run{two, did()} {
		if got := more.Measure(Arm{did()}, Arm{to}); got.Why != "nothing" || got.Holds {
			t.Errorf("no pair has the figure: %+v", got)
		}
	}
	if got := (&Shifted{To: 1}).Relative(); !math.IsInf(got, 1) {
		t.Errorf("from nothing: %v", got)
	}
}

// What the shifts look at, on runs of which it is known.
func TestShiftFigures(t *testing.T) {
	good, bad := wire.Hash{0xE1}, wire.Hash{0xE2}
	bounty := func(n byte, reward uint64, d wire.Difficulty) Event {
		return Event{Tick: 300, Payload: &wire.BountyCreatedEvent{BountyID: wire.Hash{n}, Reward: reward, Difficulty: d}}
	}
	claim := func(n, by byte) Event {
		return Event{Tick: 310, Payload: &wire.BountyClaimedEvent{BountyID: wire.Hash{n}, Claimer: wire.AgentID{by}}}
	}
	r := &Run{
		TicksPerCycle: 256, Last: 2, AgentCycles: 6,
		Agents: []Agent{
			{ID: wire.AgentID{1}},
			{ID: wire.AgentID{2}, Role: wire.RoleLibrarian, WorkPays: map[string]float64{"DOCUMENTATION": .3, "LIBRARY": .2, "DESIGN": .9}},
			{ID: wire.AgentID{3}, Role: wire.RoleArchitect, WorkPays: map[string]float64{"DESIGN": .3, "LIBRARY": .2}}, // knows one of its aspirations only
		},
		Entries: []Entry{{ID: good, Author: 0, Accuracy: 1}, {ID: bad, Author: 1, Accuracy: .2}},
		Acts: []Act{
			{Action: "entry_get", Subject: good},
			{Action: "entry_get", Subject: good},
			{Action: "entry_get", Subject: good},
			{Action: "entry_get", Subject: bad},
			{Action: "bounty_claim", Failed: true, Subject: wire.Hash{9}, Tick: 300},
			{Action: "bounty_claim", Subject: wire.Hash{9}, Tick: 600},
			{Action: "bounty_claim", Failed: true, Subject: wire.Hash{8}, Tick: 300},
			{Action: "bounty_claim", Failed: true, Subject: wire.Hash{8}, Tick: 700},
			{Action: "transfer"},
			{Agent: 1, Tick: 384, Action: "entry_get", Kind: "raise_coverage"},
			{Agent: 1, Tick: 384, Action: "entry_get", Kind: "build_library"},
			{Agent: 1, Tick: 388, Action: "entry_get", Kind: "build_library"},
			{Agent: 1, Tick: 383, Action: "entry_get", Kind: "build_library"},
			{Agent: 1, Tick: 392, Action: "entry_get", Kind: "design_system"},
			{Agent: 2, Tick: 384, Action: "entry_get", Kind: "design_system"},
		},
		Messages:     []Message{{Author: 1, Refs: []wire.Hash{wire.Hash(wire.AgentID{3})}}, {Author: 1, Refs: []wire.Hash{good}}},
		Goals:        []Goal{{Kind: "raise_coverage", Completed: true}, {Kind: "raise_coverage"}, {Kind: "vote", Completed: true}},
		Transactions: []Transaction{{From: -1, To: 0, Amount: 160, Tick: 300}},
		Events: []Event{
			bounty(1, 10, wire.DifficultyEasy), bounty(2, 9, wire.DifficultyHard), claim(1, 1), claim(2, 1),
			{Payload: &wire.BountyCompletedEvent{BountyID: wire.Hash{1}}},
			{Payload: &wire.EntryVerifiedEvent{EntryID: bad}},
		},
	}
	for _, c := range []struct {
		name string
		of   func(*Run) figure
		want float64
	}{
		{"best paid work", bestPaidWork, 1.0 / 3}, // a librarian designs no systems, and begins before the second half
		{"reads of best", readsOfBest, .75},
		{"claims failed", claimsFailed, .5},
		{"failures repeated", failuresRepeated, 1.0 / 3}, // the second try of one succeeds
		{"long goals", longGoals, 1.0 / 6},
		{"claims below wage", claimsBelowWage, .5}, // of 80 a cycle an eighth is 10
		{"difficulty", claimsDifficulty, 3},
		{"acts for peers", actsForPeers, .4}, // of four claims and a transfer
		{"accuracy", ownAccuracy, .2},
	} {
		if got := c.of(r); got.why != "" || got.x != c.want {
			t.Errorf("%s: %v %s, want %v", c.name, got.x, got.why, c.want)
		}
		empty := &Run{TicksPerCycle: 256, Last: 1}
		if got := c.of(empty); got.why == "" && got.x != 0 {
			t.Errorf("%s of nothing: %v", c.name, got.x)
		}
	}
}

// An agent is poor from the tick after the payment that made it so; what it does is compared with all other acts.
func TestPaidWorkOfPoor(t *testing.T) {
	r := small() // agent 1 has 50 ⚡ up to tick 26, then 15, and acts at tick 31
	r.Acts = append(r.Acts, Act{Agent: 1, Tick: 26, Action: "proposal_vote"}, Act{Agent: 1, Tick: 27, Action: "entry_get", Kind: "claim_bounty"})
	if got := paidWorkOfPoor(r); got.why != "" || got.n != 2 || got.x != (1./2)/(2./10) { // of the others a vote and an entry
		t.Errorf("paid work of the poor: %+v", got)
	}
	r.Acts = r.Acts[:6]
	if got := paidWorkOfPoor(r); got.why != "no agent that acted was poor" {
		t.Errorf("without poor ones: %+v", got)
	}
	r.Acts = append(r.Acts[1:], Act{Agent: 1, Tick: 27, Action: "proposal_vote"})
	if got := paidWorkOfPoor(r); got.why != "nobody else did paid work" {
		t.Errorf("of the poor alone: %+v", got)
	}
	r.Agents[1].Balance++
	if got := paidWorkOfPoor(r); got.why != notAddingUp {
		t.Errorf("of balances that are not known: %+v", got)
	}
}
