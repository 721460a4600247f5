package engine

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"kingdom/engine/journal"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world"
)

// genome is a small constructor for tests.
func genome(role wire.Role, risk, collab, depth, quality float32) wire.Genome {
	return wire.Genome{Role: role, Traits: wire.Traits{RiskTolerance: risk, Collaboration: collab, DepthVsBreadth: depth, QualityVsSpeed: quality}}
}

// eight is the initial population of epoch 0.
func eight() []wire.Genome {
	return []wire.Genome{
		genome(wire.RoleCompilerSmith, 0.3, 0.5, 0.2, 0.2), genome(wire.RoleCompilerSmith, 0.7, 0.3, 0.3, 0.6),
		genome(wire.RoleLibrarian, 0.4, 0.7, 0.5, 0.3), genome(wire.RoleLibrarian, 0.5, 0.6, 0.8, 0.4),
		genome(wire.RoleArchitect, 0.3, 0.8, 0.4, 0.1), genome(wire.RoleExplorer, 0.9, 0.4, 0.7, 0.7),
		genome(wire.RoleGeneralist, 0.5, 0.5, 0.5, 0.5), genome(wire.RoleGeneralist, 0.6, 0.6, 0.6, 0.4),
	}
}

// testConfig is a world of n agents with short cycles.
func testConfig(seed string, n int) Config {
	base := eight()
	genomes := make([]wire.Genome, n)
	for i := range genomes {
		genomes[i] = base[i%len(base)]
	}
	rules := world.Rules{
		Seed: wire.WorldSeed(seed), Calendar: wire.Calendar{TicksPerCycle: 128}, Population: uint64(n),
		BaseBudget: 16, MaxExtra: 112, InitialBalance: 100, WakeAfter: 2, AutoSpawn: n >= 4, ClaimLimit: 2, ClaimLease: 4, ClaimBar: 8,
		PairCycles: 16, AgoraText: 65_536, OracleText: 131_072, BudgetShare: 500, PopulationCap: uint64(n) + 8, ChannelFee: 5,
	}
	turn := ooda.DefaultRules(rules.Seed)
	turn.Calendar = rules.Calendar
	return Config{
		Name: "test", ScenarioDigest: wire.Hash{byte(n)}, SeedText: seed, Rules: rules, Turn: turn, Genomes: genomes,
		SignaturesLazy: true, SnapshotEvery: 3,
	}
}

// testMind makes mistakes, so that minds are also asked again.
func testMind(seed string) Mind {
	return scripted.New(wire.WorldSeed(seed), scripted.Knobs{MalformedRate: 0.1})
}

// result is what must not depend on circumstances.
type result struct {
	World, Agents, Chain wire.Hash
	Ticks, NOPs          uint64
}

func resultOf(e *Engine) result {
	return result{e.last.WorldHash, e.last.AgentsHash, e.last.Envelopes, e.last.AgentTicks, e.last.NOPs}
}

// mustRun starts a world and runs it to the end of a cycle.
func mustRun(t testing.TB, cfg Config, opt Options, until wire.Cycle) result {
	t.Helper()
	if opt.Mind == nil {
		opt.Mind = testMind(cfg.SeedText)
	}
	e, err := Start(t.Context(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), until); err != nil {
		t.Fatal(err)
	}
	r := resultOf(e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

// counter is an observer that counts.
type counter struct{ commits, cycles, nops int }

func (c *counter) Commit(m *Commit) {
	c.commits++
	for i := range m.Seats {
		if m.Seats[i].NOP != nil {
			c.nops++
		}
	}
}
func (c *counter) Cycle(*CycleReport) { c.cycles++ }

// The one promise: same scenario and seed, same bits, whatever the circumstances.
func TestEngine_DeterminismMatrix(t *testing.T) {
	const cycles = 6
	want := mustRun(t, testConfig("42", 8), Options{}, cycles)
	if want.Ticks == 0 || want.World.IsZero() {
		t.Fatalf("nothing happened: %+v", want)
	}
	for _, procs := range []int{1, 2, 8} {
		for _, lazy := range []bool{true, false} {
			for _, watched := range []bool{false, true} {
				name := fmt.Sprintf("procs=%d,lazy=%v,watched=%v", procs, lazy, watched)
				t.Run(name, func(t *testing.T) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					cfg := testConfig("42", 8)
					cfg.SignaturesLazy = lazy
					var opt Options
					seen := &counter{}
					if watched {
						opt.Observers = []Observer{seen}
						opt.Dir = t.TempDir()
						opt.Store = newMemStore()
					}
					if got := mustRun(t, cfg, opt, cycles); got != want {
						t.Errorf("got %+v, want %+v", got, want)
					}
					if watched && (seen.commits == 0 || seen.cycles != cycles+1) {
						t.Errorf("observer saw %+v", seen)
					}
				})
			}
		}
	}
	if got := mustRun(t, testConfig("43", 8), Options{}, cycles); got.World == want.World || got.Agents == want.Agents {
		t.Error("seed 43 gives the hashes of seed 42")
	}
}

func TestEngine_SeveralRunsEqualOne(t *testing.T) {
	want := mustRun(t, testConfig("42", 8), Options{}, 4)
	e, err := Start(t.Context(), testConfig("42", 8), Options{Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, until := range []wire.Cycle{1, 1, 3, 4} {
		sum, err := e.Run(context.Background(), until)
		if err != nil || sum.Cycles != uint64(until) {
			t.Fatalf("run to %d: %+v, %v", until, sum, err)
		}
	}
	if got := resultOf(e); got != want {
		t.Errorf("in steps %+v, at once %+v", got, want)
	}
}

// orders checks the order of seats in every commit.
type orders struct {
	t    *testing.T
	seed wire.Hash
	byID int // commits that happen to be in the order of ids
	all  int
}

func (o *orders) Cycle(*CycleReport) {}
func (o *orders) Commit(c *Commit) {
	key := func(a *SeatReport) string {
		b := append([]byte(nil), o.seed[:]...)
		b = binary.BigEndian.AppendUint64(b, uint64(c.Tick))
		h := sha256.Sum256(append(b, a.Agent[:]...))
		return string(h[:])
	}
	sorted := true
	for i := 1; i < len(c.Seats); i++ {
		if key(&c.Seats[i-1]) >= key(&c.Seats[i]) {
			o.t.Errorf("tick %d: seats %d and %d are out of order", c.Tick, i-1, i)
		}
		sorted = sorted && c.Seats[i-1].Agent.Compare(c.Seats[i].Agent) < 0
	}
	if o.all++; sorted {
		o.byID++
	}
}

// Commit order is ascending SHA-256(seed ‖ tick ‖ agent): fixed, and fair over time.
func TestEngine_CommitsInHashOrder(t *testing.T) {
	cfg := testConfig("42", 8)
	o := &orders{t: t, seed: cfg.Rules.Seed}
	mustRun(t, cfg, Options{Observers: []Observer{o}}, 3)
	if o.all == 0 || o.byID == o.all {
		t.Errorf("%d of %d commits are in the order of ids", o.byID, o.all)
	}
}

// A budget of b ticks gives the slots ⌊k·T/b⌋.
func TestClock_BudgetIsSpreadEvenlyOverCycle(t *testing.T) {
	for _, tc := range []struct{ budget, length uint64 }{{1, 256}, {3, 256}, {64, 256}, {100, 256}, {256, 256}, {7, 10}} {
		var got []uint64
		for pos := uint64(0); ; {
			off, ok := firstSlot(pos, tc.budget, tc.length)
			if !ok {
				break
			}
			if left := slotsLeft(off, tc.budget, tc.length); left != tc.budget-uint64(len(got)) {
				t.Errorf("%+v: %d slots left at offset %d, want %d", tc, left, off, tc.budget-uint64(len(got)))
			}
			got = append(got, off)
			pos = off + 1
		}
		var want []uint64
		for k := range tc.budget {
			want = append(want, k*tc.length/tc.budget)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: slots %v, want %v", tc, got, want)
		}
	}
}

// In a world in which agents do not hear all others, dormant agents keep following the same peers, whether the run was
// resumed while they slept or not.
func TestResume_LargerWorldWithDormantAgentsGivesSameHashes(t *testing.T) {
	const n, cycles = 40, 7
	cfg := testConfig("42", n)
	for i := range n / 3 {
		who := wire.IDOf(wire.AgentKey(cfg.Rules.Seed, uint64(3*i+1)).Public().(ed25519.PublicKey))
		cfg.Planned = append(cfg.Planned, Input{
			Kind: InputStatus, Status: wire.StatusDormant, Reason: "operator", Agent: who, Earliest: cfg.Rules.Calendar.First(3),
		})
	}
	want := mustRun(t, cfg, Options{Mind: testMind("42")}, cycles)
	opt := Options{Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42")}
	mustRun(t, cfg, opt, 4)
	e, err := Resume(t.Context(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.wakes.dormant == 0 {
		t.Fatal("nobody sleeps where the run is resumed; the test shows nothing")
	}
	if _, err := e.Run(t.Context(), cycles); err != nil {
		t.Fatal(err)
	}
	if got := resultOf(e); got != want {
		t.Errorf("resumed %+v, want %+v", got, want)
	}
}

// Planned inputs take effect once each, also when the run is cut between two of
// one boundary.
func TestResume_EachPlannedInputIsAppliedOnce(t *testing.T) {
	cfg := testConfig("42", 8)
	for _, index := range []uint64{2, 5, 7} {
		who := wire.IDOf(wire.AgentKey(cfg.Rules.Seed, index).Public().(ed25519.PublicKey))
		cfg.Planned = append(cfg.Planned, Input{
			Kind: InputStatus, Status: wire.StatusDormant, Reason: "operator", Agent: who, Earliest: cfg.Rules.Calendar.First(2),
		})
	}
	want := mustRun(t, cfg, Options{Mind: testMind("42")}, 4)
	for _, inputs := range []int{0, 1, 2, 3} {
		opt := Options{Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42")}
		mustRun(t, cfg, opt, 1)
		appendInputs(t, &cfg, opt.Dir, inputs)
		e, err := Resume(t.Context(), cfg, opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), 4); err != nil {
			t.Fatal(err)
		}
		if got := resultOf(e); got != want || e.count.inputSeq != 3 {
			t.Errorf("cut after %d inputs: %+v with %d inputs applied, want %+v with 3", inputs, got, e.count.inputSeq, want)
		}
		e.Close()
		if e, err = Resume(t.Context(), cfg, opt); err != nil {
			t.Fatal(err)
		}
		if sum, err := e.Run(t.Context(), 5); err != nil || sum.Inputs != 3 {
			t.Errorf("resumed when all are applied: %d inputs, %v", sum.Inputs, err)
		}
		e.Close()
	}
}

// appendInputs writes the first n planned inputs to the journal, as a run does that
// dies before it writes more.
func appendInputs(t *testing.T, cfg *Config, dir string, n int) {
	t.Helper()
	run := cfg.Identity()
	j, err := journal.Open(filepath.Join(dir, journalDir), run.digest(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		in := cfg.Planned[i]
		in.plan = uint64(i) + 1
		r := newInputRecord(&in, in.Earliest, uint64(i)+1)
		if err := j.PutSync(recordInput, func(b []byte) []byte { return inputCodec.Append(b, &r) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// Above 33 agents nobody hears everybody: subscriptions follow the peers that an agent knows best, also after a resume.
func TestResume_LargerWorldGivesSameHashes(t *testing.T) {
	const n, cycles = 40, 4
	want := mustRun(t, testConfig("42", n), Options{}, cycles)
	store, dir := newMemStore(), t.TempDir()
	opt := Options{Dir: dir, Store: store, Mind: testMind("42")}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	mustRun(t, testConfig("42", n), opt, 2)
	e, err := Resume(t.Context(), testConfig("42", n), opt)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Run(t.Context(), cycles); err != nil {
		t.Fatal(err)
	}
	if got := resultOf(e); got != want {
		t.Errorf("resumed %+v, want %+v", got, want)
	}
	if len(e.agents.seats[0].bestPeers) == 0 {
		t.Error("nobody was ranked")
	}
}
