//go:build !race

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/sql/sqlite"
)

// Wrong arguments, and the messages for them.
func TestMessages_ForWrongArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"empty", "other/thing"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"inspect|file", "tail|file", "explain|file|--agent|1", "replay|file", "resume|file", "fork|file|--at|1", "tables|file", "society|file", "compare|file|file",
	} {
		says(t, line, exitInput, "file is a file; want the directory of a run, which kingdom run SCENARIO makes")
	}
	says(t, "inspect|file/below", exitInput, "file/below does not exist; want the directory of a run")
	says(t, "run|epoch0|--cycles|0", exitInput, "--cycles is 0; want a whole number from 1")
	says(t, "run|epoch0|--budget|minus", exitInput, `--budget is "minus"; want a number such as 2.50`)
	says(t, "run|epoch0|--set|cycles=0", exitInput, "--set cycles=0: cycles: is 0")
	says(t, "run|epoch0|--cycels|3", exitInput, "unknown flag --cycels; did you mean --cycles?")
	says(t, "run|epoch0|--zzzzzz|3", exitInput, "unknown flag --zzzzzz; see kingdom run --help")
	says(t, "runn", exitInput, "kingdom has no command \"runn\"; did you mean kingdom run?")
	says(t, "scenario|lst", exitInput, "did you mean kingdom scenario list?")
	says(t, "journal|zzz", exitInput, "it has export")
	says(t, "completion|ksh", exitInput, `kingdom completion has no command "ksh"`)
	says(t, "completion|bash|--help", exitOK, "bash-completion")
	says(t, "run|epoch0|--cycles|1|--out|file", exitInput, "file is a file")
	says(t, "run|epoch0|--cycles|1|--out|other", exitInput, "a directory with other things than a run in it, such as thing")
	says(t, "run|epoch0|--store|mysql:x|--out|empty", exitInput, `--store is "mysql:x"; want sqlite or postgres:`)
	if inside, err := os.ReadDir("empty"); err != nil || len(inside) > 0 {
		t.Errorf("a run that did not start left %v in the empty directory, %v", inside, err)
	}
	says(t, "run|epoch0|--cycles|2|--out|empty", exitOK, "epoch0 finished")
	says(t, "run|epoch0|--cycles|1|--out|empty", exitInput, "a run is never overwritten")
	for _, part := range []string{"empty/log", "empty/log/nop.jsonl", "empty/run.json"} {
		says(t, "tail|"+part, exitInput, part+" is a part of the run empty; name that: empty")
	}
	for _, line := range []string{"inspect|empty", "tail|empty", "prompt|epoch0"} {
		says(t, line+"|--agent|", exitInput, "--agent is empty; want the number, name, alias or id of an agent, or leave it out")
	}
	if err := os.Rename("empty/log", "logs"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("empty/log", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"tail|empty", "resume|empty|--cycles|3", "graph|empty|--out|file/x"} {
		says(t, line, exitFailure, "not a directory; a part of this path is a file, where a directory is wanted: move it away, or name another path")
	}
	if err := errors.Join(os.Remove("empty/log"), os.Rename("logs", "empty/log")); err != nil {
		t.Fatal(err)
	}
	says(t, "run|epoch0|--seed|", exitInput, "--seed is empty; want a number or text, such as 42 or blue")
	says(t, "run|epoch0|--seed|018|--cycles|1", exitOK, "runs/epoch0-018")
	says(t, "run|epoch0|--seeds|018,true|--cycles|1", exitOK, "2 of 2")
	says(t, "help|scenario|list", exitOK, "kingdom scenario list [flags]")
	says(t, "inspect|empty|--cycle|-7", exitInput, "--cycle is -7; want a cycle from 0 to 2")
	says(t, "resume|empty|--cycles|0", exitInput, "--cycles is 0")
	says(t, "resume|empty|--cycles|1", exitInput, "has already reached cycle 2; --cycles says where to stop, so it must be 2 or more")
	says(t, "resume|empty", exitOK, "empty has already reached cycle 2, so there is nothing to do; kingdom resume empty --cycles 12 extends it")
}

func TestMessages_CommandsQuotePaths(t *testing.T) {
	t.Chdir(t.TempDir())
	says(t, "run|epoch0|--cycles|1|--out|it's mine", exitOK, `kingdom inspect 'it'\''s mine'`)
	says(t, "run|epoch0|--cycles|1|--out|it's mine", exitInput, `kingdom resume 'it'\''s mine'`)
	for path, want := range map[string]string{"runs/epoch0-42": "runs/epoch0-42", "a b": "'a b'", "$x": "'$x'", "": "''", "größe": "größe", "~x": "'~x'"} {
		if got := shellQuote(path); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", path, got, want)
		}
	}
}

// A missing file of a run is named with what to do, and nothing is made in its place.
func TestMessages_ForMissingFilesOfARun(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--out", "run"))
	want := must(t, in(t, "inspect", "run", "--cycle", "2")).out
	if err := os.RemoveAll(filepath.Join("run", "snapshots")); err != nil {
		t.Fatal(err)
	}
	r := must(t, in(t, "inspect", "run", "--cycle", "2"))
	if r.out != want || !strings.Contains(r.err, "re-executing from the bootstrap with the journal, which takes longer") {
		t.Errorf("without snapshots:\n%s%s\nwant\n%s", r.out, r.err, want)
	}
	for _, name := range []string{"kingdom.db", "kingdom.db-wal", "kingdom.db-shm", "kingdom.db.lock"} {
		if err := os.RemoveAll(filepath.Join("run", name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"inspect", "replay", "resume"} {
		says(t, command+"|run", exitFailure, "the run's database run/kingdom.db is missing; restore it from a copy, or run the scenario again: kingdom run run/scenario.yaml")
	}
	if found, err := filepath.Glob(filepath.Join("run", "kingdom.db*")); err != nil || len(found) > 0 {
		t.Errorf("made %v, %v", found, err)
	}
	if err := os.WriteFile(filepath.Join("run", "kingdom.db"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"inspect", "replay", "tables", "resume", "inspect"} { // the last one of tables without a row
		says(t, command+"|run", exitFailure, "the run's database run/kingdom.db holds no world; restore it from a copy, or run the scenario again: kingdom run run/scenario.yaml")
	}
	if err := os.Rename(filepath.Join("run", scenarioFile), "aside"); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"inspect", "replay", "resume"} {
		says(t, command+"|run", exitFailure, "run/scenario.yaml is missing, which says what was run; restore it from a copy")
	}
	for text, want := range map[string]string{"": "is empty", "name: [": "line ", "- name": "is a list"} {
		if err := os.WriteFile(filepath.Join("run", scenarioFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := in(t, "inspect", "run", "--json")
		if r.code != exitFailure || !strings.Contains(r.err, "run/scenario.yaml is damaged, which says what was run: ") || !strings.Contains(r.err, want) || !strings.Contains(r.out, `"code":"damaged"`) {
			t.Errorf("%q: exit %d: %s", text, r.code, r.err)
		}
	}
	if err := os.Rename("aside", filepath.Join("run", scenarioFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("run", runFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, "inspect|run", exitFailure, "run/run.json is damaged")
}

// A run.json that is none of this run's is damage, whichever command reads it.
func TestMessages_ChangedRunFile(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "run"))
	path := filepath.Join("run", runFile)
	whole := read(t, path)
	for from, to := range map[string]string{
		`"seed": "42"`: `"seed": "43"`, `"cycle": 1`: `"cycle": 3400`, `"finished"`: `"dancing"`,
		`"until"`: `"untik"`, `"cycle"`: `"Cycle"`, `"scenario"`: `"scenaryo"`, `"physics"`: `"phisics"`, // one bit each
		`  "status": "finished",`: ``, `"status"`: `"more": 1, "status"`,
		`"sqlite"`: `"sqlight"`, `: 1,`: `: -1,`, `"42"`: `42`,
	} {
		changed := strings.Replace(whole, from, to, 1)
		if changed == whole {
			t.Fatalf("run.json has no %s", from)
		}
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"inspect|run", "replay|run", "resume|run|--cycles|2"} {
			says(t, command, exitFailure, "run/run.json is damaged: ")
			says(t, command, exitFailure, "; restore it from a copy, or run the scenario again: kingdom run run/scenario.yaml")
			if r := in(t, strings.Split(command, "|")...); strings.Contains(r.err, "RunFile") || strings.Contains(r.err, "--store") {
				t.Errorf("%s with %s: %s", command, to, r.err)
			}
		}
	}
}

// A key of run.json that is missing or unknown is named, also by the commands that read little of it.
func TestMessages_KeysOfRunFile(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..2", "--cycles", "1", "--out", "sweep"))
	dir := filepath.Join("sweep", "seed-1")
	path := filepath.Join(dir, runFile)
	whole := read(t, path)
	change := func(from, to string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Replace(whole, from, to, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const remedy = "; restore it from a copy, or run the scenario again: kingdom run sweep/seed-1/scenario.yaml"
	commands := []string{"inspect|" + dir, "tail|" + dir, "explain|" + dir + "|--agent|1", "report|" + dir, "fork|" + dir + "|--at|1", "compare|sweep", "society|sweep", "resume|sweep|--cycles|2"}
	change(`"seed"`, `"sead"`)
	for _, command := range commands {
		says(t, command, exitFailure, path+` is damaged: it has no key "seed", but the unknown key "sead"`+remedy)
	}
	change(`"seed": "1",`, ``)
	says(t, "tail|"+dir, exitFailure, path+` is damaged: it has no key "seed"`+remedy)
	change(`{`, `{"sead": 1,`)
	says(t, "tail|"+dir, exitFailure, path+` is damaged: it has the key "sead", which this version of kingdom does not know`+remedy)
	change(`{`, `{"build": "v2", "prompts_digest": "00", "error": "disk full",`)
	says(t, "tail|"+dir, exitOK, "end of cycle")
	// A later version may have more keys. Its run needs that version, and is not damaged.
	change(`"physics": `, `"build": "v9.1", "planets": 8, "physics": 9`)
	says(t, "tail|"+dir, exitInput, "use the kingdom version that wrote the run: v9.1")
}

// Resuming a run that is running names the run, and how to watch it.
func TestMessages_ResumeOfRunningRunSaysHowToWatchIt(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "run"))
	st, err := sqlite.Open(t.Context(), filepath.Join("run", "kingdom.db"), sqlite.Later)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"resume|run|--cycles|2", "tables|run"} {
		says(t, command, exitFailure, "run is going on in another process; wait until it ends, or follow it: kingdom tail run -f")
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "resume", "run", "--cycles", "2"))
}

// An interrupted command that only reads has nothing to resume.
func TestMessages_InterruptedReadingCommandNamesNoResume(t *testing.T) {
	dir := recordedRun(t)
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, command := range []string{"replay", "inspect", "resume"} {
		var out, errw bytes.Buffer
		code := execute(stopped, []string{command, dir}, &out, &errw)
		if text := out.String() + errw.String(); code != exitInterrupted || strings.Contains(text, "kingdom resume") && command != "resume" || strings.Contains(text, "context canceled") {
			t.Errorf("%s: exit %d\n%s", command, code, text)
		}
	}
}

func TestCompletion_OffersValidArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1"))
	alias := strings.Fields(must(t, in(t, "inspect", "runs/epoch0-42")).out)
	for line, want := range map[string]string{
		"run|ep":                                "epoch0\t",
		"doctor|":                               "epoch0-llm\t",
		"scenario|show|vil":                     "village\t",
		"inspect|":                              "runs/epoch0-42\n",
		"replay|ru":                             "runs/epoch0-42\n",
		"inspect|runs/epoch0-42|--agent|":       "\n",
		"run|epoch0|--set|mint.in":              "mint.initial_balance=\n",
		"scenario|show|epoch0|--set|time.base_": "time.base_budget=\n",
	} {
		r := must(t, in(t, append([]string{"__complete"}, strings.Split(line, "|")...)...))
		if !strings.Contains(r.out, want) {
			t.Errorf("completing %s: %q, want %q", line, r.out, want)
		}
	}
	r := must(t, in(t, "__complete", "tail", "runs/epoch0-42", "--agent", ""))
	found := 0
	for _, word := range alias {
		if len(word) == 8 && strings.Contains(r.out, word+"\n") {
			found++
		}
	}
	if found < 8 {
		t.Errorf("%d of 8 agents offered: %q", found, r.out)
	}
}
