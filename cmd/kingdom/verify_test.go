package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The golden histories end in their hashes. A change that moves one on purpose
// bumps the physics version and runs kingdom verify --update.
func TestVerify_Golden(t *testing.T) {
	if r := process(t, nil, plainBinary(t), "verify", "../../scenarios/golden.yaml"); r.code != exitFine {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestVerify_NamesWhatDiffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "golden.yaml")
	write := func(hash string) {
		t.Helper()
		text := "- {scenario: epoch0, seed: \"42\", cycles: 1, world_hash: \"" + hash + "\"}\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Repeat("0", 64))
	r := in(t, "verify", path)
	if r.code != exitDivergence || !strings.Contains(r.err, "epoch0 seed 42") || !strings.Contains(r.err, "recorded 0000") {
		t.Errorf("exit %d, want %d and the history named\n%s", r.code, exitDivergence, r.err)
	}
	must(t, in(t, "verify", path, "--update"))
	must(t, in(t, "verify", path))
	write("not a hash")
	if r := in(t, "verify", path); r.code != exitInput {
		t.Errorf("exit %d for a golden file that is wrong, want %d\n%s", r.code, exitInput, r.err)
	}
}

// recorded makes a run directory of two cycles.
func recorded(t *testing.T) string {
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
	dir := recorded(t)
	path, b := journalOf(t, dir)
	if err := os.WriteFile(path, append(b, 0, 0, 1), 0o644); err != nil { // the first bytes of a record that was cut while it was written
		t.Fatal(err)
	}
	want := summaryOf(t, must(t, in(t, "run", "epoch0", "--cycles", "3", "--json", "--out", filepath.Join(t.TempDir(), "clean"))))
	r := must(t, in(t, "resume", dir, "--cycles", "3", "--json"))
	if !strings.Contains(r.err, "torn") {
		t.Errorf("no warning about the torn record:\n%s", r.err)
	}
	if got := summaryOf(t, r); got.WorldHash != want.WorldHash {
		t.Errorf("world hash %s, want %s", got.WorldHash, want.WorldHash)
	}
}

func TestResume_FlippedByteIsNamed(t *testing.T) {
	dir := recorded(t)
	path, b := journalOf(t, dir)
	b[len(b)/2] ^= 0x10
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"resume", dir, "--cycles", "3"}, {"replay", dir}} {
		r := in(t, args...)
		if r.code == exitFine || !strings.Contains(r.err, filepath.Base(path)) || !regexp.MustCompile(`offset \d+`).MatchString(r.err) {
			t.Errorf("kingdom %s: exit %d, want a failure that names file and offset\n%s", args[0], r.code, r.err)
		}
	}
}

func TestResume_ChangedScenarioIsNamed(t *testing.T) {
	dir := recorded(t)
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

// A history whose world behaves differently now: replay names cycle and component
// and exits 3.
func TestReplay_NamesTheFirstDifference(t *testing.T) {
	s := runEpoch0(t, "--cycles", "3")
	if _, err := s.db.Exec("UPDATE world_cycles SET mint = zeroblob(32) WHERE cycle = 2"); err != nil {
		t.Fatal(err)
	}
	r := in(t, "replay", s.dir, "--json")
	if r.code != exitDivergence || !strings.Contains(r.out, `"cycle":2`) || !strings.Contains(r.out, `"component":"mint"`) {
		t.Errorf("exit %d, want %d with cycle 2 and mint named\n%s%s", r.code, exitDivergence, r.out, r.err)
	}
}
