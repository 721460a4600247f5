package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kingdom/agent"
	"kingdom/engine/journal"
	"kingdom/goals"
	"kingdom/internal/golden"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world"
)

// historiesDir holds a history per physics version. With one command,
//
//	go test ./engine -run 'TestHistories|TestTranscripts' -update
//
// that of the newest is recorded anew, and those of older ones are left alone: they are
// what people have on their disks. A change of behaviour that is meant moves it, and the
// commit says why (docs/DETERMINISM.md).
const historiesDir = "testdata/histories"

// recipe is the config.json of a committed history: all that decides it, written
// out, so that no default of today reaches it.
type recipe struct {
	Cycles      uint64
	Rules       rulesRecipe
	Turn        turnRecipe
	Limits      agent.Limits
	Genomes     []wire.Genome
	OnOutage    Outage
	GoalAt      wire.Tick // one planned input: a goal,
	GoalFor     uint64    // for the agent with this spawn index,
	GoalText    string    // that says this
	TimeOutFor  uint64    // the spawn index whose first thought in
	TimeOutFrom wire.Tick // or after this tick times out
}

// rulesRecipe writes the seed as text.
type rulesRecipe struct {
	world.Rules
	Seed string
}

// turnRecipe leaves out what follows from the rest, and writes systems as numbers.
type turnRecipe struct {
	ooda.Rules
	Systems   []int
	WorldSeed *bool `json:",omitempty"` // never there
	Names     *bool `json:",omitempty"` // never there
	MainRoot  *bool `json:",omitempty"` // never there
}

// newRecipe is the world whose history is recorded: four agents, two cycles.
func newRecipe() *recipe {
	cfg := testConfig("42", 4)
	cfg.Rules.Calendar.TicksPerCycle, cfg.Rules.BaseBudget, cfg.Rules.MaxExtra = 92, 12, 80
	cfg.Turn.Calendar, cfg.Turn.MaxBuyTicks = cfg.Rules.Calendar, 80
	r := &recipe{
		Cycles: 2, Rules: rulesRecipe{cfg.Rules, cfg.SeedText}, Turn: turnRecipe{Rules: cfg.Turn},
		Limits: agent.DefaultLimits, Genomes: cfg.Genomes, OnOutage: OutageIdle,
		GoalAt: 92 + 40, GoalFor: 3, GoalText: "greet the others", TimeOutFor: 2, TimeOutFrom: 92,
	}
	for _, s := range cfg.Turn.Systems {
		r.Turn.Systems = append(r.Turn.Systems, int(s))
	}
	return r
}

func (r *recipe) config() Config {
	rules, turn := r.Rules.Rules, r.Turn.Rules
	rules.Seed = wire.WorldSeed(r.Rules.Seed)
	turn.WorldSeed, turn.Systems = rules.Seed, nil
	for _, s := range r.Turn.Systems {
		turn.Systems = append(turn.Systems, wire.System(s))
	}
	who := wire.AgentIDAt(rules.Seed, r.GoalFor)
	goal := goals.New(who, goals.LayerTask, goals.SourceSocial, goals.Description{Kind: goals.KindOperator, Text: r.GoalText}, r.GoalAt)
	return Config{
		Name: "recorded", ScenarioDigest: wire.Hash{1}, SeedText: r.Rules.Seed, Rules: rules, Turn: turn,
		Limits: r.Limits, Genomes: r.Genomes, Cycles: r.Cycles, OnOutage: r.OnOutage, SignaturesLazy: true,
		Planned: []Input{{Kind: InputGoal, Earliest: r.GoalAt, Agent: who, Goal: &goal}},
	}
}

// late is a mind that cannot be recomputed and once gives no answer in time.
type late struct {
	Mind
	agent wire.AgentID
	tick  wire.Tick // of the thought that times out
}

func (l *late) Recomputable(wire.Cycle) bool { return false }

func (l *late) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.ID == l.agent && p.Tick == l.tick {
		return llm.Thought{Outcome: llm.TimedOut, Error: "no answer within 30s"}, nil
	}
	return l.Mind.Think(ctx, p)
}

// mind is the recorder's; its mistakes put second tries into the history.
func (r *recipe) mind() Mind {
	rules := r.config().Rules
	slot := wire.Tick(0)
	for k := uint64(0); slot < r.TimeOutFrom; k++ {
		slot = rules.Calendar.First(1) + wire.Tick(k*rules.Calendar.TicksPerCycle/rules.BaseBudget)
	}
	return &late{
		Mind:  scripted.New(rules.Seed, scripted.Knobs{MalformedRate: 0.1}),
		agent: wire.AgentIDAt(rules.Seed, r.TimeOutFor), tick: slot,
	}
}

// A committed history replays to the recorded hashes without asking any mind,
// whatever has changed in the code since.
func TestHistories_ReplayWithoutAMind(t *testing.T) {
	if golden.Updating() {
		recordHistory(t, filepath.Join(historiesDir, fmt.Sprintf("physics%d", Physics)))
	}
	dirs, err := filepath.Glob(filepath.Join(historiesDir, "physics*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no histories are committed: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var r recipe
			readJSON(t, filepath.Join(dir, "config.json"), &r)
			store := newMemStore()
			store.cycles = readCycles(t, filepath.Join(dir, "cycles.json"))
			cfg := r.config()
			if _, err := fmt.Sscanf(filepath.Base(dir), "physics%d", &cfg.Physics); err != nil {
				t.Fatal(err)
			}
			sum, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: unasked{t}})
			if err != nil {
				t.Fatalf("%v\nif the change of behaviour is meant: go test ./engine -run 'TestHistories|TestTranscripts' -update, and say why in the commit", err)
			}
			if want := store.cycles[r.Cycles]; sum.Cycles != r.Cycles || sum.WorldHash != want.WorldHash || sum.AgentsHash != want.AgentsHash || sum.Inputs != 1 {
				t.Errorf("replayed to %+v, recorded was %+v", sum, want)
			}
			if got := contents(t, dir, &cfg); got[recordThought] < 40 || got[recordInput] != 1 || got[recordCycle] != int(r.Cycles)+1 || got[timedOut] != 1 || got[again] == 0 {
				t.Errorf("the history holds %v records by kind: it must hold thoughts, second tries, one time-out, one input and %d cycles", got, r.Cycles+1)
			}
		})
	}
}

// unasked is a mind for replays: it fails the test when it is asked.
type unasked struct{ t *testing.T }

func (u unasked) Think(_ context.Context, p *llm.Prompt) (llm.Thought, error) {
	u.t.Errorf("the mind of agent %s was asked at tick %d, try %d", p.ID.Alias(), p.Tick, p.Try)
	return llm.Thought{}, errors.New("a replay asks no mind")
}

// Kinds that contents counts beside those of the journal.
const (
	timedOut recordKind = iota + 100
	again
)

// contents counts the records of a history by kind.
func contents(t *testing.T, dir string, cfg *Config) map[recordKind]int {
	t.Helper()
	run := cfg.Identity()
	h, err := openHistory(filepath.Join(dir, journalDir), run.digest())
	out := map[recordKind]int{}
	for ; err == nil && !h.ended(); err = h.advance() {
		out[h.front.kind]++
		if h.front.kind == recordThought && llm.Outcome(h.front.thought.Outcome) == llm.TimedOut {
			out[timedOut]++
		}
		if h.front.kind == recordThought && h.front.thought.Try > 0 {
			out[again]++
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// recordHistory runs the recipe and keeps what a replay needs. The same behaviour
// gives the same files.
func recordHistory(t *testing.T, dir string) {
	t.Helper()
	r := newRecipe()
	cfg, store, scratch := r.config(), newMemStore(), t.TempDir()
	mustRun(t, cfg, Options{Dir: scratch, Store: store, Mind: r.mind()}, wire.Cycle(r.Cycles))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, journalDir)
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	list, err := journal.Segments(filepath.Join(scratch, journalDir))
	if err != nil {
		t.Fatal(err)
	}
	run := cfg.Identity()
	for _, n := range list {
		b := inOrder(t, filepath.Join(scratch, journalDir, journal.SegmentName(n)), n, run.digest())
		if err := os.WriteFile(filepath.Join(to, journal.SegmentName(n)), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	writeJSON(t, filepath.Join(dir, "config.json"), r)
	var cycles []json.RawMessage
	for i := range store.cycles {
		row := newCycleRecord(&store.cycles[i], wire.Hash{}) // replays make the thoughts' hash themselves
		cycles = append(cycles, cycleCodec.AppendJSON(nil, &row))
	}
	writeJSON(t, filepath.Join(dir, "cycles.json"), cycles)
}

// inOrder is a segment with the thoughts of each tick sorted; they are journaled in
// the order in which minds happened to answer, which means nothing.
func inOrder(t *testing.T, path string, number uint32, run wire.Hash) []byte {
	t.Helper()
	var bodies [][]byte
	thoughts := 0 // from here to the end are thoughts of one tick
	for _, body := range segmentRecords(t, path, number) {
		bodies = append(bodies, body)
		if recordKind(body[0]) != recordThought {
			thoughts = len(bodies)
		}
		slices.SortFunc(bodies[thoughts:], bytes.Compare)
	}
	return framed(bodies, number, run)
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
}

func readCycles(t *testing.T, path string) (out []CycleRow) {
	t.Helper()
	var list []json.RawMessage
	readJSON(t, path, &list)
	for i, raw := range list {
		var r cycleRecord
		if err := cycleCodec.FromJSON(raw, &r, nil); err != nil {
			t.Fatalf("read %s, cycle %d: %v", path, i, err)
		}
		out = append(out, r.row())
	}
	return out
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err == nil {
		err = os.WriteFile(path, append(b, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
