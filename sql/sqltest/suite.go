package sqltest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/llm"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// Store is a store as the commands use it.
type Store interface {
	engine.Store
	Bind(ctx context.Context, r engine.RunRow) error
	Last(ctx context.Context) (c wire.Cycle, ok bool, err error)
	Busy(ctx context.Context) (bool, error)
	CallTotals(ctx context.Context, first, last wire.Cycle) ([]table.CallTotal, error)
	EventsOf(ctx context.Context, c wire.Cycle, kind wire.EventKind) ([][]byte, error)
	Query(ctx context.Context, sql string, args []any, rows func(table.Cursor) error) error
	Select(ctx context.Context, sql string, limit int, each func(columns []string, values []any) error) (columns []string, err error)
}

// tableMaker is a store that makes some of its tables only when it is asked to.
type tableMaker interface {
	MakeTables(ctx context.Context, progress func(through, last wire.Cycle)) error
}

// WithTables makes the tables of a store that has not made them.
func WithTables(t testing.TB, s Store) Store {
	t.Helper()
	if m, ok := s.(tableMaker); ok {
		must(t, m.MakeTables(t.Context(), func(_, _ wire.Cycle) {}))
	}
	return s
}

// Database opens one database, again and again.
type Database func(t testing.TB) Store

// Run is the suite. fresh makes an empty database.
func Run(t *testing.T, fresh func(t testing.TB) Database) {
	for name, test := range map[string]func(t *testing.T, open Database){
		"empty":          testEmpty,
		"round trip":     testRoundTrip,
		"upsert, delete": testUpsertDelete,
		"atomic":         testAtomic,
		"cancelled":      testCancelled,
		"one world":      testOneWorld,
		"order":          testOrder,
		"restore world":  testRestoreWorld,
		"restore agent":  testRestoreAgent,
		"load agent":     testLoadAgent,
		"calls":          testCalls,
		"windows":        testWindows,
		"past":           testPast,
		"read beside":    testReadBeside,
		"select":         testSelect,
	} {
		t.Run(name, func(t *testing.T) { test(t, fresh(t)) })
	}
}

func testEmpty(t *testing.T, open Database) {
	s := open(t)
	im, err := s.Load(t.Context())
	if err != nil || im != nil {
		t.Errorf("Load of an empty database = %v, %v; want nil, nil", im, err)
	}
	if r, err := s.LoadAgent(t.Context(), ID(0)); err != nil || !r.Empty() {
		t.Errorf("LoadAgent of an unknown agent = %v, %v; want nothing", r, err)
	}
	if c, err := s.Cycles(t.Context(), 0, 99); err != nil || len(c) != 0 {
		t.Errorf("Cycles of an empty database = %v, %v; want none", c, err)
	}
	must(t, s.Bind(t.Context(), World))
	other := World
	other.Seed = "43"
	must(t, s.Bind(t.Context(), other)) // a start that failed leaves nothing, so another world may begin
	if _, ok, err := s.Last(t.Context()); err != nil || ok {
		t.Errorf("Last of an empty database = %v, %v", ok, err)
	}
	if busy, err := s.Busy(t.Context()); err != nil || !busy {
		t.Errorf("Busy of a database that is open for a run = %v, %v", busy, err)
	}
	if im, err := s.Load(t.Context()); err != nil || im != nil {
		t.Errorf("Load of a bound database without cycles = %v, %v; want nil, nil", im, err)
	}
}

func testRoundTrip(t *testing.T, open Database) {
	s := open(t)
	b := Batch(0, 3)
	must(t, s.CommitCycle(t.Context(), b))
	same(t, "Load", Image(b), load(t, s))

	must(t, s.Close())
	s = open(t)
	must(t, s.Bind(t.Context(), World))
	same(t, "Load after opening again", Image(b), load(t, s))

	c, err := s.Cycles(t.Context(), 0, 1<<63)
	must(t, err)
	same(t, "Cycles", []engine.CycleRow{b.Cycle}, c)
	first := slices.IndexFunc(b.Rows, func(r world.Row) bool { return r.Table == "notes" })
	same(t, "ChainRows below 1", b.Rows[first:first+1], chainRows(t, s, wire.SystemAgora, "notes", 0, 1))
}

func testUpsertDelete(t *testing.T, open Database) {
	s := open(t)
	first, second := Batch(0, 2), Batch(1, 2)
	must(t, s.CommitCycle(t.Context(), first))

	// Agent 0 drops the belief of the first cycle and one that is new and gone at
	// once; its first experience learns its outcome late. A world row goes.
	i := slices.IndexFunc(second.Minds, func(r agent.Rows) bool { return r.Memory.AgentID == ID(0) })
	old := first.Minds[i]
	second.Minds[i].DeletedBeliefs = []uint64{old.Beliefs[0].ID, old.Beliefs[0].ID + 77}
	brief := old.Beliefs[0]
	brief.ID += 77
	second.Minds[i].Beliefs = append([]agent.BeliefRow{brief}, second.Minds[i].Beliefs...)
	late := old.Experiences[1]
	late.Outcome, late.Lesson = 1, []byte("it failed")
	second.Minds[i].Experiences = append([]agent.ExperienceRow{late}, second.Minds[i].Experiences...)
	done := old.Goals[0]
	done.Status = 2
	second.Minds[i].Goals = append(second.Minds[i].Goals, done)
	second.Rows = append(second.Rows, world.Row{System: wire.SystemNexus, Table: "marks", Key: []byte{0xFF}})
	// A key that a batch holds twice counts as it stands last.
	second.Rows = append(second.Rows, world.Row{System: wire.SystemMint, Table: "names", Key: []byte("name"), Body: []byte("y")})
	second.Rows = append(second.Rows, world.Row{System: wire.SystemMint, Table: "names", Key: []byte("back")},
		world.Row{System: wire.SystemMint, Table: "names", Key: []byte("back"), Body: []byte("again")})
	must(t, s.CommitCycle(t.Context(), second))

	im := load(t, s)
	same(t, "cycle", second.Cycle, im.Cycle)
	same(t, "heads", second.Heads, im.Heads)
	if slices.ContainsFunc(im.Rows, func(r world.Row) bool { return len(r.Key) == 1 && r.Key[0] == 0xFF }) {
		t.Error("a deleted world row is still there")
	}
	names := slices.DeleteFunc(slices.Clone(im.Rows), func(r world.Row) bool { return r.Table != "names" })
	same(t, "names", []world.Row{
		{System: wire.SystemMint, Table: "names", Key: []byte("back"), Body: []byte("again")},
		{System: wire.SystemMint, Table: "names", Key: []byte("name"), Body: []byte("y")},
	}, names)
	if n := len(im.Rows); n != 4+9 {
		t.Errorf("%d world rows, want 4 that change and 9 that are queried too", n)
	}
	testChainRows(t, s, slices.Concat(first.Rows, second.Rows))
	got := im.Minds[i]
	same(t, "beliefs", second.Minds[i].Beliefs[1:], got.Beliefs)
	same(t, "experiences", []agent.ExperienceRow{old.Experiences[0], late, second.Minds[i].Experiences[1], second.Minds[i].Experiences[2]}, got.Experiences)
	same(t, "state", second.Minds[i].State, got.State)
	if len(got.Goals) != 3 || slices.ContainsFunc(got.Goals, func(g agent.GoalRow) bool { return g.ID == done.ID }) {
		t.Errorf("goals loaded: %d, want the 3 living ones", len(got.Goals))
	}
	if n := count(t, WithTables(t, s), "SELECT count(*) FROM agent.goals", "SELECT count(*) FROM agent_goals"); n != 8 {
		t.Errorf("%d goals stored, want all 8", n)
	}
}

// testCalls adds up what calls took, by agent and model, in some cycles.
func testCalls(t *testing.T, open Database) {
	s := open(t)
	for c := range wire.Cycle(3) {
		must(t, s.CommitCycle(t.Context(), Batch(c, 2)))
	}
	for cycles, want := range map[[2]wire.Cycle]table.CallTotal{
		{0, 0}: {Calls: 2, Failed: 1, Spent: llm.Spent{LatencyMS: 7, PromptTokens: 20, CachedTokens: 5, OutputTokens: 8, ReasoningTokens: 3, CostMicroUSD: 9, Estimated: true}},
		{1, 2}: {Calls: 4, Failed: 2, Spent: llm.Spent{LatencyMS: 14, PromptTokens: 40, CachedTokens: 10, OutputTokens: 16, ReasoningTokens: 6, CostMicroUSD: 10 + 11, Estimated: true}},
		{0, 9}: {Calls: 6, Failed: 3, Spent: llm.Spent{LatencyMS: 21, PromptTokens: 60, CachedTokens: 15, OutputTokens: 24, ReasoningTokens: 9, CostMicroUSD: 9 + 10 + 11, Estimated: true}},
	} {
		want.Agent, want.Model = ID(1), "m"
		got, err := s.CallTotals(t.Context(), cycles[0], cycles[1])
		must(t, err)
		same(t, "calls", []table.CallTotal{want}, got)
	}
}

func testAtomic(t *testing.T, open Database) {
	s := open(t)
	b := Batch(0, 2)
	must(t, s.CommitCycle(t.Context(), b))
	broken := Batch(1, 2)
	broken.Minds = append(broken.Minds, Mind(1, 5)) // an agent that nexus.agents does not have
	if err := s.CommitCycle(t.Context(), broken); err == nil {
		t.Fatal("rows of an unknown agent were accepted")
	}
	same(t, "Load after a failed commit", Image(b), load(t, s))
	must(t, s.CommitCycle(t.Context(), Batch(1, 2)))
}

func testCancelled(t *testing.T, open Database) {
	s := open(t)
	b := Batch(0, 2)
	must(t, s.CommitCycle(t.Context(), b))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.CommitCycle(ctx, Batch(1, 2)); !errors.Is(err, context.Canceled) {
		t.Errorf("commit with a cancelled context = %v, want context.Canceled", err)
	}
	same(t, "Load after a cancelled commit", Image(b), load(t, s))
	must(t, s.CommitCycle(t.Context(), Batch(1, 2)))
}

func testOneWorld(t *testing.T, open Database) {
	s := open(t)
	must(t, s.Bind(t.Context(), World))
	must(t, s.Bind(t.Context(), World))
	must(t, s.CommitCycle(t.Context(), Batch(0, 2)))
	for what, change := range map[string]func(r *engine.RunRow){
		"scenario": func(r *engine.RunRow) { r.Scenario = "other" },
		"digest":   func(r *engine.RunRow) { r.Digest[0]++ },
		"seed":     func(r *engine.RunRow) { r.Seed = "43" },
		"physics":  func(r *engine.RunRow) { r.Physics++ },
	} {
		other := World
		change(&other)
		var bad *table.WorldError
		if err := s.Bind(t.Context(), other); !errors.As(err, &bad) || bad.Have != World {
			t.Errorf("Bind with another %s = %v, want a WorldError", what, err)
		}
		b := Batch(1, 2)
		b.Run = other
		if err := s.CommitCycle(t.Context(), b); !errors.As(err, &bad) {
			t.Errorf("CommitCycle with another %s = %v, want a WorldError", what, err)
		}
	}
}

func testOrder(t *testing.T, open Database) {
	s := open(t)
	must(t, s.CommitCycle(t.Context(), Batch(4, 2))) // a fork begins later than 0
	for _, c := range []wire.Cycle{4, 6, 3} {
		if err := s.CommitCycle(t.Context(), Batch(c, 2)); err == nil {
			t.Errorf("cycle %d was accepted after cycle 4", c)
		}
	}
	must(t, s.CommitCycle(t.Context(), Batch(5, 2)))
	if last, ok, err := s.Last(t.Context()); err != nil || !ok || last != 5 {
		t.Errorf("Last = %d, %v, %v; want 5", last, ok, err)
	}
	c, err := s.Cycles(t.Context(), 4, 5)
	must(t, err)
	same(t, "Cycles", []engine.CycleRow{Cycle(4), Cycle(5)}, c)
}

func testLoadAgent(t *testing.T, open Database) {
	s := open(t)
	b := Batch(0, 3)
	must(t, s.CommitCycle(t.Context(), b))
	for i, want := range Image(b).Minds {
		got, err := s.LoadAgent(t.Context(), want.Memory.AgentID)
		must(t, err)
		same(t, "LoadAgent "+string(rune('0'+i)), want, got)
	}
}

// testWindows stores more than a loaded agent remembers.
func testWindows(t *testing.T, open Database) {
	s := open(t)
	b := Batch(0, 2)
	m := &b.Minds[0]
	id := m.Memory.AgentID
	m.Experiences, m.Plans = nil, nil
	for i := range uint64(600) {
		m.Experiences = append(m.Experiences, agent.ExperienceRow{ID: 1<<50 + i, AgentID: id, Tick: wire.Tick(i / 3), Action: []byte{}, Lesson: []byte{}})
	}
	for i := range uint64(40) {
		m.Plans = append(m.Plans, agent.PlanRow{ID: 1<<50 + i, AgentID: id, Steps: []byte{}, Dependencies: []byte{}, Status: 2 + uint8(i%2)})
	}
	m.Plans[0].Status = 0 // the oldest one is still a draft
	must(t, s.CommitCycle(t.Context(), b))

	want := *m
	want.Experiences = m.Experiences[88:]
	want.Plans = append([]agent.PlanRow{m.Plans[0]}, m.Plans[8:]...)
	got, err := s.LoadAgent(t.Context(), id)
	must(t, err)
	same(t, "LoadAgent", want, got)
	same(t, "Load", want, load(t, s).Minds[0])
}

// testReadBeside reads while a commit is under way: readers see whole cycles.
func testReadBeside(t *testing.T, open Database) {
	s := open(t)
	must(t, s.CommitCycle(t.Context(), Batch(0, 2)))
	done := make(chan error, 1)
	go func() {
		var err error
		for c := wire.Cycle(1); c < 6 && err == nil; c++ {
			err = s.CommitCycle(t.Context(), Batch(c, 20))
		}
		done <- err
	}()
	for {
		im := load(t, s)
		if len(im.Heads) != 2 || im.Heads[1].Count != uint64(im.Cycle.Cycle)+1 {
			t.Errorf("read of cycle %d with %d slips: a torn cycle", im.Cycle.Cycle, im.Heads[1].Count)
		}
		select {
		case err := <-done:
			must(t, err)
			return
		default:
		}
	}
}

// Image is what a database that holds only b must load.
func Image(b *engine.Batch) *engine.Image {
	im := &engine.Image{Run: b.Run, Cycle: b.Cycle, Heads: b.Heads, Minds: b.Minds}
	for _, r := range b.Rows {
		if !r.Chain {
			im.Rows = append(im.Rows, r)
		}
	}
	return im
}

func chainRows(t testing.TB, s Store, system wire.System, table string, from, to uint64) (out []world.Row) {
	t.Helper()
	must(t, s.ChainRows(t.Context(), system, table, from, to, func(r world.Row) error {
		out = append(out, r)
		return nil
	}))
	return out
}

// testChainRows reads parts of a chain of which rows holds all records.
func testChainRows(t testing.TB, s Store, rows []world.Row) {
	t.Helper()
	const system, table = wire.SystemAgora, "notes"
	rows = slices.DeleteFunc(slices.Clone(rows), func(r world.Row) bool {
		return !r.Chain || r.System != system || r.Table != table
	})
	n := uint64(len(rows))
	if n < 2 {
		t.Fatalf("%d records of a chain, want some to choose from", n)
	}
	same(t, "ChainRows, all", rows, chainRows(t, s, system, table, 0, 1<<63))
	same(t, "ChainRows, the last", rows[n-1:], chainRows(t, s, system, table, n-1, n))
	same(t, "ChainRows, none", []world.Row(nil), chainRows(t, s, system, table, n, n+9))
	enough := errors.New("enough")
	seen := 0
	if err := s.ChainRows(t.Context(), system, table, 0, n, func(world.Row) error { seen++; return enough }); !errors.Is(err, enough) || seen != 1 {
		t.Errorf("ChainRows went on to record %d after the error: %v", seen, err)
	}
}

func load(t testing.TB, s Store) *engine.Image {
	t.Helper()
	im, err := s.Load(t.Context())
	must(t, err)
	if im == nil {
		t.Fatal("Load found no world")
	}
	return im
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, d)
	}
}
