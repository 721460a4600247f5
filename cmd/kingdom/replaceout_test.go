package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// What --out of report and graph names is replaced if it is such a file already, or empty; a run stays readable.
func TestReplaceOut_OnlyFilesOfTheSameKind(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", "r"))
	must(t, in(t, "graph", "r", "--out", "g.graphml"))
	page, err := os.ReadFile(filepath.Join("r", reportFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("other.html", []byte("<!doctype html>\n<p>of mine</p>\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("empty", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	before := files(t)
	for _, line := range []string{"report|r|--out|r/scenario.yaml", "report|r|--out|r/run.json", "report|r|--out|r/kingdom.db", "report|r|--out|other.html", "report|r|--out|g.graphml"} {
		says(t, line, exitInput, "exists and is not a report of kingdom, so it is not replaced; name another file with --out, such as report.html")
	}
	for _, line := range []string{"graph|r|--out|r/run.json", "graph|r|--out|r/report.html", "graph|r|--of|payments|--out|other.html"} {
		says(t, line, exitInput, "exists and is not GraphML, so it is not replaced; name another file with --out, such as ")
	}
	says(t, "report|r|--out|socket", exitInput, "socket is not a plain file, and would be replaced by one")
	for name, text := range files(t) {
		if before[name] != text {
			t.Errorf("%s was changed", name)
		}
	}
	must(t, in(t, "graph", "r", "--of", "payments", "--out", "g.graphml"))
	must(t, in(t, "report", "r", "--title", "Another", "--out", filepath.Join("r", reportFile)))
	must(t, in(t, "report", "r", "--out", "empty"))
	must(t, in(t, "report", "r"))
	for _, file := range []string{"empty", filepath.Join("r", reportFile)} {
		if got, err := os.ReadFile(file); err != nil || string(got) != string(page) {
			t.Errorf("%s is not the report: %v", file, err)
		}
	}
}

// files has the content of each file of the run r and beside it, except for logs and the files of the open database.
func files(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*", "r/*.yaml", "r/*.json", "r/*.html", "r/kingdom.db"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = string(b)
		}
	}
	return out
}
