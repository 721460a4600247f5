//go:build !race

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"kingdom/engine"
)

// A wrong input is answered with file, line and field, what is wrong and what would be right; no files are left.
func TestWrongInputs_ErrorsSayWhatWouldBeRight(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(envEndpoint, "foo")
	t.Setenv(envModel, "m")
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "r1"))
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--seed", "7", "--out", "r2"))
	must(t, in(t, "run", "epoch0", "--seeds", "1", "--cycles", "1", "--out", "s1"))
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const tail = "population:\n  - role: LIBRARIAN\n"
	write("field.yaml", "name: x\nseeed: 1\n"+tail)
	write("tab.yaml", "name: x\n\tseed: 1\n")
	write("open.yaml", "name: [x\nseed: 1\n")
	write("adversary.yaml", "name: x\npopulation:\n  - role: LIBRARIAN\n    adversary: gap-pumpp\n")
	write("endpoint.yaml", "name: x\nminds:\n  models:\n    big: {endpoint: \"ftp://h/v1\", model: m}\n  tiers: {1: [big], 2: [big], 3: [big]}\n"+tail)
	write("short.yaml", "name: x\nminds:\n  models:\n    big: {endpoint: \"https://h/v1\", model: m, context: 4096}\n  tiers: {1: [big], 2: [big], 3: [big]}\n"+tail)
	write("tier.yaml", "name: x\nminds:\n  models:\n    big: {endpoint: \"https://h/v1\", model: m}\n  tiers:\n    1: [big]\n    fast: [big]\n"+tail)
	for _, tt := range []struct{ command, says string }{
		{"run tier.yaml --no-preflight", "tier.yaml:7:5: minds.tiers.fast: unknown key; a tier is 1 (strategic thoughts), 2 (standard thoughts) or 3 (reflexes)"},
		{"run epoch0 --set name=\xff --out made", "--set name=\uFFFD: has the byte 0xff, which is not UTF-8; give the argument as UTF-8"},
		{"run epoch0 --seed \xff --out made", "--seed has the byte 0xff, which is not UTF-8; give the argument as UTF-8"},
		{"run epoch0 --seeds \xff,2 --out made", "not UTF-8"},
		{"fork r1 --at 0 --set minds.blind=[\xff] --out made", "--set minds.blind=[\uFFFD]: has the byte 0xff, which is not UTF-8"},
		{"fork r1 --at 0 --input {do:\xff} --out made", "--input {do:\uFFFD}: has the byte 0xff, which is not UTF-8"},
		{"resume r1 --set minds.models.default.endpoint=http://h/v1", "names a model, but the run uses none; leave it out"},
		{"report r1 --title \xff", "--title is not UTF-8; give the argument as UTF-8"},
		{"run epoch0 --cylces 3", "unknown flag --cylces; did you mean --cycles?"},
		{"run epoch0 --cycles x", `--cycles is "x"; want a whole number from 1 to 1000000`},
		{"run epoch0 --cycles 99999999999999999999", "--cycles is 99999999999999999999; want a whole number from 1 to 1000000"},
		{"run epoch0 extra", "kingdom run takes one scenario, but got 2 arguments; see kingdom run --help"},
		{"compare r1 r2 r1", "kingdom compare takes one directory of a sweep, or two directories of runs or of sweeps, but got 3 arguments; see kingdom compare --help"},
		{"help nosuch", `kingdom has no command "nosuch"; it has actions, `},
		{"help scenario lst", `kingdom scenario has no command "lst"; did you mean kingdom scenario list?`},
		{"run nosuch.yaml", "nosuch.yaml: no such scenario; want the path of a file, or one of adversaries,"},
		{"run field.yaml", `field.yaml:2:1: seeed: unknown key; did you mean "seed"?`},
		{"run tab.yaml", "tab.yaml:2:1: is indented with a tab; YAML wants spaces"},
		{"run open.yaml", "open.yaml:2:5: is not YAML here"},
		{"run open.yaml", "\nmore may follow once this is mended\n"},
		{"run epoch0 --set mint.upkep=1", "mint.upkep: unknown key; did you mean mint.upkeep?"},
		{"scenario validate -", "-: no such scenario; want the path of a file; /dev/stdin is that of standard input"},
		{"run epoch0 --portal=", "--portal is empty; want offline, http, recorded:DIR or record:DIR, or leave it out; if the shell was to put it in, its variable is not set"},
		{"run epoch0 --out=", "--out is empty; want where to write, or leave it out; if the shell was to put it in, its variable is not set"},
		{"run epoch0 --seeds 1..2 --out=", "--out is empty"},
		{"fork r1 --at 0 --out=", "--out is empty"},
		{"report r1 --out=", "--out is empty"},
		{"graph r1 --out=", "--out is empty"},
		{"society ablate epoch0 --seeds 1..2 --only money --out=", "--out is empty"},
		{"society genome epoch0 --seeds 1..2 --out=", "--out is empty"},
		{"journal import r1 --out=", "--out is empty"},
		{"journal import r1 --out made", "r1 is a directory; want a cassette, which kingdom journal export RUN --thoughts FILE creates; kingdom run --minds recorded:RUN reuses the answers of a run"},
		{"run epoch0 --minds=", "--minds is empty; want recorded:RUN, recorded:FILE or models, or leave it out; if the shell was to put it in, its variable is not set"},
		{"resume r1 --minds=", "--minds is empty; want"},
		{"run epoch0 --store=", "--store is empty; want sqlite or postgres://user@host/db, or leave it out; if"},
		{"replay r1 --store=", "--store is empty; want"},
		{"inspect r1 --store=", "--store is empty; want"},
		{"run adversary.yaml", `adversary.yaml:4:16: population[0].adversary: names the strategy "gap-pumpp", which does not exist; did you mean gap-pump?`},
		{"run endpoint.yaml --no-preflight", "endpoint.yaml:4:21: minds.models.big.endpoint: must begin with https:// or http://"},
		{"run short.yaml --no-preflight", "short.yaml:4:56: minds.models.big.context: is 4096 tokens; rules and actions take"},
		{"run epoch0 --set seed", "--set seed: has no =; want path=value, such as time.base_budget=32"},
		{"run epoch0 --set time.base_budget=abc", `--set time.base_budget=abc: time.base_budget: is the text "abc"; want a whole number from 1 to 65536`},
		{"run epoch0 --out r1", "run directory r1 exists and a run is never overwritten; choose another --out"},
		{"fork r1 --at 9 --out made", "r1 has reached cycle 1, so it cannot be forked at cycle 9; kingdom resume r1 --cycles 9"},
		{"fork nosuch --at 1 --out made", "nosuch does not exist; want the directory of a run"},
		{"fork r1 --at 18446744073709551615 --out made", "r1 has reached cycle 1, so it cannot be forked at cycle 18446744073709551615; want --at from 0 to 1"},
		{"run epoch0 --cycles 1000001 --out made", "--cycles is 1000001; want a whole number from 1 to 1000000"},
		{"resume r1 --cycles 1000001", "--cycles is 1000001; want a whole number from 1 to 1000000"},
		{"resume r1 --cycles 0", "--cycles is 0; want a whole number from 1 to 1000000, the cycle to stop at"},
		{"resume s1 --cycles 1000001", "--cycles is 1000001; want a whole number from 1 to 1000000"},
		{"society ablate epoch0 --seeds 1..2 --only money --cycles 1 --out r1", "r1 is the directory of a run or a sweep; want one of its own"},
		{"society genome epoch0 --seeds 1..2 --cycles 1 --out s1", "s1 is the directory of a run or a sweep; want one of its own"},
		{"run epoch0-llm --minds recorded:r1 --out made", "no agent of r1 thought with a model, so it has no thought to reuse; want a run that asked models"},
		{"run epoch0 --budget 1 --out made", "epoch0 asks no models, so that it needs no --budget; leave it out"},
		{"fork r1 --at 0 --budget 1 --out made", "r1 asks no models, so that it needs no --budget; leave it out"},
		{"prompt epoch0 --cycle 0", "--cycle is 0; want a cycle from 1 to 50, the last one of epoch0"},
		{"prompt epoch0 --cycle 99", "--cycle is 99; want a cycle from 1 to 50, the last one of epoch0"},
		{"dev fakellm x", "kingdom dev fakellm takes no arguments; see kingdom dev fakellm --help"},
		{"run epoch0-llm --out made", "KINGDOM_ENDPOINT: minds.models.default.endpoint: is no URL; give one such as"},
		{"tail nosuch", "nosuch does not exist; want the directory of a run"},
		{"tail r1 --agent 9", `no agent of r1 is named "9"; want its number from 1 to 8, an alias of 8 digits`},
		{"inspect r1 --cycle 7", "r1 has reached cycle 1, so there is no cycle 7; want a cycle from 0 to 1"},
		{"compare r1 nosuch", "nosuch does not exist; want the directory of a run"},
		{"compare r1", "r1 is a run; name a second run to compare it with: kingdom compare r1 OTHER"},
		{"replay nosuch", "nosuch does not exist; want the directory of a run"},
		{"verify nosuch", "nosuch does not exist; want a list of scenarios and their hashes, such as scenarios/golden.yaml"},
		{"verify r1", "r1 is a directory; want a list of scenarios and their hashes, such as scenarios/golden.yaml; kingdom replay r1 checks a run"},
		{"actions bounty_clam", `no action is named "bounty_clam"; did you mean bounty_claim?`},
	} {
		r := in(t, strings.Fields(tt.command)...)
		if r.code != exitInput || !strings.Contains(r.err, tt.says) {
			t.Errorf("kingdom %s: exit %d: %s\nwant %d and %q", tt.command, r.code, r.err, exitInput, tt.says)
		}
		if _, err := os.Stat("made"); err == nil {
			t.Fatalf("kingdom %s made a run", tt.command)
		}
	}
	r := must(t, in(t, "compare", "r1", "r2"))
	if want := "first difference: the worlds as they begin: other agents, proposals, votes and budgets in b (nexus is "; !strings.Contains(r.out, want) {
		t.Errorf("compare says %s\nwant %q", r.out, want)
	}
}

// An agent has the same number for every command that asks for one.
func TestAgents_ByNumber(t *testing.T) {
	s := runEpoch0(t, "--cycles", "1")
	alias := inspectOf(t, s.dir).Agents[2].Alias
	for _, command := range []string{"inspect DIR --json --agent ", "tail DIR --think --json --agent ", "explain DIR --json --agent ", "prompt epoch0 --json --agent "} {
		args := strings.Fields(strings.ReplaceAll(command, "DIR", s.dir))
		number, name := must(t, in(t, append(args, "3")...)), must(t, in(t, append(args, alias)...))
		if number.out != name.out || number.out == "" {
			t.Errorf("kingdom %s3 prints %.200s\nand with its alias %.200s", command, number.out, name.out)
		}
	}
}

// A difference that only the end of a cycle shows is described in words, with commands to look at both runs.
func TestCompare_DifferenceAtEndOfCycleIsDescribed(t *testing.T) {
	var b bytes.Buffer
	long := strings.Repeat("ab", 32)
	c := &runComparison{A: "a b", B: "c", physics: [2]uint32{engine.Physics, engine.Physics}, difference: &engine.RunDifference{First: &engine.DivergenceError{Cycle: 4, Component: "mint", Want: long, Got: "cd" + long[2:], After: &engine.Aftermath{Until: 6}}}}
	c.printCycleDifference(&app{out: &b})
	want := "first difference: the end of cycle 4: other accounts, escrows, stakes and rewards in b (mint is abababab in a, cdababab in b)\n" +
		"inputs, thoughts and requests up to there are the same, so the scenarios or the builds applied them differently\n" +
		"up to the end of cycle 6 no agent thought or sent anything else\n" +
		"  kingdom inspect 'a b' --cycle 4\n  kingdom inspect c --cycle 4\n"
	if b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
	b.Reset()
	c.difference = &engine.RunDifference{First: &engine.DivergenceError{Cycle: 4, Component: "counters", Want: "cycle 4, 8 active", Got: "cycle 4, 7 active"}}
	c.printCycleDifference(&app{out: &b})
	if want := "first difference: the end of cycle 4: counters\n  a  cycle 4, 8 active\n  b  cycle 4, 7 active\n  kingdom inspect 'a b' --cycle 4\n  kingdom inspect c --cycle 4\n"; b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}

// Differences of metrics are written as the metrics are.
func TestCompare_DifferencesAreWrittenInFull(t *testing.T) {
	var b bytes.Buffer
	c := &runComparison{A: "a", B: "b", difference: &engine.RunDifference{First: &engine.DivergenceError{Component: "counters"}}, Metrics: []metricPair{{"money", 1, 11730}, {"gini", 0.5, 0.25}}}
	c.print(&app{out: &b})
	if want := "METRIC  A    B      DIFFERENCE\nmoney   1    11730  +11729\ngini    0.5  0.25   -0.25\n"; !strings.Contains(b.String(), want) {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}

// The errors are made here, since the tests may run as root, to whom the system refuses nothing.
func TestRewordError_PermissionErrorsSayWhatToDo(t *testing.T) {
	const advice = "; this user may not read or write there: change the permissions, or use a place of your own"
	for _, tt := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("create run directory: %w", &fs.PathError{Op: "mkdir", Path: "x", Err: syscall.EACCES}), "create run directory: mkdir x: permission denied" + advice},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, "open x: read-only file system; nothing can be written there: name a place on another file system, or have this one mounted for writing"},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}, "open x: no such file or directory"},
		{fmt.Errorf("%w; use a copy", fs.ErrPermission), "permission denied; use a copy"},
	} {
		if got := rewordError(&cobra.Command{}, tt.err); got.Error() != tt.want || !errors.Is(got, tt.err) {
			t.Errorf("%v became %q, want %q", tt.err, got, tt.want)
		}
	}
	if rewordError(&cobra.Command{}, nil) != nil {
		t.Error("no error became one")
	}
}

// A full disk is said to be one that needs space, also where no run has begun. A run that stopped says it itself.
func TestRewordError_FullDiskSaysWhatToDo(t *testing.T) {
	full := fmt.Errorf("create journal segment: %w", &fs.PathError{Op: "write", Path: "r/journal/000002.kj", Err: syscall.ENOSPC})
	if got, want := rewordError(&cobra.Command{Use: "resume"}, full), full.Error()+"; free space, then give the command again"; got.Error() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	store := fmt.Errorf("open store: %w: migrate: database or disk is full (13); sql: transaction has been rolled back", syscall.ENOSPC)
	if got, want := rewordError(&cobra.Command{Use: "run"}, store), store.Error()+"; free space, then give the command again"; got.Error() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	named := &fs.PathError{Op: "mkdir", Path: "free space", Err: syscall.EDQUOT} // the name of a path is no advice
	if got, want := rewordError(&cobra.Command{Use: "run"}, named), named.Error()+"; free space, then give the command again"; got.Error() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	run := &engine.DiskFullError{Cycle: 6, Dir: "r", Err: full}
	if got := rewordError(&cobra.Command{Use: "resume"}, run); got.Error() != run.Error() {
		t.Errorf("the error of a run was changed to %s", got)
	}
}

// An argument is empty where a script's variable is not set. The message must not name nothing.
func TestWrongInputs_EmptyArgument(t *testing.T) {
	const why = " --help says; if the shell was to put it in, its variable is not set\n"
	says(t, "replay|", exitInput, "kingdom: argument 1 of kingdom replay is empty; want what kingdom replay"+why)
	says(t, "compare|a|", exitInput, "kingdom: argument 2 of kingdom compare is empty; want what kingdom compare"+why)
	says(t, "journal|verify|", exitInput, "kingdom: argument 1 of kingdom journal verify is empty; want what kingdom journal verify"+why)
	if r := in(t, "__complete", "replay", ""); r.code != exitOK {
		t.Errorf("completion of an empty word: %+v", r)
	}
}
