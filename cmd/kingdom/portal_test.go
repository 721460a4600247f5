package main

import (
	"os"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
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
	says(t, "run|epoch0|--cycles|1|--set|portal.fetcher=recorded|--set|portal.recordings=nowhere", exitInput, "nowhere "+gone)
	if left, err := os.ReadDir("runs"); len(left) > 0 {
		t.Errorf("runs that could not start left %v, %v", left, err)
	}
	for _, word := range []string{"offline", "http", "recorded:pages", "record:pages"} { // nobody asks in epoch 0
		says(t, "run|epoch0|--cycles|1|--portal|"+word+"|--out|"+strings.ReplaceAll(word, ":", "-"), exitOK, "epoch0 finished")
	}
	says(t, "resume|offline|--cycles|2|--portal|recorded:nowhere", exitInput, "nowhere "+gone)
	says(t, "resume|offline|--cycles|2|--portal|recorded:pages", exitOK, "finished")
}

// Whoever resumes a run is told that --portal must be given again: nothing keeps it, and web requests would fail.
func TestPortal_StoppedRunNamesTheFlag(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("pages", 0o755); err != nil {
		t.Fatal(err)
	}
	withServer(t, &fakellm.Server{Script: fakellm.Always(fakellm.Status(429, `{"error":{"message":"no credit","code":"insufficient_quota"}}`))})
	const again = "give it again, so that web requests are answered as until now: kingdom resume r --portal recorded:pages\n"
	says(t, "run|epoch0-llm|--cycles|1|--no-preflight|--portal|recorded:pages|--out|r", exitOutage, again)
	if r := must(t, in(t, "run", "epoch0", "--cycles", "1", "--portal", "recorded:pages", "--out", "whole")); strings.Contains(r.err, "--portal") {
		t.Errorf("a run that has finished says %s", r.err)
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
