package main

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the run's database, read as a researcher would
)

// started is a finished run whose database is open for questions.
type started struct {
	dir string
	sum summaryJSON
	db  *sql.DB
}

func runEpoch0(t *testing.T, args ...string) started {
	t.Helper()
	return runScenario(t, "epoch0", append([]string{"--seed", "42"}, args...)...)
}

func runScenario(t *testing.T, scenario string, args ...string) started {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	all := append([]string{"run", scenario, "--json", "--out", dir}, args...)
	s := started{dir: dir, sum: summaryOf(t, must(t, process(t, nil, plainBinary(t), all...)))}
	db, err := sql.Open("sqlite", filepath.Join(dir, "kingdom.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s.db = db
	return s
}

// count asks for one number.
func (s *started) count(t *testing.T, query string, args ...any) int64 {
	t.Helper()
	var n sql.NullFloat64
	if err := s.db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return int64(n.Float64)
}

// Every goal source injects and completes goals, memories change, the document bounty is paid, and messages get answers
// and signals.
func TestPopulation_EveryGoalSourceCompletesGoals(t *testing.T) {
	s := runEpoch0(t)
	poor := runEpoch0(t, "--set", "mint.initial_balance=15")

	const completed = 2
	for ordinal, source := range []string{"SURVIVAL", "ROLE", "OPPORTUNITY", "CURIOSITY", "SOCIAL"} {
		run := &s
		if source == "SURVIVAL" { // nobody is poor in epoch 0 as it is
			run = &poor
		}
		injected := run.count(t, "SELECT count(*) FROM agent_goals WHERE source = ?", ordinal)
		done := run.count(t, "SELECT count(*) FROM agent_goals WHERE source = ? AND status = ?", ordinal, completed)
		t.Logf("%-11s %d goals, %d completed", source, injected, done)
		if injected == 0 || done == 0 {
			t.Errorf("source %s injected %d goals and completed %d; want both above 0", source, injected, done)
		}
	}
	const documented = "SELECT count(*) FROM agora_bounties WHERE status = 4 AND title LIKE 'Document 3%'"
	if other := runEpoch0(t, "--seed", "102"); s.count(t, documented)+other.count(t, documented) == 0 {
		t.Error("the document bounty was paid in neither of two worlds")
	}
	for what, q := range map[string]string{
		"beliefs that moved":                 "SELECT count(*) FROM agent_beliefs WHERE abs(confidence - 0.5) > 0.05",
		"agents with peer models":            "SELECT count(*) FROM agent_agent_memory WHERE length(peer_model) > 40",
		"signals (event 0x2011)":             "SELECT count(*) FROM observer_events WHERE kind = 0x2011",
		"answers":                            "SELECT count(*) FROM agora_messages WHERE kind = 2",
		"entries with two verifiers":         "SELECT count(*) FROM oracle_entries WHERE verified_by >= 2",
		"rewards paid from the treasury":     "SELECT count(*) FROM mint_transactions WHERE kind = 5",
		"votes on a proposal":                "SELECT count(*) FROM observer_events WHERE kind = 0x0021",
		"failures somebody could learn from": "SELECT count(*) FROM agent_experiences WHERE outcome = 1",
	} {
		if n := s.count(t, q); n == 0 {
			t.Errorf("%s: none in 50 cycles (%s)", what, q)
		} else {
			t.Logf("%-36s %d", what, n)
		}
	}
}

// No agent spends more than half of its ticks on NOP.
func TestPopulation_AtMostHalfOfTicksAreNOPs(t *testing.T) {
	s := runEpoch0(t)
	nops := map[string]int{}
	lines := nopLines(t, s.dir, "--nop")
	for _, l := range lines {
		if l.Class == "NOP" {
			nops[l.Agent.Alias]++
		}
	}
	slots := s.sum.AgentTicks / uint64(len(inspectOf(t, s.dir).Agents))
	for alias, n := range nops {
		if uint64(n)*2 > slots {
			t.Errorf("agent %s spent %d of about %d slots on NOP", alias, n, slots)
		}
	}
}

// Two genomes behave measurably differently, although all are offered the same actions: in at least four of five worlds the
// two LIBRARIANs publish, update and cite more than the two COMPILER_SMITHs, over all of them one and a half times as much,
// and the COMPILER_SMITHs run more programs over all of them. In a single world agents may find that others have more use
// for the other half of their role.
func TestPopulation_GenomesDiffer(t *testing.T) {
	var ofLibrarians, ofSmiths, byLibrarians, bySmiths, more int64
	const compilerSmith, librarian = 1, 2
	const written, programs = "0x3001, 0x3002, 0x3010", "0x4000" // events of entries and citations, and of sandboxes made
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		s := runEpoch0(t, "--seed", seed, "--cycles", "25")
		did := func(role int64, kinds string) int64 {
			return s.count(t, `SELECT count(*) FROM observer_events e JOIN nexus_agents a ON a.id = e.origin
				WHERE a.role = ? AND e.kind IN (`+kinds+`)`, role)
		}
		smiths, librarians := did(compilerSmith, written), did(librarian, written)
		t.Logf("seed %s: LIBRARIANs wrote %d times, COMPILER_SMITHs %d", seed, librarians, smiths)
		if librarians > smiths {
			more++
		}
		bySmiths, byLibrarians = bySmiths+did(compilerSmith, programs), byLibrarians+did(librarian, programs)
		ofLibrarians, ofSmiths = ofLibrarians+librarians, ofSmiths+smiths
	}
	if more < 4 {
		t.Errorf("LIBRARIANs wrote more than COMPILER_SMITHs in %d of five worlds; want at least four", more)
	}
	if bySmiths <= byLibrarians {
		t.Errorf("COMPILER_SMITHs made %d sandboxes, LIBRARIANs %d; want more", bySmiths, byLibrarians)
	}
	t.Logf("LIBRARIANs wrote %d times, COMPILER_SMITHs %d", ofLibrarians, ofSmiths)
	if 2*ofLibrarians < 3*ofSmiths {
		t.Errorf("LIBRARIANs wrote %d times, COMPILER_SMITHs %d; want at least one and a half times as often over the seeds", ofLibrarians, ofSmiths)
	}
}
