//go:build !race

package main

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/engine"
)

// foreignRun makes a run of epoch0 as another build would write it, whose behaviour differs as these values of the scenario
// make it differ: the run is one of a scenario with them, but its files say that it is one of epoch0, without any.
func foreignRun(t *testing.T, dir, build, cycles string, set ...string) {
	t.Helper()
	own := filepath.Join(t.TempDir(), "own")
	must(t, in(t, "run", "epoch0", "--cycles", cycles, "--out", own))
	args := []string{"run", "epoch0", "--cycles", cycles, "--out", dir}
	for _, s := range set {
		args = append(args, "--set", s)
	}
	must(t, in(t, args...))
	const from, to = 10, 42 // of the run's digest in the header of journal segments and snapshots
	_, like := journalOf(t, own)
	for _, pattern := range []string{"journal/*.kj", "snapshots/*.ks"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			b := []byte(read(t, file))
			copy(b[from:to], like[from:to])
			binary.BigEndian.PutUint32(b[to:], crc32.Checksum(b[:to], crc32.MakeTable(crc32.Castagnoli)))
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var digests [2][]byte
	for i, d := range []string{own, dir} {
		db, err := sql.Open("sqlite", filepath.Join(d, "kingdom.db"))
		if err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow("SELECT digest FROM world_run").Scan(&digests[i]); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			if _, err := db.Exec("UPDATE world_run SET digest = ?", digests[0]); err != nil || bytes.Equal(digests[0], digests[1]) {
				t.Fatal("the other run has the same scenario, or cannot be changed:", err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	writeBuild(t, own, build)
	for _, name := range []string{runFile, scenarioFile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(read(t, filepath.Join(own, name))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// writeBuild has run.json say that a build wrote the run.
func writeBuild(t *testing.T, dir, build string) {
	t.Helper()
	path := filepath.Join(dir, runFile)
	text := strings.Replace(read(t, path), `"store":`, `"build": "`+build+`", "store":`, 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A replay of a run of another build names the agent, what it did and does, and why, with the builds; compare shows the
// values of the runs and by which build each command must be given.
func TestReplay_OfAnotherBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "6", "--out", "own"))
	foreignRun(t, "old", "v1", "6", "minds.scripted.malformed_rate=0.05")
	r := in(t, "replay", "old")
	for _, want := range []string{
		"; old was written by kingdom v1, this is another build; to look at old use kingdom v1; see docs/DETERMINISM.md",
		"\n  the recorded run had parse_failed there, this build has ", "\n  its reasoning in this build: ", "\n  to see what led to it in this build: kingdom explain old --agent ", " (with kingdom v1: in the run)\n",
	} {
		if r.code != exitDivergence || !strings.Contains(r.err, want) {
			t.Errorf("replay: exit %d, no %q in\n%s", r.code, want, r.err)
		}
	}
	lines := strings.Split(in(t, "replay", "old", "--json").out, "\n")
	for i := range 2 { // the result and the error
		if !strings.Contains(lines[i], `"recorded":{"action":"parse_failed"}`) {
			t.Errorf("line %d of replay --json has nothing of the recorded act: %s", i+1, lines[i])
		}
	}
	there := must(t, in(t, "compare", "own", "old"))
	back := must(t, in(t, "compare", "old", "own"))
	for name, out := range map[string]string{"b was": there.out, "a was": back.out} {
		for _, want := range []string{
			"first difference: cycle 1, tick ", ": another thought\n", " --tick ", "   (with kingdom v1)\n", name + " written by kingdom v1: this one", "at cycle 6:\n",
		} {
			if !strings.Contains(out, want) || strings.Count(out, "(with kingdom v1)") != 1 {
				t.Errorf("compare: no %q in\n%s", want, out)
			}
		}
	}
	var a, b runComparison
	decode(t, must(t, in(t, "compare", "own", "old", "--json")).out, &a)
	decode(t, must(t, in(t, "compare", "old", "own", "--json")).out, &b)
	if a.First["want"] != b.First["got"] || a.First["got"] != b.First["want"] || len(a.Foreign) != 1 || a.Foreign[0].Run != "old" || a.Foreign[0].WrittenBy != "v1" {
		t.Errorf("compare --json says %v, foreign %v, and back %v", a.First, a.Foreign, b.First)
	}
}

// If only the end of a cycle shows that this build differs, replay goes on to the first act, or names agents by their
// state.
func TestReplay_DifferenceOfStates(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "12", "--out", "own"))
	foreignRun(t, "old", "v1", "12", "memory.nodes=18")
	r := in(t, "replay", "old")
	for _, want := range []string{
		"diverged at cycle 1: agents_hash is ", "\n  first seen in what an agent did: cycle 6 tick ", ", thought\n",
		"\n  both have entry_publish there: the same action with other parameters,", "\n  its reasoning as recorded: ", "\n  to see it in the run, with kingdom v1: kingdom explain old --agent ",
		"\n  to see it in this build: kingdom run old/scenario.yaml --cycles 6 --out old-now, then kingdom explain old-now --agent ",
	} {
		if r.code != exitDivergence || !strings.Contains(r.err, want) {
			t.Errorf("exit %d, no %q in\n%s", r.code, want, r.err)
		}
	}
	if r := must(t, in(t, "compare", "own", "old")); !strings.Contains(r.out, "first difference: the end of cycle 1: other memories, goals and plans") || !strings.Contains(r.out, "\nfirst seen in what happened: cycle 6, tick ") {
		t.Errorf("compare says %s", r.out)
	}
	foreignRun(t, "other", "v1", "6", "memory.nodes=80")
	r = in(t, "replay", "other")
	for _, want := range []string{
		": agents_hash is ", "\n  up to the end of cycle 6 no agent thought or sent anything else\n  at the end of cycle 6 ", "in another state: ", "knowledge",
		"\n  to see it in the run, with kingdom v1: kingdom inspect other --agent ",
	} {
		if r.code != exitDivergence || !strings.Contains(r.err, want) {
			t.Errorf("exit %d, no %q in\n%s", r.code, want, r.err)
		}
	}
	line, _, _ := strings.Cut(in(t, "replay", "other", "--json").out, "\n")
	var got struct {
		Same       *bool
		Divergence struct {
			Agent *string
			Tick  *uint64
			After struct {
				Until  uint64
				States struct{ Agents []struct{ Parts []string } }
			}
		}
	}
	decode(t, line, &got)
	if d := got.Divergence; got.Same == nil || *got.Same || d.Agent != nil || d.Tick != nil || d.After.Until != 6 || len(d.After.States.Agents) == 0 {
		t.Errorf("--json says %s", line)
	}
}

// A store that was changed is named as damage: the journal agrees with this build.
func TestReplay_ChangedStoreIsDamage(t *testing.T) {
	s := runEpoch0(t, "--cycles", "4")
	if _, err := s.db.Exec("UPDATE world_cycles SET agents_hash = randomblob(32) WHERE cycle = 3"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"replay", s.dir}, {"compare", s.dir, s.dir}} {
		r := in(t, append(args, "--json")...)
		if r.code != exitFailure || !strings.Contains(r.err, "agents_hash of the stored rows is ") || !strings.Contains(r.err, "the store of "+s.dir+" is damaged or was changed; restore it from a copy") || !strings.Contains(r.out, `"code":"damaged"`) {
			t.Errorf("%v: exit %d: %s%s", args, r.code, r.out, r.err)
		}
	}
}

// What a replay could not compare is said with --json too, and is damage of the journal.
func TestReplay_NotComparedAsJSON(t *testing.T) {
	dir := runIn(t, "--cycles", "2", "--set", "inputs=[{cycle: 1, agent: 1, do: grant, amount: 7}]")
	must(t, in(t, "replay", dir))
	if err := os.RemoveAll(filepath.Join(dir, "journal")); err != nil {
		t.Fatal(err)
	}
	r := in(t, "replay", dir, "--json")
	for _, want := range []string{`"same":null`, `"not_compared":"replay `, `"code":"damaged"`, "from cycle 0 on could not be compared"} {
		if r.code != exitFailure || !strings.Contains(r.out, want) {
			t.Errorf("exit %d, no %s in %s", r.code, want, r.out)
		}
	}
}

// Programs hear too that the acts of a run without its journal were not compared.
func TestCompare_WithoutAJournal(t *testing.T) {
	whole, cut := runIn(t, "--cycles", "1"), runIn(t, "--cycles", "1")
	if err := os.RemoveAll(filepath.Join(cut, "journal")); err != nil {
		t.Fatal(err)
	}
	want := `"warnings":["the journal of ` + cut + ` ends before the end of cycle 0; from there on only the cycles of the runs are compared, not what agents did in them"]`
	if r := must(t, in(t, "compare", whole, cut, "--json")); !strings.Contains(r.out, `"same":true`) || !strings.Contains(r.out, want) {
		t.Errorf("no %s in %s", want, r.out)
	}
	if r := must(t, in(t, "compare", whole, whole, "--json")); strings.Contains(r.out, `"warnings":`) {
		t.Errorf("warnings about whole runs: %s", r.out)
	}
}

// A fork whose common cycles this build does not repeat leaves nothing behind and recommends nothing of it.
func TestFork_OfAnotherBuildLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	foreignRun(t, "old", "v1", "6", "minds.scripted.malformed_rate=0.05")
	r := in(t, "fork", "old", "--at", "3", "--out", "new")
	for _, want := range []string{"there is no fork, because this build does not repeat the common cycles: diverged at cycle 1 tick ", "; old was written by kingdom v1", "; its directory was removed; kingdom replay old shows more, or fork it with kingdom v1"} {
		if r.code != exitDivergence || !strings.Contains(r.err, want) || strings.Contains(r.out+r.err, "kingdom inspect new") || strings.Contains(r.err, "kingdom tables") || strings.Contains(r.out, "compare it") {
			t.Errorf("exit %d, no %q in\n%s%s", r.code, want, r.out, r.err)
		}
	}
	if _, err := os.Stat("new"); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
}

// Who continues a run with another build is warned, and run.json then has both.
func TestResume_WithAnotherBuildWarns(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", "run"))
	writeBuild(t, "run", "v1")
	if r := must(t, in(t, "resume", "run")); strings.Contains(r.err, "warning") {
		t.Errorf("there is nothing to do, but it warns: %s", r.err)
	}
	r := must(t, in(t, "resume", "run", "--cycles", "3"))
	if want := "warning: run was written by kingdom v1, and from cycle 3 on it is continued by another build; replay needs a build that does the same as both: kingdom replay run"; !strings.Contains(r.err, want) {
		t.Errorf("says %s\nwant %s", r.err, want)
	}
	var file struct {
		Builds []struct {
			Build string
			From  uint64
		}
	}
	decode(t, read(t, filepath.Join("run", runFile)), &file)
	if len(file.Builds) != 2 || file.Builds[0].Build != "v1" || file.Builds[1].From != 3 {
		t.Errorf("run.json has %+v", file.Builds)
	}
	must(t, in(t, "replay", "run"))
	must(t, in(t, "inspect", "run"))
}

// A new run of the scenario alone does not show what a run did that got inputs from outside.
func TestDivergence_ScenarioOfARunWithInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "r"))
	suffices := func() bool {
		run, err := openRun(t.Context(), "r", "")
		if err != nil {
			t.Fatal(err)
		}
		defer run.store.Close()
		return (&divergenceReport{run: run, dir: "r"}).scenarioSuffices(t.Context())
	}
	if !suffices() {
		t.Error("the scenario does not repeat a run without inputs")
	}
	killed(t, "r", 2)
	must(t, in(t, "input", "r", "{do: grant, agent: 2, amount: 30}"))
	must(t, in(t, "resume", "r", "--cycles", "2"))
	if suffices() {
		t.Error("the scenario repeats a run with an input that it does not have")
	}
}

// A replay that was interrupted after it had found a difference says both, with the exit code of an interruption.
func TestReplay_InterruptedAfterADifference(t *testing.T) {
	cmd, _, err := newRoot(io.Discard, io.Discard).Find([]string{"replay"})
	if err != nil {
		t.Fatal(err)
	}
	err = rewordError(cmd, &engine.InterruptedError{Cycle: 5, Found: &engine.DivergenceError{Cycle: 2, Component: "agents_hash"}})
	if text := err.Error(); exitCode(err) != exitInterrupted || errorCode(err) != "interrupted" ||
		!strings.HasPrefix(text, "interrupted after cycle 5, while it looked for the agent that acted differently; it had found this: ") || !strings.Contains(text, "agents_hash") {
		t.Errorf("exit %d: %s", exitCode(err), text)
	}
}
