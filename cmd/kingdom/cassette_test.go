package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/internal/golden"
)

// committedCassette holds a short run of epoch0-llm against the test server.
const committedCassette = "../../scenarios/testdata/epoch0-llm.thoughts"

// The committed cassette runs to its end with neither network nor key, from the file alone and
// as the thoughts of the scenario. A change of prompts or of behaviour that is meant makes
// another one: make cassette.
func TestCassette_Committed(t *testing.T) {
	if golden.Updating() {
		recordCassette(t)
	}
	noEndpoint(t)
	dir := filepath.Join(t.TempDir(), "run")
	r := in(t, "journal", "import", committedCassette, "--json", "--out", dir)
	if r.code != exitOK {
		t.Fatalf("exit %d: %s%s\nif prompts or behaviour were changed on purpose: make cassette", r.code, r.err, r.out)
	}
	want := summaryOf(t, r)
	if want.AgentTicks == 0 || want.NOPs == want.AgentTicks {
		t.Errorf("nobody thinks in it: %+v", want)
	}
	again := summaryOf(t, must(t, in(t, append(strings.Fields(shortLLM), filepath.Join(t.TempDir(), "again"), "--minds", "recorded:"+committedCassette)...)))
	if again.WorldHash != want.WorldHash {
		t.Errorf("as recorded minds it ends in %s, from the file in %s", again.WorldHash, want.WorldHash)
	}
	if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, want.WorldHash) {
		t.Errorf("replay: %s", r.out)
	}
}

// recordCassette writes the cassette anew.
func recordCassette(t *testing.T) {
	t.Helper()
	dir, _ := recordLLM(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	if err := os.Remove(committedCassette); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	must(t, in(t, "journal", "export", dir, "--thoughts", committedCassette))
}
