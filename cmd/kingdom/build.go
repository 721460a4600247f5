package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/scenarios"
	"kingdom/sql/postgres"
	"kingdom/sql/sqlite"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// turnRules returns the rules for the turns of a scenario's agents.
func turnRules(sc *scenarios.Scenario, rules *world.Rules) ooda.Rules {
	turn := ooda.DefaultRules(rules.Seed)
	turn.Calendar = rules.Calendar
	turn.Gates = rules.Gates
	turn.MaxClaims = uint32(sc.Agora.ClaimLimit)
	turn.ClaimLease = rules.ClaimLease
	turn.MaxBuyTicks, turn.Upkeep, turn.ChannelFee = rules.MaxExtra, rules.Upkeep, rules.ChannelFee
	turn.UpkeepWithinRewards = rules.UpkeepWithinRewards
	turn.Domains = domains(rules)
	turn.Blind = llm.LayersOf(sc.Minds.Blind)
	turn.Templates, turn.Personas = sc.Templates(), personas(sc)
	turn.Strategists = strategists(sc)
	for i, m := range usedModels(sc) {
		if i == 0 || m.Context-min(m.MaxOutput, m.Context) < turn.MaxContext-min(turn.MaxTokens, turn.MaxContext) {
			turn.MaxContext, turn.MaxTokens = m.Context, m.MaxOutput
		}
	}
	return turn
}

// config converts a scenario into the configuration of the engine.
func config(sc *scenarios.Scenario) engine.Config {
	rules := sc.WorldRules()
	turn := turnRules(sc, &rules)
	inputs, _ := planned(sc, &rules)
	return engine.Config{
		Name: sc.Name, ScenarioDigest: sc.Digest(), SeedText: string(sc.Seed), Build: buildVersion().name(),
		Rules: rules, Turn: turn, Limits: limits(sc), Genomes: sc.Genomes(sc.WorldSeed()), Names: sc.AgentNames(), Cycles: sc.Cycles,
		Beginnings:     beginnings(sc, &rules),
		Planned:        inputs,
		Changes:        changes(sc),
		SignaturesLazy: sc.Signatures == scenarios.SignaturesLazy,
		OnOutage:       engine.Outage(sc.Think.OnOutage),
		ThinkTimeout:   sc.Think.Timeout,
		SnapshotEvery:  sc.Checkpoint.EveryCycles,
	}
}

// configFor returns the engine's configuration for a run that exists.
func configFor(sc *scenarios.Scenario, r *engine.RunFile) engine.Config {
	c := config(sc)
	c.ForRun(r)
	return c
}

// domains returns the host name patterns that agents may request.
func domains(r *world.Rules) []string {
	var out []string
	for _, a := range r.PortalAllow {
		blocked := slices.ContainsFunc(r.PortalBlock, func(b world.DomainRule) bool { return b.Pattern == a.Pattern })
		if !blocked {
			out = append(out, a.Pattern)
		}
	}
	return out
}

// personas returns the persona texts of the initial population in spawn order, nil if there are none.
func personas(sc *scenarios.Scenario) []string {
	var out []string
	first := uint64(0) // agents of the groups before
	for i := range sc.Population {
		g := &sc.Population[i]
		if first += g.Count; g.Persona == "" {
			continue
		}
		for uint64(len(out)) < first-g.Count {
			out = append(out, "")
		}
		for range g.Count {
			out = append(out, g.Persona)
		}
	}
	return out
}

// planned returns the scenario's inputs from outside, ordered by cycle. An input for several agents or newcomers becomes one
// for each; of says by which of the scenario's inputs each was planned.
func planned(sc *scenarios.Scenario, rules *world.Rules) (out []engine.Input, of []int) {
	type part struct {
		engine.Input
		of int
	}
	var parts []part
	newcomers := sc.Newcomers(rules.Seed)
	for i := range sc.Inputs {
		in := &sc.Inputs[i]
		for k := range newcomers[i] {
			next := input(in, rules, wire.AgentID{})
			next.Genome = &newcomers[i][k]
			next.Birth = agent.Birth{Name: in.NameOf(uint64(k) + 1), Persona: in.Persona, Mind: in.Mind}
			parts = append(parts, part{next, i})
		}
		if in.Do != scenarios.DoSpawn {
			for _, next := range inputsOf(sc, in, rules) {
				parts = append(parts, part{next, i})
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.Earliest, b.Earliest) })
	for i := range parts {
		out, of = append(out, parts[i].Input), append(of, parts[i].of)
	}
	return out, of
}

// inputsOf converts an input of the scenario that spawns nobody: for each of its agents, or once if it concerns none.
func inputsOf(sc *scenarios.Scenario, in *scenarios.Input, rules *world.Rules) (out []engine.Input) {
	if in.Do == scenarios.DoPost || in.Do == scenarios.DoParam {
		return []engine.Input{input(in, rules, wire.AgentID{})}
	}
	for _, n := range sc.AgentsNamed(in.Agent) {
		out = append(out, input(in, rules, wire.AgentIDAt(rules.Seed, n)))
	}
	return out
}

// input converts an input of the scenario for one of its agents.
func input(in *scenarios.Input, rules *world.Rules, who wire.AgentID) engine.Input {
	at := rules.Calendar.First(wire.Cycle(in.Cycle))
	next := engine.Input{Earliest: at, Agent: who}
	switch in.Do {
	case scenarios.DoWake:
		next.Kind = engine.InputWake
	case scenarios.DoSleep:
		next.Kind, next.Status, next.Reason, next.Cycles = engine.InputStatus, wire.StatusDormant, "operator", in.ForCycles
	case scenarios.DoKill:
		next.Kind, next.Status, next.Reason = engine.InputStatus, wire.StatusDead, "operator"
	case scenarios.DoGrant:
		next.Kind, next.Amount = engine.InputGrant, int64(in.Amount)
	case scenarios.DoTake:
		next.Kind, next.Amount = engine.InputGrant, -int64(in.Amount)
	case scenarios.DoPost:
		next.Kind, next.Channel, next.Message, next.Text = engine.InputPost, in.Channel, in.Message, in.Text
	case scenarios.DoParam:
		next.Kind, next.Param, next.Value = engine.InputParam, in.Param, int64(in.Value)
	case scenarios.DoSpawn:
		next.Kind, next.Amount = engine.InputSpawn, int64(cmp.Or(in.Amount, engine.DefaultFund))
	case scenarios.DoGoal, scenarios.DoDone:
		given := givenGoal(in.Goal(), rules)
		g := goals.New(who, given.Layer, given.Source, given.Description, at)
		g.Deadline = given.Deadline
		next.Kind, next.Goal = engine.InputGoal, &g
		if in.Do == scenarios.DoDone {
			next.Kind = engine.InputDone
		}
	}
	return next
}

// limits returns how many goals and how much knowledge each agent may hold.
func limits(sc *scenarios.Scenario) agent.Limits {
	l := agent.DefaultLimits
	l.Goals = goals.Capacity{Aspirations: int(sc.Goals.Aspirations), Objectives: int(sc.Goals.Objectives), Tasks: int(sc.Goals.Tasks)}
	l.Memory.Nodes, l.Memory.Edges = int(sc.Memory.Nodes), int(sc.Memory.Edges)
	return l
}

// defaultStore is the database in the run directory.
const defaultStore = "sqlite"

// boundStore is a store that can be bound to one world and reports the state of its run.
type boundStore interface {
	engine.Store
	Bind(ctx context.Context, run engine.RunRow) error
	Last(ctx context.Context) (c wire.Cycle, ok bool, err error)
	Busy(ctx context.Context) (bool, error)
	CallTotals(ctx context.Context, first, last wire.Cycle) ([]table.CallTotal, error)
	EventCounts(ctx context.Context) (map[wire.EventKind]uint64, error)
	// EventsOf returns the payloads of the events of one kind in a cycle, whether or not the plain tables are filled.
	EventsOf(ctx context.Context, c wire.Cycle, kind wire.EventKind) ([][]byte, error)
	// Query runs a statement over the tables of docs/STORE.md.
	Query(ctx context.Context, sql string, args []any, rows func(table.Cursor) error) error
	// Select runs a statement of a user's, which can only read, calls each with its rows, at most limit of them (0 means all),
	// and returns the names of the columns. The error is a [*table.StatementError] if the statement is to blame.
	Select(ctx context.Context, sql string, limit int, each func(columns []string, values []any) error) (columns []string, err error)
}

// asBoundStore keeps a nil store of a concrete type from becoming a non-nil interface.
func asBoundStore[S boundStore](st S, err error) (boundStore, error) {
	if err != nil {
		return nil, err
	}
	return st, nil
}

// sqliteTables says how a new SQLite store keeps the rows that never change again.
func sqliteTables(t scenarios.Tables) sqlite.Tables {
	if t == scenarios.TablesLive {
		return sqlite.Live
	}
	return sqlite.Later
}

// openStore opens the database of a run and binds it to this world. If tables is 0, it is opened for reading only,
// which is possible while another process writes it.
func openStore(ctx context.Context, dir, target string, run engine.RunRow, tables scenarios.Tables) (boundStore, error) {
	readOnly := tables == 0
	file := filepath.Join(dir, "kingdom.db")
	var st boundStore
	var err error
	switch {
	case target == defaultStore && readOnly:
		st, err = asBoundStore(sqlite.OpenReadOnly(ctx, file))
	case target == defaultStore:
		st, err = asBoundStore(sqlite.Open(ctx, file, sqliteTables(tables)))
	case isPostgres(target) && readOnly:
		st, err = asBoundStore(postgres.OpenReadOnly(ctx, target))
	case isPostgres(target):
		st, err = asBoundStore(postgres.Open(ctx, target))
	default:
		return nil, usagef("--store is %q; want sqlite or postgres://user@host/database", target)
	}
	if asType[*sqlite.BusyError](err) {
		return nil, fmt.Errorf("%s is going on in another process; wait until it ends, or follow it: kingdom tail %s -f", dir, shellQuote(dir))
	}
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := st.Bind(ctx, run); err != nil {
		return nil, errors.Join(fmt.Errorf("open store: %w", err), st.Close())
	}
	return st, nil
}

func isPostgres(target string) bool {
	return strings.HasPrefix(target, "postgres://") || strings.HasPrefix(target, "postgresql://")
}

// withoutSecrets returns a store URL without its password, for files and messages. resume takes the
// password from --store, PGPASSWORD or the password file.
func withoutSecrets(target string) string {
	if !isPostgres(target) {
		return target
	}
	u, err := url.Parse(target)
	if err != nil {
		return "postgres://"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	q.Del("password")
	u.RawQuery = q.Encode()
	return u.String()
}

// matchAgent reports whether want is the agent's alias or full id.
func matchAgent(want string, id wire.AgentID) bool {
	return id.String() == want || id.Alias() == want
}
