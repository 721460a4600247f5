package watch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/observe"
	"kingdom/wire"
)

// feedOf returns what a feed makes of the lines of logs.
func feedOf(t *testing.T, lines map[observe.Stream][]string) *feed {
	t.Helper()
	f := newFeed()
	err := observe.Tail(t.Context(), dirWith(t, lines), observe.TailOptions{Streams: []observe.Stream{observe.StreamEngine, observe.StreamNOP, observe.StreamDormancy}},
		func(l observe.Line) error { f.addLine(&l); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestItem_LevelOfLines(t *testing.T) {
	f := feedOf(t, map[observe.Stream][]string{
		observe.StreamNOP:      {nop(260, 1), strings.Replace(nop(264, 1), `"NOP"`, `"rest"`, 1)},
		observe.StreamDormancy: {change(268, "ACTIVE", "ACTIVE", "nop_warning"), change(272, "ACTIVE", "DORMANT", "nop_limit"), change(511, "DORMANT", "DEAD", "operator")},
		observe.StreamEngine:   {`{"ts":"x","run":"r","cycle":2,"tick":512,"kind":"input","input_seq":1,"input":"wake"}`, `{"ts":"x","run":"r","cycle":2,"tick":513,"kind":"fault","error":"full"}`},
	})
	for i, want := range []struct {
		level Level
		text  string
	}{
		{Routine, "aaaaaaaa LIBRARIAN NOP 1 in a row: chose to do nothing"}, // and nothing of the rest
		{Notable, "aaaaaaaa LIBRARIAN warning: 10 NOPs in a row"},
		{Notable, "aaaaaaaa LIBRARIAN ACTIVE → DORMANT: nop_limit"},
		{Critical, "aaaaaaaa LIBRARIAN DORMANT → DEAD: operator"},
		{Critical, "input wake"},
		{Notable, "fault (full)"},
	} {
		all := f.since(0, Routine, 100)
		if i >= len(all) {
			t.Fatalf("%d items, want more: %+v", len(all), all)
		}
		if it := all[i]; it.Level != want.level || !strings.HasPrefix(it.Text, want.text) {
			t.Errorf("item %d is %s %q, want %s %q", i, it.Level, it.Text, want.level, want.text)
		}
	}
	if n := len(f.since(0, Critical, 100)); n != 2 {
		t.Errorf("%d critical items, want 2", n)
	}
}

func TestItem_Events(t *testing.T) {
	anna, oracle, calendar := wire.AgentID{0xaa}, wire.SystemID(wire.SystemOracle), wire.Calendar{TicksPerCycle: 256}
	its := anna.Alias()
	for _, c := range []struct {
		payload any
		level   Level
		tick    wire.Tick
		agent   string
		text    string
	}{
		{&wire.EpochChangeEvent{NewEpoch: 1, Trigger: []byte("five repos"), Tick: 300}, Critical, 300, "", "epoch 1 begins: five repos"},
		{&wire.AgentStatusChangeEvent{AgentID: anna, OldStatus: wire.StatusActive, NewStatus: wire.StatusDead, Reason: "bankruptcy", Tick: 511}, Critical, 511, its, "anna ACTIVE → DEAD: bankruptcy"},
		{&wire.AgentStatusChangeEvent{AgentID: anna, OldStatus: wire.StatusActive, NewStatus: wire.StatusDormant, Reason: "no_demand", Tick: 400}, Notable, 400, its, "anna ACTIVE → DORMANT: no_demand"},
		{&wire.AgentNopWarningEvent{AgentID: anna, Streak: 10, Tick: 290}, Notable, 290, its, "anna warning: 10 NOPs in a row"},
		{&wire.AgentSpawnEvent{AgentID: anna, Role: wire.RoleLibrarian, SpawnTick: 410}, Notable, 410, its, "anna LIBRARIAN is born"},
		{&wire.ProposalResolvedEvent{TotalVoters: 5, QuorumMet: true, Passed: true}, Notable, 511, "", "proposal 00000000 passes (5 voters)"},
		{&wire.ProposalResolvedEvent{TotalVoters: 2, Passed: true}, Notable, 511, "", "proposal 00000000 lacks its quorum (2 voters)"},
		{&wire.ProposalResolvedEvent{TotalVoters: 6, QuorumMet: true}, Notable, 511, "", "proposal 00000000 is rejected (6 voters)"},
		{&wire.BountyCompletedEvent{Claimer: anna, Reward: 12, Tick: 320}, Notable, 320, its, "anna is paid 12 ⚡ for bounty 00000000"},
		{&wire.EntryPublishedEvent{Author: anna, Title: []byte("T"), Kind: wire.EntryKindAPI, Tick: 320}, Notable, 320, its, `anna publishes "T", API`},
		{&wire.EntryPublishedEvent{Author: oracle, Title: []byte("T"), Kind: wire.EntryKindAPI, Tick: 320}, Notable, 320, "", ""}, // a system is no agent
		{&wire.RegistryPublishedEvent{Author: anna, Name: []byte("maps"), Tick: 330}, Notable, 330, its, `anna publishes the repo "maps"`},
		{&wire.SandboxFaultedEvent{Fault: wire.FaultOutOfTicks, PC: 7}, Notable, 511, "", "a program faults: OUT_OF_TICKS in line 7, sandbox 00000000"},
		{&wire.BankruptcyWarningEvent{Agent: anna, Balance: -4}, Notable, 511, its, "anna owes 4 ⚡"},
		{&wire.BankruptcySevereEvent{Agent: anna, BudgetReductionPct: 50}, Notable, 511, its, "anna is nearly bankrupt and loses 50 % of its slots"},
		{&wire.InterventionProposedEvent{Kind: wire.InterventionKindStimulus, Reason: []byte("nobody pays")}, Critical, 511, "", "Mint proposes the intervention STIMULUS: nobody pays"},
		{&wire.InterventionAppliedEvent{Kind: wire.InterventionKindStimulus, Amount: 7}, Critical, 511, "", "Mint intervenes: STIMULUS of 7 ⚡"},
		{&wire.BigBangEvent{}, Critical, 511, "", "the world begins"},
	} {
		it := ofEvent(&Event{Cycle: 1, Payload: c.payload}, calendar, map[wire.AgentID]string{anna: "anna"})
		if it.Level != c.level || it.Tick != c.tick || it.Agent != c.agent || it.Source != "event" || it.Cycle != 1 || !strings.HasPrefix(it.Text, c.text) {
			t.Errorf("%T: %+v, want %s at %d about %q: %q", c.payload, it, c.level, c.tick, c.agent, c.text)
		}
	}
	for _, k := range Kinds(false) {
		if wire.NewEventPayload(k) == nil {
			t.Errorf("there is no payload of %s", k)
		}
		if text := ofEvent(&Event{Kind: k, Payload: wire.NewEventPayload(k)}, calendar, nil).Text; k != wire.KindBigBang && text == "the world begins" {
			t.Errorf("%s has no text of its own", k)
		}
	}
}

// The life of agents is told once: by the logs if there are any, else by events.
func TestKinds_LifeOfAgents(t *testing.T) {
	for _, k := range []wire.EventKind{wire.KindAgentStatusChange, wire.KindAgentNopWarning} {
		if slices.Contains(Kinds(true), k) || !slices.Contains(Kinds(false), k) {
			t.Errorf("%s: in events of a run with logs %t, without %t", k, slices.Contains(Kinds(true), k), slices.Contains(Kinds(false), k))
		}
	}
	if !slices.Contains(Kinds(true), wire.KindEpochChange) || !slices.Contains(Kinds(false), wire.KindEpochChange) {
		t.Error("what no log tells is missing")
	}
}

// An agent is stuck from its third NOP in a row on, until it acts, falls asleep or has no streak at the end of a cycle.
func TestFeed_WhoIsStuck(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines map[observe.Stream][]string
		act   wire.Cycle // end of a cycle at which the agent has no streak; 0: none
		want  uint32     // its streak; 0: it is not stuck
	}{
		{"two", map[observe.Stream][]string{observe.StreamNOP: {nop(256, 1), nop(260, 2)}}, 0, 0},
		{"three", map[observe.Stream][]string{observe.StreamNOP: {nop(256, 1), nop(260, 2), nop(264, 3)}}, 0, 3},
		{"five", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3), nop(268, 4), nop(272, 5)}}, 0, 5},
		{"acted in between", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3), nop(272, 1)}}, 0, 0},
		{"fell asleep", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3)}, observe.StreamDormancy: {change(268, "ACTIVE", "DORMANT", "nop_limit")}}, 0, 0},
		{"warned", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3)}, observe.StreamDormancy: {change(264, "ACTIVE", "ACTIVE", "nop_warning")}}, 0, 3},
		{"acted by the end of the cycle", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3)}}, 1, 0},
		{"stuck in the cycle after", map[observe.Stream][]string{observe.StreamNOP: {nop(520, 3)}}, 1, 3},
	} {
		f := feedOf(t, c.lines)
		if c.act > 0 {
			f.act(c.act, map[string]bool{alias: true})
		}
		got := uint32(0)
		if now := f.stuckNow(); len(now) > 0 {
			got = now[0].Streak
		}
		if got != c.want {
			t.Errorf("%s: streak %d, want %d", c.name, got, c.want)
		}
	}
}

func TestFeed_KeepsTheNewest(t *testing.T) {
	f := newFeed()
	f.add(Item{Level: Critical, Text: "old"})
	for i := range 3 * kept {
		f.add(Item{Level: Routine, Text: fmt.Sprint(i)})
	}
	if n := len(f.items[Routine]); n < kept || n >= 2*kept {
		t.Errorf("%d routine items are kept, want %d to %d", n, kept, 2*kept)
	}
	if got := f.since(0, Critical, 10); len(got) != 1 || got[0].Text != "old" || got[0].Number != 1 {
		t.Errorf("routine items replaced the critical one: %+v", got)
	}
	got := f.since(3*kept-1, Routine, 10)
	if len(got) != 2 || got[1].Number != 3*kept+1 {
		t.Errorf("since item %d: %+v", 3*kept-1, got)
	}
	if got := f.since(0, Routine, 3); len(got) != 3 || got[2].Number != 3*kept+1 {
		t.Errorf("the newest three: %+v", got)
	}
}

// Who is stuck for longest comes first; of equals the one that is so since an earlier tick, then by name.
func TestFeed_StuckLongestFirst(t *testing.T) {
	f := newFeed()
	for _, s := range []Stuck{{Agent: "d", Streak: 3, Tick: 9}, {Agent: "b", Streak: 3, Tick: 8}, {Agent: "c", Streak: 3, Tick: 9}, {Agent: "e", Streak: 5, Tick: 12}, {Agent: "a", Streak: 4, Tick: 11}} {
		f.stuck[s.Agent] = s
	}
	var got string
	for _, s := range f.stuckNow() {
		got += s.Agent
	}
	if got != "eabcd" {
		t.Errorf("%s, want eabcd", got)
	}
}

// Who waits for a change is woken by an item, and not by none.
func TestFeed_WakesForItems(t *testing.T) {
	f := newFeed()
	for n := range 2 {
		changed := f.changed
		f.add(make([]Item, n)...)
		if woken := isClosed(changed); woken != (n > 0) {
			t.Errorf("%d items: woken %t", n, woken)
		}
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
