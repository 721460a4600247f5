//go:build !race

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kingdom/engine"
)

// The golden histories end in their hashes. A change that moves one on purpose
// bumps the physics version and runs kingdom verify --update.
func TestVerify_Golden(t *testing.T) {
	if r := process(t, nil, plainBinary(t), "verify", "../../scenarios/golden.yaml"); r.code != exitOK {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}

// list writes a golden file of these lines.
func list(t *testing.T, lines ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "golden.yaml")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

func TestVerify_ReportsAllAndNamesWhatDiffers(t *testing.T) {
	path := list(t, "# ours", `- {scenario: epoch0, seed: "42", cycles: 1, world_hash: "`+zeros+`"} # first`,
		`- {name: poor, scenario: epoch0, seed: "42", cycles: 1, set: [mint.initial_balance=15], world_hash: ""}`, `- {scenario: epoch0, seed: "43", cycles: 1, world_hash: "`+zeros+`"}`)
	r := in(t, "verify", path)
	for _, want := range []string{"epoch0 seed 42, 1 cycle: DIFFERS at the end of cycle 1 (nothing is known of the cycles before): want " + zeros, "poor, 1 cycle: not run: it holds no world_hash yet", "epoch0 seed 43, 1 cycle: DIFFERS at the end"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	if r.code != exitDivergence || !strings.Contains(r.err, "verify "+path+" entry 1 (epoch0 seed 42): the world hash differs at the end of cycle 1 (") ||
		!strings.Contains(r.err, "with a build that agrees, kingdom run epoch0 --seed 42 --cycles 1 --out old, then with this one, kingdom replay old") || strings.Contains(r.err, "diverged") {
		t.Errorf("exit %d, want %d and the first history named\n%s", r.code, exitDivergence, r.err)
	}
	if r := in(t, "verify", path, "--fail-fast"); r.code != exitDivergence || strings.Contains(r.out, "poor") {
		t.Errorf("--fail-fast: exit %d\n%s", r.code, r.out)
	}
	bad := list(t, `- {scenario: epoch0, seed: "42", cycles: 1, world_hash: "`+zeros+`"}`, `- {scenario: nosuch, seed: "42", cycles: 1}`)
	if r := in(t, "verify", bad, "--update"); r.code != exitInput || !strings.Contains(r.err, "entry 2 (nosuch seed 42): ") || !strings.Contains(r.err, "; nothing was written to "+bad+", because --update writes all entries or none") || !strings.Contains(read(t, bad), zeros) {
		t.Errorf("--update with a bad entry: exit %d: %s\n%s", r.code, r.err, read(t, bad))
	}
	r = must(t, in(t, "verify", path, "--update"))
	if want := ", CHANGED: it was " + zeros + "\n"; strings.Count(r.out, want) != 2 || strings.Contains(r.out, "as before") {
		t.Errorf("--update: not twice %q in\n%s", want, r.out)
	}
	if r := must(t, in(t, "verify", path, "--update")); strings.Count(r.out, ", as before\n") != 3 {
		t.Errorf("a second --update says\n%s", r.out)
	}
	if text := read(t, path); !strings.HasPrefix(text, "# ours\n") || !strings.Contains(text, "} # first\n") || strings.Contains(text, zeros) {
		t.Errorf("--update wrote\n%s", text)
	}
	must(t, in(t, "verify", path))
	must(t, piped(t, read(t, path), "verify", "-"))
}

// A difference of a scenario in a file may come from a change of the file, which a replay does not find.
func TestVerify_SaysThatTheScenarioMayHaveChanged(t *testing.T) {
	t.Chdir(t.TempDir())
	text := must(t, in(t, "scenario", "show", "epoch0")).out
	entry := `- {scenario: ./mine.yaml, seed: "1", cycles: 1}`
	for name, text := range map[string]string{"mine.yaml": text, "golden.yaml": entry} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must(t, in(t, "verify", "golden.yaml", "--update"))
	must(t, in(t, "run", "mine.yaml", "--seed", "1", "--cycles", "1", "--out", "old"))
	changed := strings.Replace(text, "initial_balance: 100", "initial_balance: 50", 1)
	if err := os.WriteFile("mine.yaml", []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	r := in(t, "verify", "golden.yaml")
	for _, want := range []string{
		"with a build that agrees and mine.yaml as it was then, kingdom run mine.yaml --seed 1 --cycles 1 --out old, then with this one, kingdom replay old",
		"; if that finds no difference, mine.yaml has changed, not the build: kingdom run mine.yaml --seed 1 --cycles 1 --out new, then kingdom compare old new\n",
	} {
		if r.code != exitDivergence || !strings.Contains(r.err, want) {
			t.Errorf("exit %d, no %q in\n%s", r.code, want, r.err)
		}
	}
	must(t, in(t, "replay", "old"))
	must(t, in(t, "run", "mine.yaml", "--seed", "1", "--cycles", "1", "--out", "new"))
	if r := must(t, in(t, "compare", "old", "new")); !strings.Contains(r.out, "scenario   mint.initial_balance: 100 in a, 50 in b\n") {
		t.Errorf("compare says\n%s", r.out)
	}
}

func TestVerify_NamesFirstCycleThatDiffers(t *testing.T) {
	path := list(t, `- scenario: epoch0`, `  seed: "42"`, `  cycles: 3`, `  cycle_hashes: []`)
	must(t, in(t, "verify", path, "--update"))
	text := read(t, path)
	hashes := regexp.MustCompile("[0-9a-f]{64}").FindAllString(text, -1)
	if len(hashes) != 4 {
		t.Fatalf("%d hashes in\n%s", len(hashes), text)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(text, hashes[2], zeros, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	r := in(t, "verify", path, "--json")
	if r.code != exitDivergence || !strings.Contains(r.out, `"first_difference":{"cycle":2,`) || !strings.Contains(r.out, `"code":"divergence","exit":3,"divergence":{"component":"world_hash","cycle":2,"entry":"epoch0 seed 42",`) {
		t.Errorf("exit %d\n%s", r.code, r.out)
	}
	if r := in(t, "verify", path); !strings.Contains(r.out, "epoch0 seed 42, 3 cycles: DIFFERS first at cycle 2: want "+zeros) {
		t.Errorf("says %s", r.out)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(text, hashes[1], zeros, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := in(t, "verify", path); !strings.Contains(r.out, ": DIFFERS at cycle 1 or before: the list has no hash of the bootstrap: want "+zeros) || !strings.Contains(r.err, "the world hash differs at cycle 1 or before") {
		t.Errorf("says %s%s", r.out, r.err)
	}
	short := list(t, `- scenario: epoch0`, `  seed: "42"`, `  cycles: 3`, `  world_hash: "`+zeros+`"`, `  cycle_hashes: ["`+zeros+`"]`)
	if r := in(t, "verify", short); r.code != exitInput || !strings.Contains(r.err, short+":5: entry 1: cycle_hashes has 1 hashes for 3 cycles; want one for each cycle, or []") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	// Without hashes of cycles nothing is known about the first one.
	path = list(t, `- {scenario: epoch0, seed: "42", cycles: 2, world_hash: "`+zeros+`"}`)
	if r := in(t, "verify", path, "--json"); r.code != exitDivergence || strings.Contains(r.out, "first_difference") || !strings.Contains(r.out, `"same":false`) {
		t.Errorf("exit %d\n%s", r.code, r.out)
	}
}

func TestVerify_InputErrors(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "run"))
	if err := os.MkdirAll("lists", 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile("lists/golden.yaml", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for text, says := range map[string]string{
		"":   "has no entries",
		"[]": "has no entries",
		`[{scenario: epoch0, seed: "1", cycles: 1, world_hash: bad}]`:                       `"bad" is not 64 hex digits in lower case; kingdom verify --update writes the hash`,
		`[{scenario: nosuch, seed: "1", cycles: 1, world_hash: "` + zeros + `"}]`:           "no such scenario",
		`[{scenario: ./mine.yaml, seed: "1", cycles: 1, world_hash: "` + zeros + `"}]`:      "lists/mine.yaml: no such scenario",
		`[{scenario: epoch0-llm, seed: "1", cycles: 1, world_hash: "` + zeros + `"}]`:       "cannot be computed again",
		`[{scenario: epoch0, seed: "1", cycles: 1, set: [x], world_hash: "` + zeros + `"}]`: "has no =",
	} {
		write(text)
		if r := in(t, "verify", "lists/golden.yaml"); r.code != exitInput || !strings.Contains(r.err, says) {
			t.Errorf("%s: exit %d: %s\nwant %q", text, r.code, r.err, says)
		}
	}
	if r := in(t, "verify", "none.yaml"); r.code != exitInput {
		t.Errorf("a list that does not exist: exit %d", r.code)
	}
	if r := piped(t, "[]", "verify", "-", "--update"); r.code != exitInput {
		t.Errorf("--update of standard input: exit %d", r.code)
	}
	if r := piped(t, strings.Repeat("# no end\n", maxGolden/8), "verify", "-"); r.code != exitInput || !strings.Contains(r.err, "standard input has more than 16777216 bytes; want at most 16777216") {
		t.Errorf("a list without an end: exit %d: %.200s", r.code, r.err)
	}
	// A path starts at the list's directory.
	if err := os.Rename("run/scenario.yaml", "lists/mine.yaml"); err != nil {
		t.Fatal(err)
	}
	write(`[{scenario: ./mine.yaml, seed: "1", cycles: 1}]`)
	// --update writes what a link leads to, and leaves the link. The scenario is beside the name that the command has.
	if err := os.Symlink("golden.yaml", "lists/link.yaml"); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "verify", "lists/link.yaml", "--update"))
	if to, err := os.Readlink("lists/link.yaml"); err != nil || to != "golden.yaml" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	must(t, in(t, "verify", "lists/golden.yaml"))
}

// Whatever fails with --json ends in one object with a stable code, even if the flag comes after the wrong argument.
func TestJSON_LastLineIsErrorObject(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("bad.yaml", []byte("name: x\ncycles: many\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, code := range map[string]string{
		"run bad.yaml --json":               "invalid_scenario",
		"scenario validate bad.yaml --json": "invalid_scenario",
		"run --nosuch --json":               "invalid_input",
		"nosuch --json":                     "invalid_input",
		"actions nosuch --json=true":        "invalid_input",
		"replay nowhere --json":             "invalid_input",
		"inspect nowhere --json":            "invalid_input",
		"tail nowhere --json":               "invalid_input",
		"verify nowhere --json":             "invalid_input",
		"actions nosuch --json":             "invalid_input",
		"journal export nowhere x --json":   "invalid_input",
		"resume nowhere --json":             "invalid_input",
		"doctor nowhere --json":             "invalid_scenario",
		"key remove mine --json":            "invalid_input",
	} {
		t.Setenv(envKeys, "none")
		r := in(t, strings.Fields(line)...)
		lines := strings.Split(strings.TrimSpace(r.out), "\n")
		var e errorJSON
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &e); err != nil || e.Code != code || e.Exit != r.code || e.Error == "" {
			t.Errorf("%s: exit %d, code %q, want %q\n%s%s", line, r.code, e.Code, code, r.out, r.err)
		}
		if len(lines) != 1 {
			t.Errorf("%s: %d lines, want one value that any parser takes", line, len(lines))
		}
		if code == "invalid_scenario" && strings.Contains(line, "bad") && len(e.Problems) == 0 {
			t.Errorf("%s: no problems in %s", line, r.out)
		}
	}
}

// recordedRun makes a run directory of two cycles.
func recordedRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", dir))
	return dir
}

// journalOf reads the only segment of a run that was never resumed.
func journalOf(t *testing.T, dir string) (path string, b []byte) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "journal", "*"))
	if err != nil || len(list) != 1 {
		t.Fatalf("%d journal segments, %v; want one", len(list), err)
	}
	b, err = os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	return list[0], b
}

func TestResume_TornJournalIsCutWithAWarning(t *testing.T) {
	dir := recordedRun(t)
	path, b := journalOf(t, dir)
	if err := os.WriteFile(path, append(b, 0, 0, 1), 0o644); err != nil { // the first bytes of a record that was cut while it was written
		t.Fatal(err)
	}
	want := summaryOf(t, must(t, in(t, "run", "epoch0", "--cycles", "3", "--json", "--out", filepath.Join(t.TempDir(), "clean"))))
	r := must(t, in(t, "resume", dir, "--cycles", "3", "--json"))
	if !strings.Contains(r.err, "is incomplete") {
		t.Errorf("no warning about the incomplete record:\n%s", r.err)
	}
	if got := summaryOf(t, r); got.WorldHash != want.WorldHash {
		t.Errorf("world hash %s, want %s", got.WorldHash, want.WorldHash)
	}
}

// Ctrl-C leaves no run that could be resumed: verify has none on disk.
func TestVerify_Interrupted(t *testing.T) {
	path := list(t, `- {scenario: epoch0, seed: "42", cycles: 1000, world_hash: "`+zeros+`"}`)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	stopped, stop := context.WithCancel(t.Context())
	defer stop()
	context.AfterFunc(ctx, stop)
	var out, errw bytes.Buffer
	code := execute(stopped, []string{"verify", path}, &out, &errw)
	if code != exitInterrupted || !strings.Contains(out.String(), "not run: interrupted; nothing was changed") || strings.Contains(out.String()+errw.String(), "resume") {
		t.Errorf("exit %d: %s%s", code, out.String(), errw.String())
	}
}

func TestResume_FlippedByteIsNamed(t *testing.T) {
	dir := recordedRun(t)
	path, b := journalOf(t, dir)
	b[len(b)/2] ^= 0x10
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"resume", dir, "--cycles", "3"}, {"replay", dir}} {
		r := in(t, args...)
		if r.code == exitOK || !strings.Contains(r.err, filepath.Base(path)) || !regexp.MustCompile(`offset \d+`).MatchString(r.err) {
			t.Errorf("kingdom %s: exit %d, want a failure that names file and offset\n%s", args[0], r.code, r.err)
		}
	}
}

func TestResume_ChangedScenarioIsNamed(t *testing.T) {
	dir := recordedRun(t)
	path := filepath.Join(dir, scenarioFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(b), "initial_balance: 100", "initial_balance: 101", 1)
	if changed == string(b) {
		t.Fatal("scenario.yaml holds no initial_balance: 100")
	}
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	r := in(t, "resume", dir, "--cycles", "3")
	if r.code != exitInput || !strings.Contains(r.err, "scenario") {
		t.Errorf("exit %d, want %d and the scenario named\n%s", r.code, exitInput, r.err)
	}
}

// makeOlder has a file of a run or a sweep say that it was written by the first physics version.
func makeOlder(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(b, fmt.Appendf(nil, `"physics": %d`, engine.Physics), []byte(`"physics": 1`), 1)
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A run of another physics version is refused before its database gets the tables and views of this build.
func TestResume_OtherPhysicsLeavesTheDatabase(t *testing.T) {
	s := runEpoch0(t, "--cycles", "1")
	if _, err := s.db.Exec("PRAGMA user_version = 7"); err != nil { // the views of another build
		t.Fatal(err)
	}
	makeOlder(t, filepath.Join(s.dir, runFile))
	says(t, "resume|"+s.dir+"|--cycles|2", exitInput, "use the kingdom version that wrote the run")
	if n := s.count(t, "SELECT user_version FROM pragma_user_version"); n != 7 {
		t.Errorf("the refused resume made views, version %d", n)
	}
}

// A zero hash and a missing row are reported as damage with what to do, not as a divergence.
func TestReplay_DamagedStoreRowsAreNamed(t *testing.T) {
	whole := runIn(t, "--cycles", "2")
	for sql, says := range map[string]string{
		"UPDATE world_cycles SET world_hash = zeroblob(32) WHERE cycle = 2": "cycle 2 has no world_hash",
		"UPDATE world_cycles SET agents_hash = x'' WHERE cycle = 1":         "cycle 1 has no agents_hash",
		"DELETE FROM world_cycles WHERE cycle = 1":                          "cycle 1 has no row",
		"DELETE FROM world_cycles WHERE cycle = 2":                          "cycle 2 has no row, and run.json says that the run has reached cycle 2",
	} {
		s := runEpoch0(t, "--cycles", "2")
		if _, err := s.db.Exec(sql); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"inspect", "replay"} {
			r := in(t, command, s.dir, "--json")
			if r.code != exitFailure || !strings.Contains(r.err, says) || !strings.Contains(r.err, "restore it from a copy") || !strings.Contains(r.out, `"code":"damaged"`) {
				t.Errorf("%s after %s: exit %d: %s\n%s", command, sql, r.code, r.err, r.out)
			}
		}
		if strings.HasPrefix(says, "cycle 1 has no row") {
			if r := in(t, "fork", s.dir, "--at", "1", "--out", s.dir+"-fork"); r.code != exitFailure || !strings.Contains(r.err, "the store of "+s.dir+" is damaged: "+says+"; restore it") {
				t.Errorf("fork at the missing cycle: exit %d: %s", r.code, r.err)
			}
		}
		for _, runs := range [][]string{{s.dir, whole}, {whole, s.dir}} {
			if r := in(t, "compare", runs[0], runs[1]); r.code != exitFailure || !strings.Contains(r.err, "the store of "+s.dir+" is damaged: "+says) {
				t.Errorf("compare after %s: exit %d: %s%s", sql, r.code, r.err, r.out)
			}
		}
	}
}

// Ids of a wrong length and cycles that no run has are told as damage by the commands that read them. What is read later is
// damaged first.
func TestCommands_DamagedRowsAreNamed(t *testing.T) {
	s := runEpoch0(t, "--cycles", "1")
	for _, c := range []struct {
		sql, says string
		commands  []string
	}{
		{"UPDATE agora_messages SET id = x'' WHERE id = (SELECT min(id) FROM agora_messages)", "agora.messages.id has 0 bytes, want 32", []string{"society|DIR"}},
		{"UPDATE nexus_agents SET id = x'01' WHERE spawn_index = 2", "nexus.agents.id has 1 bytes, want 32", []string{"explain|DIR|--agent|1", "society|DIR", "report|DIR"}},
		{"UPDATE observer_metrics SET cycle = -1 WHERE cycle = 1", "observer.metrics has a row of cycle -1", []string{"society|DIR", "report|DIR"}},
	} {
		if _, err := s.db.Exec(c.sql); err != nil {
			t.Fatal(err)
		}
		for _, command := range c.commands {
			r := in(t, append(strings.Split(strings.ReplaceAll(command, "DIR", s.dir), "|"), "--json")...)
			if r.code != exitFailure || !strings.Contains(r.err, "the store is damaged: "+c.says) || !strings.Contains(r.out, `"code":"damaged"`) {
				t.Errorf("%s after %s: exit %d: %s\n%s", command, c.sql, r.code, r.err, r.out)
			}
		}
	}
}
