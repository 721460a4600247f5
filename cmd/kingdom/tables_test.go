package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kingdom/sql/table"
	"kingdom/wire"
)

// sameTables compares all that the engine fills in the tables of two SQLite runs.
func sameTables(t *testing.T, a, b string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(a, "kingdom.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("ATTACH ? AS other", filepath.Join(b, "kingdom.db")); err != nil {
		t.Fatal(err)
	}
	for _, tb := range table.All() {
		name := tb.Schema + "_" + tb.Name
		one, two := "SELECT "+tb.Names()+" FROM main."+name, "SELECT "+tb.Names()+" FROM other."+name
		var rows, n int
		if err := db.QueryRow("SELECT (SELECT count(*) FROM main."+name+"), (SELECT count(*) FROM ("+one+" EXCEPT "+two+")) + (SELECT count(*) FROM ("+two+" EXCEPT "+one+"))").Scan(&rows, &n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			t.Errorf("%d rows of %s differ between %s and %s", n, name, a, b)
		}
		if want := []string{"agent_experiences", "agora_messages", "observer_events", "world_records"}; rows == 0 && slices.Contains(want, name) {
			t.Errorf("%s is empty", name)
		}
	}
}

// The tables of a sweep are those of its runs.
func TestTables_OfASweep(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seeds", "1..3", "--set", "store.tables=demand", "--out", "s"))
	if err := os.RemoveAll("s/seed-2"); err != nil {
		t.Fatal(err)
	}
	says(t, "society|s/seed-1", exitFailure, "are not filled yet")
	r := must(t, in(t, "tables", "s"))
	if want := "the tables of s/seed-1 hold all 2 cycles\nthe tables of s/seed-3 hold all 2 cycles\n"; r.out != want || !strings.Contains(r.err, "seed 2 has not begun; kingdom resume s runs it") {
		t.Errorf("says %s%s, want %s", r.out, r.err, want)
	}
	for _, seed := range []string{"1", "3"} {
		must(t, in(t, "society", "s/seed-"+seed))
	}
	if r := must(t, in(t, "tables", "s", "--json")); strings.Count(r.out, `"cycles":2`) != 2 || strings.Count(r.out, "\n") != 2 {
		t.Errorf("--json prints %s", r.out)
	}
}

// One history gives the same tables and answers, whenever the tables are made.
func TestTables_EqualInEachMode(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, mode := range []string{"live", "end", "demand"} {
		must(t, in(t, "run", "works", "--cycles", "6", "--set", "store.tables="+mode, "--out", mode))
	}
	sameTables(t, "live", "end")
	says(t, "society|demand", exitFailure, "the tables of demand are not filled yet; kingdom tables demand fills them")
	run, err := openRun(t.Context(), "live", "")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := agentIDs(t.Context(), run.store)
	if cerr := run.store.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	who := ids[1].String()
	live := must(t, in(t, "explain", "live", "--agent", who, "--json")).out
	if got := must(t, in(t, "explain", "demand", "--agent", who, "--json")).out; got != live {
		t.Errorf("explain without tables:\n%s\nwith them:\n%s", got, live)
	}
	for _, c := range []string{"3", "6"} { // from a snapshot and from the store
		live := must(t, in(t, "inspect", "live", "--cycle", c, "--json")).out
		if got := must(t, in(t, "inspect", "demand", "--cycle", c, "--json")).out; strings.ReplaceAll(got, "demand", "live") != live {
			t.Errorf("inspect of cycle %s without tables:\n%s\nwith them:\n%s", c, got, live)
		}
	}
	must(t, in(t, "replay", "demand"))
	if r := must(t, in(t, "tables", "demand")); !strings.Contains(r.out, "the tables of demand hold all 6 cycles") {
		t.Errorf("%s", r.out)
	}
	sameTables(t, "live", "demand")
	for _, mode := range []string{"live", "end", "demand"} { // a run goes on with tables that end before it
		must(t, in(t, "resume", mode, "--cycles", "9"))
	}
	sameTables(t, "live", "end")
	says(t, "society|demand", exitFailure, "kingdom tables demand fills them")
	must(t, in(t, "tables", "demand"))
	must(t, in(t, "tables", "live")) // which has them
	sameTables(t, "live", "demand")
	want := must(t, in(t, "society", "live", "--json")).out
	if got := must(t, in(t, "society", "demand", "--json")).out; strings.Replace(got, `"run": "demand"`, `"run": "live"`, 1) != want {
		t.Errorf("society of made tables:\n%s\nof live ones:\n%s", got, want)
	}
}

// TestTables_Killed: a run that is killed until it is finished, and twenty times while its tables are made, loses nothing. The
// run is so long that tables are made in several steps, between which a kill leaves them half made.
func TestTables_Killed(t *testing.T) {
	bin := plainBinary(t)
	t.Chdir(t.TempDir())
	run := func(name, mode string) []string {
		return []string{"run", "epoch0", "--cycles", "40", "--json", "--set", "store.tables=" + mode, "--out", name}
	}
	want := summaryOf(t, must(t, process(t, nil, bin, run("live", "live")...)))
	faults := rand.New(rand.NewPCG(*simSeed, 1))

	began := time.Now()
	must(t, process(t, nil, bin, run("clean", "demand")...))
	whole := time.Since(began)
	for running := 0; ; running++ {
		args := resumeArgs(strings.Join(run("", "demand"), " "), "finished")
		r, killed := killAfter(t, time.Duration(faults.Int64N(int64(whole))), bin, args...)
		if killed {
			continue
		}
		if got := summaryOf(t, must(t, r)); got.WorldHash != want.WorldHash {
			t.Errorf("killed run ends in %s, undisturbed one in %s; again: make sim SEED=%d", got.WorldHash, want.WorldHash, *simSeed)
		}
		t.Logf("killed %d times while running", running)
		break
	}

	began = time.Now()
	must(t, process(t, nil, bin, "tables", "clean"))
	making := time.Since(began)
	sameTables(t, "live", "clean")
	for kills, partly := 0, 0; kills < *simKills || partly == 0; {
		os.RemoveAll("killed")
		if err := os.CopyFS("killed", os.DirFS("finished")); err != nil {
			t.Fatal(err)
		}
		for here := 0; ; here++ {
			began := time.Now()
			r, killed := killAfter(t, time.Duration(faults.Int64N(int64(making))), bin, "tables", "killed")
			if killed {
				if kills++; halfMade(t, "killed") {
					partly++
				}
				continue
			}
			if here == 0 { // other work on the machine may have begun or ended
				making = time.Since(began)
			}
			must(t, r)
			sameTables(t, "live", "killed")
			break
		}
		t.Logf("killed %d times while making tables, which left them half made %d times", kills, partly)
	}
}

// halfMade reports whether a run has the tables of only some of its cycles.
func halfMade(t *testing.T, run string) bool {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(run, "kingdom.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var made, last sql.NullInt64
	if err := db.QueryRow("SELECT (SELECT made FROM history_state), (SELECT max(cycle) FROM world_cycles)").Scan(&made, &last); err != nil {
		t.Fatal(err)
	}
	return made.Valid && made.Int64 < last.Int64
}

// txDone is a store whose transaction has ended under it.
type txDone struct{ boundStore }

func (txDone) MakeTables(context.Context, func(through, last wire.Cycle)) error {
	return fmt.Errorf("unpack: %w", sql.ErrTxDone)
}

func (txDone) Made(context.Context) (through wire.Cycle, none, whole bool, err error) {
	return 0, true, false, nil
}

// Ctrl-C ends the transaction; what is told is the Ctrl-C. Without one it is a failure.
func TestTables_InterruptedInATransaction(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	say := func(string, ...any) {}
	if err := makeTables(ctx, txDone{}, "r", say); err == nil || asType[*cancelledError](err) {
		t.Errorf("without Ctrl-C: %v", err)
	}
	stop()
	if err := makeTables(ctx, txDone{}, "r", say); !asType[*cancelledError](err) || !strings.Contains(err.Error(), "kingdom tables r makes the rest") {
		t.Errorf("after Ctrl-C: %v", err)
	}
}

// The view over agents has the names that every command prints; a newcomer has none.
func TestTables_AgentsHaveTheirNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const named = "name: x\ncycles: 2\nspawn: {cap: 5}\npopulation: [{role: EXPLORER, name: anna}, {role: LIBRARIAN}, {role: EXPLORER, name: team, count: 2}]\ninputs: [{cycle: 1, do: spawn}]\n"
	if err := os.WriteFile("x.yaml", []byte(named), 0o644); err != nil {
		t.Fatal(err)
	}
	s := runScenario(t, "x.yaml")
	var names string
	if err := s.db.QueryRow("SELECT group_concat(name) FROM (SELECT name FROM v_agents ORDER BY spawn_index)").Scan(&names); err != nil {
		t.Fatal(err)
	}
	if want := "anna,,team-1,team-2,"; names != want {
		t.Errorf("v_agents has the names %q, want %q", names, want)
	}
}
