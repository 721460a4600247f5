package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What --portal takes, and what is said of anything else. A run that could not start leaves nothing.
func TestPortal_Flag(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("pages", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const words = "want offline, http, recorded:DIR or record:DIR"
	const gone = "is not a directory; create it, or name another"
	for word, text := range map[string]string{
		"offlin": words, "http:pages": words, "offline:pages": words, "recorded": words, "recorded:": words, "record": words, "pages": words,
		"recorded:nowhere": "nowhere " + gone, "record:nowhere": "nowhere " + gone, "recorded:file": "file " + gone,
	} {
		says(t, "run|epoch0|--cycles|1|--portal|"+word, exitInput, "--portal "+word+": ")
		says(t, "run|epoch0|--cycles|1|--portal|"+word, exitInput, text)
	}
	says(t, "run|epoch0|--cycles|1|--set|portal.fetcher=recorded|--set|portal.recordings=nowhere", exitInput, "kingdom: portal.recordings of the scenario: nowhere "+gone)
	if left, err := os.ReadDir("runs"); len(left) > 0 {
		t.Errorf("runs that could not start left %v, %v", left, err)
	}
	for _, word := range []string{"offline", "http", "recorded:pages", "record:pages"} { // nobody asks in epoch 0
		says(t, "run|epoch0|--cycles|1|--portal|"+word+"|--out|"+strings.ReplaceAll(word, ":", "-"), exitOK, "epoch0 finished")
	}
	says(t, "resume|offline|--cycles|2|--portal|recorded:nowhere", exitInput, "nowhere "+gone)
	says(t, "resume|offline|--cycles|2|--portal|recorded:pages", exitOK, "finished")
}

// What --portal said when a run began answers also when it goes on and in its forks, wherever these commands are given. They say
// so, because that may be the network.
func TestPortal_KeptForResumeAndFork(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("pages", 0o755); err != nil {
		t.Fatal(err)
	}
	kept := "recorded:" + filepath.Join(here, "pages")
	says(t, "run|epoch0|--cycles|1|--portal|recorded:pages|--out|r", exitOK, "finished")
	says(t, "inspect|r", exitOK, "web requests  answered as --portal "+kept+" says\n")
	if err := os.Mkdir("elsewhere", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir("elsewhere")
	says(t, "resume|../r|--cycles|2", exitOK, "web requests are answered as --portal "+kept+" says, which run.json keeps; give --portal to change it\n")
	says(t, "fork|../r|--at|1", exitOK, "web requests are answered as --portal "+kept+" says")
	says(t, "inspect|../r-at1|--json", exitOK, `"portal": "`+kept+`"`)

	if err := os.Rename("../pages", "../moved"); err != nil {
		t.Fatal(err)
	}
	const gone = "is not a directory; create it, or name another"
	says(t, "resume|../r|--cycles|3", exitInput, "run.json keeps --portal "+kept+": "+filepath.Join(here, "pages")+" "+gone)
	says(t, "fork|../r|--at|1", exitInput, "run.json keeps --portal "+kept+": ")
	if fileExists("../r-at1-2") {
		t.Error("a fork that could not start is there")
	}
	for _, args := range [][]string{{"resume", "../r", "--cycles", "3"}, {"fork", "../r", "--at", "1", "--out", "../f"}} {
		if r := must(t, in(t, append(args, "--portal", "offline")...)); strings.Contains(r.err, "web requests") {
			t.Errorf("%v with another --portal says %s", args, r.err)
		}
	}
	for _, dir := range []string{"../r", "../f"} {
		if got := inspectOf(t, dir).Portal; got != "offline" {
			t.Errorf("after --portal offline %s keeps %q", dir, got)
		}
	}
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "../plain"))
	if b, err := os.ReadFile("../plain/run.json"); err != nil || strings.Contains(string(b), "portal") {
		t.Errorf("a run without the flag has it in run.json, which earlier builds could not read then: %s, %v", b, err)
	}
}

// The runs of a sweep that begin later are answered by what answers those before them, and so are those of a fork of the sweep.
func TestPortal_KeptForASweep(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("pages", 0o755); err != nil {
		t.Fatal(err)
	}
	full, err := filepath.Abs("pages")
	if err != nil {
		t.Fatal(err)
	}
	kept := func(of string, seeds ...string) {
		t.Helper()
		for _, seed := range seeds {
			if got := inspectOf(t, of+"/seed-"+seed).Portal; got != "recorded:"+full {
				t.Errorf("seed %s of %s keeps %q", seed, of, got)
			}
		}
	}
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--seeds", "1,2", "--portal", "recorded:pages", "--out", "s"))
	if err := os.RemoveAll("s/seed-2"); err != nil {
		t.Fatal(err)
	}
	says(t, "resume|s|--portal|recorded:nowhere", exitInput, "--portal recorded:nowhere: nowhere is not a directory")
	must(t, in(t, "resume", "s", "--cycles", "2"))
	kept("s", "1", "2")
	must(t, in(t, "fork", "s", "--at", "1", "--out", "f"))
	kept("f", "1", "2")
	if err := os.RemoveAll("f/seed-2"); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "resume", "f", "--portal", "offline"))
	kept("f", "1")
	if got := inspectOf(t, "f/seed-2").Portal; got != "offline" {
		t.Errorf("seed 2 of the fork keeps %q, want what was given last", got)
	}
}

// A mind is told what it may ask where it may ask at all.
func TestPortal_DomainsInThePrompt(t *testing.T) {
	args := "prompt|epoch0|--agent|3|--set|portal.allow=[docs.test, bad.test]|--set|portal.block=[bad.test]"
	says(t, args+"|--set|epoch=3", exitOK, "portal_source:<request_id>. Allowed: docs.test. {")
	if r := in(t, strings.Split(args, "|")...); strings.Contains(r.out, "docs.test") {
		t.Errorf("the domains are named where the outside is closed:\n%s", r.out)
	}
}
