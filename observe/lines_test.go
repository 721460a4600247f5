package observe

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/goals"
	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/wire/action"
)

// manyChanges is a tick in which all happens that logs tell of.
func manyChanges() *engine.Commit {
	ada, bob, eve := wire.AgentID{0xa}, wire.AgentID{0xb}, wire.AgentID{0xe}
	goal := &ooda.GoalRef{ID: wire.Hash{9}, Kind: goals.KindClaimBounty, Priority: 0.25}
	thought := ooda.ThinkRecord{
		Try: 1, Tier: llm.Tier2, Outcome: llm.Answered, Model: "m", Goal: goal, Affordances: 12, Action: "entry_get", Deciding: 1, Reasoning: "why not", Error: "cut", Fallback: true,
		Spent: llm.Spent{LatencyMS: 13, PromptTokens: 14, CachedTokens: 15, OutputTokens: 16, ReasoningTokens: 17, CostMicroUSD: 18, Estimated: true},
		Calls: make([]llm.Call, 2), Ignored: 3, Dropped: 4,
	}
	thought.Decided[0] = llm.Decided{Factor: llm.FactorWorth, Value: 0.75, Others: 0.5}
	ended := goals.Satisfaction{
		Goal: wire.Hash{8}, Kind: goals.KindClaimBounty, Domain: action.DomainLibrary, Completed: true, RewardActual: 20, RewardExpected: 21, ReputationDelta: 0.5, NoveltyScore: 0.25, Effort: 22,
	}
	lost := ended
	lost.Completed, lost.Reason, lost.ClosedBy = false, goals.Closed("CLAIMED"), eve
	return &engine.Commit{
		Cycle: 11, Tick: 1500,
		Seats: []engine.SeatReport{
			{Agent: ada, Role: wire.RoleLibrarian, Refused: "funds", Thinks: []ooda.ThinkRecord{thought, {Outcome: llm.TimedOut}}, Satisfaction: []goals.Satisfaction{ended, lost}},
			{Agent: bob, Role: wire.RoleArchitect, NOP: &ooda.NOPRecord{
				Reason: ooda.NOPChosen, Streak: 3, Goal: goal, Tier: llm.Tier1, Model: "m", Attempts: 2, Reasoning: "no", Error: "said", StatusFrom: wire.StatusActive, StatusTo: wire.StatusActive, Balance: 30, Reputation: 0.125,
			}},
			{Agent: eve, Role: wire.RoleLibrarian, NOP: &ooda.NOPRecord{Reason: ooda.NOPRest, Slots: 5, StatusFrom: wire.StatusActive, StatusTo: wire.StatusDormant, Balance: 31}, Faults: []error{
				&agent.Error{Kind: agent.KindWorkingMemoryOverflow, Agent: eve, Size: 9, Max: 8}, &agent.Error{Kind: agent.KindParseFailure, Agent: eve}, errors.New("another"),
			}},
			{Agent: wire.AgentID{0xc}, Role: wire.RoleLibrarian, NOP: &ooda.NOPRecord{Reason: ooda.NOPTimedOut}},
		},
		Events: []*wire.Event{
			{Payload: &wire.AgentNopWarningEvent{AgentID: bob}},
			{Payload: &wire.AgentNopWarningEvent{AgentID: ada}}, // it has no NOP in this tick
			{Payload: &wire.AgentNopWarningEvent{AgentID: wire.AgentID{1}}},
		},
		Inputs: []engine.InputReport{
			{Seq: 40, Do: "grant", Agent: ada, What: "50", File: "0001.yaml"},
			{Seq: 41, Do: "message", Refused: "nobody is there"},
		},
		Changes: []engine.StatusChange{
			{Agent: eve, Role: wire.RoleLibrarian, From: wire.StatusActive, To: wire.StatusDormant, Reason: "no_demand", Balance: 31},
			{Agent: ada, Role: wire.RoleLibrarian, From: wire.StatusActive, To: wire.StatusDead, Reason: "operator", Balance: 32, Reputation: 0.5},
			{Agent: wire.AgentID{1}, Role: wire.RoleLibrarian, From: wire.StatusActive, To: wire.StatusDormant, Reason: "operator", Balance: 35}, // it had no slot
		},
	}
}

func manyEnds() *engine.CycleReport {
	r := &engine.CycleReport{
		Row:     engine.CycleRow{Cycle: 11, Tick: 1535, Epoch: 2, WorldHash: wire.Hash{0xaa}, AgentsHash: wire.Hash{0xbb}, Active: 12, Dormant: 13, Dead: 14},
		Dropped: 15, QueueDropped: 16,
		Changes: []engine.StatusChange{
			{Agent: wire.AgentID{2}, Role: wire.RoleArchitect, From: wire.StatusEmbryo, To: wire.StatusActive, Reason: "warmup"},
			{Agent: wire.AgentID{3}, Role: wire.RoleArchitect, From: wire.StatusDormant, To: wire.StatusActive, Cause: wire.WakeTimer, Reason: "timer", Balance: 34, Reputation: 0.25},
			{Agent: wire.AgentID{1}, Role: wire.RoleLibrarian, From: wire.StatusDormant, To: wire.StatusActive, Cause: wire.WakeOperator, HoldEnded: true, Reason: "operator", Balance: 33},
			{Agent: wire.AgentID{4}, Role: wire.RoleArchitect, From: wire.StatusEmbryo, To: wire.StatusDead, Reason: "operator"},
		},
		Ended: []engine.GoalReport{{Agent: wire.AgentID{3}, Satisfaction: goals.Satisfaction{Goal: wire.Hash{7}, Kind: goals.KindClaimBounty, Domain: action.DomainReview}}},
	}
	r.Metrics = engine.MetricsRow{
		Agents: 17, VaultRepos: 18, OracleEntries: 19, CirculatingSupply: 20, Treasury: -21, Gini: 0.25, Velocity: 1.5e-7, OpenBounties: 22, CompletedBounties: 23, Transactions: 24,
		Messages: 25, NOPs: 26, AgentTicks: 27, Calls: 28, FailedCalls: 29, PromptTokens: 30, OutputTokens: 31, CostMicroUSD: 32,
	}
	return r
}

// Every kind of line, as stored and as people see it. The lines of a cycle are there when it has ended.
func TestLogs_EveryKindOfLine(t *testing.T) {
	dir := t.TempDir()
	logs, err := Open(dir, "test-42", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer logs.Close()
	logs.Spend(Spend{Cap: "agent 0a000000", Percent: 50, CapMicroUSD: 2_000_000, SpentMicroUSD: 1_000_000})
	logs.Commit(manyChanges())
	logs.Spend(Spend{Cap: "the run", Percent: 80, CapMicroUSD: 10_000_000, SpentMicroUSD: 8_100_000})
	logs.Cycle(manyEnds())
	logs.Cycle(&engine.CycleReport{Row: engine.CycleRow{Cycle: 12, Tick: 1663}})
	var out strings.Builder
	for _, l := range lines(t, dir, TailOptions{Names: map[wire.AgentID]string{{0xa}: "ada"}}) {
		_, rest, _ := bytes.Cut(l.JSON(), []byte(`,"run":"test-42",`))
		fmt.Fprintf(&out, "%s\n  {…%s\n", l.Text(), rest)
		if !bytes.HasPrefix(l.JSON(), []byte(`{"stream":"`+l.Stream.String()+`","ts":"`)) || l.Run() != "test-42" {
			t.Errorf("line %s of run %s", l.JSON(), l.Run())
		}
	}
	golden.File(t, "testdata/lines.txt", out.String())
}

// The row of a cycle is there when it has ended.
func TestMetrics_Row(t *testing.T) {
	dir := t.TempDir()
	m, err := OpenMetrics(dir, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	m.Cycle(manyEnds())
	got, err := os.ReadFile(MetricsPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := metricsHeading + "11,1535,2,aa" + strings.Repeat("0", 62) + ",17,12,13,14,27,26,25,24,22,23,19,18,20,-21,0.25,1.5e-07,15,28,29,30,31,32\n"
	if string(got) != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// logOf writes lines to a stream of a new directory.
func logOf(t *testing.T, s Stream, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	path := s.Path(dir)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Lines that no run of today writes are shown too: those of earlier versions, and what has no agent or no goal.
func TestLine_Text(t *testing.T) {
	for _, c := range []struct {
		stream     Stream
		line, want string
	}{
		{StreamNOP, `"class":"idle","reason":"of_another_version"`, "nop        idle: of_another_version"},
		{StreamNOP, `"class":"NOP","reason":"chosen","streak":2`, "nop        NOP 2 in a row: chose to do nothing"},
		{StreamDormancy, `"class":"rest","status_from":"ACTIVE","status_to":"DORMANT","reason":"no_demand"`, "dormancy   ACTIVE → DORMANT: no_demand, it did nothing productive in that cycle and the three or more before, 0 ⚡, reputation 0.000"},
		{StreamDormancy, `"status_from":"DORMANT","status_to":"ACTIVE","reason":"operator","hold_ended":false`, "dormancy   DORMANT → ACTIVE: operator, an operator woke it, 0 ⚡, reputation 0.000"},
		{StreamEngine, `"kind":"satisfaction","outcome":"completed"`, "engine     goal : completed, 0 ⚡"},
		{StreamEngine, `"kind":"of_another_version"`, "engine     of_another_version"},
		{StreamEngine, `"kind":"fault","error":"of agent 0a000000 and agent 0b000000"`, "engine     fault  (of agent ada (0a000000) and agent 0b000000)"},
		{StreamThink, `"outcome":"answered","action":"nop"`, "think      answered nop"},
		{StreamThink, `"agent":{"alias":"0a000000","id":"none"},"outcome":"answered","action":"nop"`, "think     0a000000  answered nop"},
	} {
		dir := logOf(t, c.stream, `{"cycle":0,"tick":1,`+c.line+"}\n")
		got := lines(t, dir, TailOptions{Streams: []Stream{c.stream}, Names: map[wire.AgentID]string{{0xa}: "ada"}})
		if len(got) != 1 || got[0].Text() != "cycle 0 tick 1  "+c.want {
			t.Errorf("%s is shown as %q, want %q", c.line, got[0].Text(), c.want)
		}
	}
}

func TestNamed_AddsNamesToAgents(t *testing.T) {
	names := map[wire.AgentID]string{{1}: "eve", {2}: "zoe", {2, 0, 0, 0, 1}: "ann", {2, 0, 0, 0, 2}: "kim"} // three have one alias
	const text = "agent 01000000, agent 02000000, agent 03000000 and agent 0100000"
	for range 20 { // in whatever order the names come
		if got, want := Named(text, names), "agent eve (01000000), agent ann (02000000), agent 03000000 and agent 0100000"; got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
	if got := Named(text, nil); got != text {
		t.Errorf("without names: %q", got)
	}
}

func TestNOPText_AddsTheMeaning(t *testing.T) {
	for reason, want := range map[string]string{"chosen": "chosen, chose to do nothing", "unknown": "unknown"} {
		if got := NOPText(reason); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Only lines of the stream of NOPs say that an agent began a rest.
func TestLine_Rest(t *testing.T) {
	for _, c := range []struct {
		stream Stream
		class  string
		want   bool
	}{{StreamNOP, "rest", true}, {StreamNOP, "idle", false}, {StreamDormancy, "rest", false}} {
		l := Line{Stream: c.stream}
		l.fields.Class = c.class
		if got := l.Rest(); got != c.want {
			t.Errorf("%s in %s: %t", c.class, c.stream, got)
		}
	}
}

// An agent is chosen by its alias or its id; lines without an agent are not among them.
func TestTail_ChoosesAnAgent(t *testing.T) {
	ada := wire.AgentID{0xa}
	line := func(tick int, id wire.AgentID) string {
		return fmt.Sprintf(`{"tick":%d,"agent":{"alias":%q,"id":%q}}`+"\n", tick, id.Alias(), id)
	}
	dir := logOf(t, StreamEngine, `{"tick":1}`+"\n"+line(2, ada)+line(3, wire.AgentID{0xb}))
	for _, agent := range []string{ada.Alias(), ada.String()} {
		if got := lines(t, dir, TailOptions{Agent: agent}); len(got) != 1 || got[0].Tick() != 2 {
			t.Errorf("of agent %s: %d lines", agent, len(got))
		}
	}
}

// The line of an agent that falls asleep names the NOPs of its last streak, and only those.
func TestTail_NamesTheLastStreak(t *testing.T) {
	nop := func(tick int, agent, class, reason string, streak int) string {
		return fmt.Sprintf(`{"tick":%d,"agent":%s,"class":%q,"reason":%q,"streak":%d}`+"\n", tick, agent, class, reason, streak)
	}
	const ada, bob = `{"alias":"a","id":"1"}`, `{"alias":"b","id":"2"}`
	dir := logOf(t, StreamNOP, nop(1, ada, "NOP", "parse_failed", 1)+nop(2, ada, "NOP", "chosen", 1)+nop(3, bob, "NOP", "no_affordance", 1)+
		nop(4, ada, "idle", "timed_out", 1)+nop(5, ada, "NOP", "parse_failed", 2)+nop(6, ada, "NOP", "chosen", 3)+nop(7, "null", "NOP", "chosen", 1))
	var sleep strings.Builder
	for i, agent := range []string{ada, `{"alias":"c","id":"3"}`, "null"} {
		fmt.Fprintf(&sleep, `{"tick":%d,"agent":%s,"reason":"nop_limit","status_from":"ACTIVE","status_to":"DORMANT"}`+"\n", 8+i, agent)
	}
	if err := os.WriteFile(StreamDormancy.Path(dir), []byte(sleep.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range lines(t, dir, TailOptions{Streams: []Stream{StreamDormancy}}) {
		got = append(got, l.streak)
	}
	if want := []string{"2 chosen, 1 parse_failed", "", ""}; strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("%q, want %q", got, want)
	}
}
