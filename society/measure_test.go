package society

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
)

func id(n byte) wire.Hash { return wire.Hash{n} }

func agentN(n int) wire.AgentID { return wire.AgentID{byte(n + 1)} }

// small is a world of three agents and three cycles of ten ticks, small enough to be reckoned by
// hand: the figures of TestMeasure are.
func small() *Run {
	g := func(n byte) wire.Hash { return wire.Hash{0xF0, n} }
	r := &Run{
		TicksPerCycle: 10, Last: 3, AgentCycles: 9, Idle: 4, Velocity: 0.25,
		Agents: []Agent{
			{ID: agentN(0), Role: wire.RoleLibrarian, Balance: 129}, {ID: agentN(1), Role: wire.RoleExplorer, Balance: 15}, {ID: agentN(2), Role: wire.RoleExplorer, Balance: 90},
		},
		Acts: []Act{
			{Agent: 0, Tick: 11, Action: "entry_publish", Domain: "DOC", Topic: "go", Goal: g(1)},
			{Agent: 0, Tick: 12, Action: "msg_post", Domain: "SOC", Goal: g(1)},
			{Agent: 0, Tick: 21, Action: "bounty_claim", Domain: "ECO", Failed: true, Goal: g(2)},
			{Agent: 0, Tick: 22, Action: "bounty_claim", Domain: "ECO", Goal: g(2)},
			{Agent: 1, Tick: 13, Action: "msg_post", Domain: "SOC", Topic: "go", Answer: true, Goal: g(3)},
			{Agent: 1, Tick: 23, Action: "entry_verify", Domain: "REV", Topic: "go", Goal: g(3)},
			{Agent: 1, Tick: 31, Action: "signal_send", Domain: "SOC"},
			{Agent: 2, Tick: 14, Action: "msg_post", Domain: "SOC", Answer: true, Goal: g(4)},
			{Agent: 2, Tick: 24, Action: "entry_verify", Domain: "REV", Topic: "go", Failed: true, Goal: g(5)},
			{Agent: 2, Tick: 33, Action: "msg_query", Domain: "SOC"},
		},
		Messages: []Message{
			{ID: id(1), Author: 0, Tick: 12, Kind: wire.MessageKindQuestion, Text: "How do 12 of a1b2c3d4 go?"},
			{ID: id(2), Author: 1, Tick: 13, Kind: wire.MessageKindAnswer, Text: "Like this", Refs: []wire.Hash{id(1)}},
			{ID: id(3), Author: 2, Tick: 14, Kind: wire.MessageKindAnswer, Text: "Like this", Refs: []wire.Hash{id(1)}},
			{ID: id(5), Author: -1, Tick: 15, Kind: wire.MessageKindQuestion, Text: "A system asks"},
			{ID: id(4), Author: 2, Tick: 30, Kind: wire.MessageKindQuestion, Text: "How do 7 of ffffffff go?"},
		},
		Entries: []Entry{
			{ID: id(10), Author: -1, Tick: 0, Title: "Actions", Accuracy: 1},
			{ID: id(11), Author: 0, Tick: 11, Title: "Go", Tag: "go", Accuracy: .7},
			{ID: id(12), Author: 1, Tick: 25, Title: "Rust", Accuracy: .2},
			{ID: id(13), Author: 1, Tick: 26, Title: "Go", Accuracy: .9},
		},
		Bounties: []Bounty{{Creator: 1, Status: wire.BountyStatusCompleted}, {Creator: -1, Status: wire.BountyStatusExpired}, {Creator: -1, Status: wire.BountyStatusOpen}},
		Transactions: []Transaction{
			{From: -1, To: 0, Amount: 50, Tick: 5}, {From: 0, To: 1, Amount: 20, Tax: 1, Tick: 15}, {From: -1, To: 2, Amount: 60, Tick: 25}, {From: 1, To: -1, Amount: 35, Tick: 26},
		},
		Proposals: []Proposal{
			{Author: 0, Status: wire.ProposalStatusPassed, Voters: 2, Active: 3}, {Author: -1, Status: wire.ProposalStatusFailed, Voters: 3, Active: 3}, {Author: 1, Status: wire.ProposalStatusOpen},
		},
		Goals: []Goal{{Kind: "learn", Completed: true}, {Kind: "answer", Completed: true}, {Kind: "explore"}},
	}
	for _, n := range []struct {
		tick    uint64
		payload any
	}{
		{0, &wire.AccountCreatedEvent{Owner: agentN(0), InitialBalance: 100}},
		{0, &wire.AccountCreatedEvent{Owner: agentN(1), InitialBalance: 30}},
		{0, &wire.AccountCreatedEvent{Owner: agentN(2), InitialBalance: 30}},
		{0, bornAs(agentN(0))},
		{0, bornAs(agentN(1))},
		{0, bornAs(agentN(2))},
		{3, &wire.BountyCreatedEvent{BountyID: id(21), Reward: 20, Tick: 3}}, // before anybody could claim it
		{10, &wire.BountyCreatedEvent{BountyID: id(20), Reward: 10, Tick: 10}},
		{13, &wire.BountyClaimedEvent{BountyID: id(21), Tick: 13}},
		{15, &wire.BountyClaimedEvent{BountyID: id(20), Tick: 15}},
		{20, &wire.BountyCreatedEvent{BountyID: id(22), Reward: 30, Tick: 20}},
		{21, &wire.BountyClaimedEvent{BountyID: id(22), Tick: 21}},
		{23, &wire.EntryVerifiedEvent{EntryID: id(11), Verdict: wire.VerdictAccurate}},
		{24, &wire.EntryVerifiedEvent{EntryID: id(11), Verdict: wire.VerdictInaccurate}},
		{24, &wire.EntryVerifiedEvent{EntryID: id(12), Verdict: wire.VerdictAccurate}},
		{25, &wire.EntryUpdatedEvent{EntryID: id(11)}},
		{26, &wire.CitationAddedEvent{Target: id(11)}},
		{26, &wire.CitationAddedEvent{Target: id(11)}},
		{26, &wire.CitationAddedEvent{Target: id(10)}},
		{27, &wire.BountyRejectedEvent{BountyID: id(20)}},
		{30, &wire.AgentStatusChangeEvent{AgentID: agentN(2), OldStatus: wire.StatusActive, NewStatus: wire.StatusDormant, Reason: "nop_limit"}},
		{31, &wire.AgentStatusChangeEvent{AgentID: agentN(1), OldStatus: wire.StatusActive, NewStatus: wire.StatusDormant, Reason: "poverty"}},
		{31, &wire.SignalSentEvent{TargetID: id(11), Kind: wire.SignalKindDisagree}},
		{32, &wire.SignalSentEvent{TargetID: id(12), Kind: wire.SignalKindAgree}},
		{33, &wire.SignalSentEvent{TargetID: id(13), Kind: wire.SignalKindIncorrect}},
		{34, &wire.SignalSentEvent{TargetID: id(2), Kind: wire.SignalKindHelpful}},
		{35, &wire.AgentStatusChangeEvent{AgentID: agentN(2), OldStatus: wire.StatusDormant, NewStatus: wire.StatusActive, Reason: "mention"}},
		{39, &wire.BountyClaimedEvent{BountyID: id(20), Tick: 39}}, // again: the first claim counts
	} {
		r.Events = append(r.Events, Event{Tick: n.tick, Payload: n.payload})
	}
	return r
}

// bornAs is the end of an agent's warm-up.
func bornAs(id wire.AgentID) *wire.AgentStatusChangeEvent {
	return &wire.AgentStatusChangeEvent{AgentID: id, OldStatus: wire.StatusEmbryo, NewStatus: wire.StatusActive, Reason: "warmup"}
}

// wantSmall are the figures of small, reckoned by hand. Where there is none, why begins like this.
var wantSmall = map[string]struct {
	x   float64
	n   int
	why string
}{
	"act_entropy": {x: 2.446439, n: 10}, // 6 names: 1, 1, 1, 2, 2 and 3 of 10
	"act_top":     {x: .3, n: 10},
	"act_names":   {x: 6, n: 10},

	"signal_share":       {x: .1, n: 10},
	"signal_negative":    {x: .5, n: 4},
	"signal_information": {x: .918296, n: 3}, // no, yes, no of .7, .2, .9: each tells the other

	"questions_answered":   {x: .5, n: 2},
	"answers_per_question": {x: 1, n: 2},
	"first_answer_ticks":   {x: 1, n: 1},
	"texts_distinct":       {x: .5, n: 4},
	"questions_distinct":   {x: .5, n: 2},

	"titles_distinct":     {x: 2. / 3, n: 3},
	"titles_new_late":     {x: 1, n: 2},
	"updates_per_entry":   {x: 1. / 3, n: 3},
	"citations_per_entry": {x: 2. / 3, n: 3},
	"verdicts_per_entry":  {x: 1, n: 3},
	"entries_contested":   {x: 1, n: 1},
	"verdicts_right":      {why: "the tables hold no truth"},

	"specialised_agents": {x: .568418, n: 7}, // 1.270942 of 2.235926 bits
	"specialised_roles":  {x: .440636, n: 7}, // .985228 of 2.235926 bits
	"gini_productive":    {x: 2. / 21, n: 7}, // of 3, 2, 2
	"gini_answers":       {x: 1. / 3, n: 2},  // of 0, 1, 1
	"top_tenth":          {why: "only of populations"},

	"reciprocity":           {x: 0, n: 2},
	"reciprocity_over_null": {why: "no answer is returned in the rewired networks"},
	"reciprocity_pairs":     {x: 0, n: 2},
	"modularity_over_null":  {why: "only of populations"},

	"bounties_created":   {x: 100. / 9, n: 1},
	"bounties_completed": {x: .5, n: 2},
	"bounties_expired":   {x: .5, n: 2},
	"bounties_quiet_end": {x: 1, n: 3},
	"income_from_agents": {x: .25, n: 2}, // 20 of 80; what was paid in cycle 0 is no income
	"velocity":           {x: .25, n: 3},
	"gini_balances":      {x: 228. / 702, n: 3}, // of 15, 90, 129
	"ever_poor":          {x: 1. / 3, n: 3},
	"price_speed":        {x: -1, n: 3}, // 10, 20, 30 after 5, 3, 1 ticks

	"failed":    {x: 3. / 7, n: 7}, // two acts and a rejected delivery
	"recovered": {x: .5, n: 2},

	"proposals": {x: 200. / 9, n: 2},
	"turnout":   {x: 5. / 6, n: 2},
	"passed":    {x: 1, n: 1},

	"thoughts_per_act": {x: 2, n: 7}, // 10 acts and 4 idle slots
	"dormant_spells":   {x: 200. / 9, n: 2},
	"dormant_reason":   {x: .5, n: 2},
	"woken_by_others":  {x: 1, n: 1},

	"goal_changes":    {x: .4, n: 5},
	"goals_completed": {x: .5, n: 2},
	"drift":           {x: 1, n: 10}, // nothing of the first half comes again
	"reputation_pays": {why: "the run is shorter than ten cycles"},

	"ablation": {why: "takes pairs of runs"},
	"genome":   {why: "takes pairs of runs"},
}

func TestMeasure(t *testing.T) {
	values := small().Measure()
	if len(values) != len(wantSmall) {
		t.Errorf("%d measures, want %d", len(values), len(wantSmall))
	}
	for _, v := range values {
		want, known := wantSmall[v.Key]
		switch {
		case !known:
			t.Errorf("%s is not reckoned by hand", v.Key)
		case want.why != "":
			if len(v.Why) < len(want.why) || v.Why[:len(want.why)] != want.why {
				t.Errorf("%s: %v, why %q; want why %q", v.Key, v.X, v.Why, want.why)
			}
		case v.Why != "" || math.Abs(v.X-want.x) > 1e-6 || v.N != want.n:
			t.Errorf("%s: %v of %d (%s), want %v of %d", v.Key, v.X, v.N, v.Why, want.x, want.n)
		}
	}
}

// An agent that dies is not poor because the treasury takes what it had, and has no share in what the others have.
func TestMeasure_Dead(t *testing.T) {
	r := small()
	r.Agents[1].Status = wire.StatusDead // with 15, of 50 before the payment of its last tick
	r.Events = append(r.Events, Event{Tick: 26, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(1), OldStatus: wire.StatusActive, NewStatus: wire.StatusDead}})
	if got := everPoor(r); got.x != 0 || got.n != 3 || got.why != "" {
		t.Errorf("ever poor: %+v", got)
	}
	if got := giniBalances(r); got.n != 2 || math.Abs(got.x-39./438) > 1e-9 { // of 90, 129
		t.Errorf("Gini: %+v", got)
	}
}

// What a newcomer begins with is no income, whoever paid for it.
func TestMeasure_FirstFundIsNoIncome(t *testing.T) {
	r := small()
	income := incomeFromAgents(r)
	r.Agents[0].Spawned, r.Agents[1].Spawned = 27, 29
	r.Transactions = append(r.Transactions, Transaction{From: -1, To: 0, Amount: 500, Tick: 27}, Transaction{From: 2, To: 1, Amount: 60, Tick: 29})
	if got := incomeFromAgents(r); got != income {
		t.Errorf("with the funds of newcomers %+v of the income is from agents; want %+v as without", got, income)
	}
}

// What an operator grants and takes is no income and no expense: else a treatment would be measured as its own outcome. It still
// moves balances, which would not add up otherwise.
func TestMeasure_OperatorMoves(t *testing.T) {
	r := small()
	lives, income := r.Lives(), incomeFromAgents(r)
	r.Transactions = append(r.Transactions, Transaction{From: -1, To: 0, Amount: 500, Tick: 27, Operator: true}, Transaction{From: 2, To: -1, Amount: 80, Tick: 28, Operator: true})
	r.Agents[0].Balance, r.Agents[2].Balance = 629, 10
	if got := incomeFromAgents(r); got != income {
		t.Errorf("with an operator's grant %+v of the income is from agents; want %+v as without", got, income)
	}
	for i, l := range r.Lives() {
		if l.Rewarded != lives[i].Rewarded || l.Spent != lives[i].Spent {
			t.Errorf("agent %d was paid %d and paid %d; want %d and %d, as without an operator", i, l.Rewarded, l.Spent, lives[i].Rewarded, lives[i].Spent)
		}
	}
	if got := everPoor(r); got.why != "" || math.Abs(got.x-2./3) > 1e-9 {
		t.Errorf("ever poor: %+v; want two of three, one because an operator took its money", got)
	}
}

// Who was given too little is poor, whether or not anybody ever pays.
func TestMeasure_PoorFromTheStart(t *testing.T) {
	r := small()
	r.Transactions, r.Events = nil, []Event{{Payload: &wire.AccountCreatedEvent{Owner: agentN(0), InitialBalance: 19}}, {Payload: &wire.AccountCreatedEvent{Owner: agentN(1), InitialBalance: 20}}, {Payload: &wire.AccountCreatedEvent{Owner: agentN(2), InitialBalance: 21}}}
	for i := range r.Agents {
		r.Agents[i].Balance = int64(19 + i)
	}
	if got := everPoor(r); math.Abs(got.x-1./3) > 1e-9 || got.why != "" {
		t.Errorf("ever poor: %+v; want a third, the one with 19", got)
	}
}

// Where all agents are alike, nothing tells what a role or an agent does from what others do: there is no figure, not one of 0 that
// is out of its band.
func TestMeasure_SpecialisedTakesAChoice(t *testing.T) {
	r := small()
	for i := range r.Agents {
		r.Agents[i].Role = wire.RoleExplorer
	}
	if got := specialisedRoles(r); got.why != "all agents have the same role" {
		t.Errorf("of one role: %+v", got)
	}
	if got := specialisedAgents(r); got.why != "" || got.x <= 0 {
		t.Errorf("three agents of one role still differ: %+v", got)
	}
	r.Agents = r.Agents[:1]
	r.Acts = slices.DeleteFunc(r.Acts, func(a Act) bool { return a.Agent > 0 })
	if got := specialisedAgents(r); got.why != "there is only one agent" {
		t.Errorf("of one agent: %+v", got)
	}
}

// A run in which nothing happened has reasons, counts of 0, and no NaN.
func TestMeasure_EmptyRunHasReasonsAndNoNaN(t *testing.T) {
	for name, r := range map[string]*Run{
		"one agent":    {TicksPerCycle: 10, Last: 1, AgentCycles: 1, Agents: make([]Agent, 1)},
		"nobody lives": {TicksPerCycle: 10, Last: 1, Agents: make([]Agent, 1)},
		"a village":    {TicksPerCycle: 10, Last: 1, AgentCycles: Village, Agents: make([]Agent, Village)},
	} {
		for _, v := range r.Measure() {
			if math.IsNaN(v.X) || math.IsInf(v.X, 0) || v.X != 0 {
				t.Errorf("%s: %s is %v", name, v.Key, v.X)
			}
		}
	}
}

// Metrics 1 to 20 are all there, keys are told apart, and each has what a reader needs.
func TestCatalogue(t *testing.T) {
	keys, metric := map[string]bool{}, 0
	for _, m := range catalogue {
		if keys[m.Key] || m.Key == "" || m.Definition == "" || m.compute == nil {
			t.Errorf("%d %s: double or incomplete", m.Metric, m.Key)
		}
		keys[m.Key] = true
		if m.Metric != metric && m.Metric != metric+1 {
			t.Errorf("%s of metric %d follows metric %d", m.Key, m.Metric, metric)
		}
		metric = m.Metric
		for _, b := range []Band{m.Small, m.Large} {
			if !(b.Low <= b.High) {
				t.Errorf("%s: band %v", m.Key, b)
			}
		}
	}
	if metric != 20 {
		t.Errorf("the last metric is %d", metric)
	}
}

func TestValue_InIncludesBandEnds(t *testing.T) {
	v := Value{Band: between(1, 2)}
	for x, want := range map[float64]bool{0.99: false, 1: true, 2: true, 2.01: false} {
		if v.X = x; v.In() != want {
			t.Errorf("%v in %v: %t", x, v.Band, v.In())
		}
	}
	if v = (Value{Band: between(1, 2), X: 1, Why: "nothing"}); v.Judged() || v.In() {
		t.Error("what has no figure is not judged")
	}
	if v = (Value{Band: unbounded}); v.Judged() || v.In() {
		t.Error("what has no band is not judged")
	}
}

// Agents with a higher reputation at the end of cycle 5 win more in cycles 6 to 10.
func TestReputationPays_ComparesReputationWithLaterWins(t *testing.T) {
	r := &Run{TicksPerCycle: 10, Last: 10, Agents: []Agent{{ID: agentN(0)}, {ID: agentN(1)}, {ID: agentN(2)}}}
	note := func(tick uint64, payload any) { r.Events = append(r.Events, Event{Tick: tick, Payload: payload}) }
	for a, reputation := range []float32{.1, .2, .3} {
		note(uint64(20+a), &wire.ReputationUpdatedEvent{AgentID: agentN(a), OldReputation: .5, NewReputation: reputation})
	}
	note(50, &wire.BountyCompletedEvent{Claimer: agentN(0)}) // in cycle 5: too early to count
	note(61, &wire.BountyCompletedEvent{Claimer: agentN(1)})
	note(62, &wire.BountyCompletedEvent{Claimer: agentN(2)})
	note(99, &wire.BountyCompletedEvent{Claimer: agentN(2)})
	note(105, &wire.ReputationUpdatedEvent{AgentID: agentN(2), OldReputation: .3, NewReputation: .01}) // too late
	if f := reputationPays(r); f.why != "" || f.n != 3 || math.Abs(f.x-1) > 1e-12 {
		t.Errorf("%+v, want 1 of 3", f)
	}
}

func TestPool_AveragesRuns(t *testing.T) {
	row := func(x float64, why string) []Value {
		out := make([]Value, len(catalogue))
		for i := range out {
			out[i] = Value{Measure: &catalogue[i], Band: between(1, 3), X: x, N: 2, Why: why}
		}
		return out
	}
	pooled, err := Pool([][]Value{row(1, ""), row(5, ""), row(0, "nothing there")})
	if err != nil {
		t.Fatal(err)
	}
	p := pooled[0]
	if p.Runs != 2 || p.In != 1 || p.N != 4 || p.Mean != 3 || p.Min != 1 || p.Max != 5 || math.Abs(p.SD-math.Sqrt(8)) > 1e-12 || p.Why != "" || !p.MeanIn() {
		t.Errorf("%+v", p)
	}
	pooled, err = Pool([][]Value{row(0, "nothing there")})
	if p := pooled[0]; err != nil || p.Runs != 0 || p.Judged() || p.Why != "nothing there" {
		t.Errorf("%+v, %v", p, err)
	}
	pooled, err = Pool([][]Value{row(5, "")})
	if p := pooled[0]; err != nil || p.Runs != 1 || p.Mean != 5 || !math.IsNaN(p.SD) {
		t.Errorf("one run has no standard deviation: %+v, %v", p, err)
	}
	other := row(1, "")
	other[3].Band = between(0, 3)
	if _, err := Pool([][]Value{row(1, ""), other}); err != ErrMixed { //nolint:errorlint // returned as it is
		t.Errorf("%v", err)
	}
}

// Each figure is on the page that explains it, with its definition.
func TestCatalogue_IsOnThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/SOCIETY.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range catalogue {
		if !strings.Contains(string(page), "`"+m.Key+"` | "+m.Definition+" |") {
			t.Errorf("docs/SOCIETY.md does not explain %s: %s", m.Key, m.Definition)
		}
	}
}
