package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// watching serves a run until the test ends or stop is called, which returns the exit code and what was written to standard error.
func watching(t *testing.T, dir string, args ...string) (url string, stop func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	var errw bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- execute(ctx, append([]string{"watch", dir, "--json", "--listen", "127.0.0.1:0"}, args...), w, &errw)
		_ = w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("watch printed no address: %v", err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	var at struct{ URL string }
	if err := json.Unmarshal([]byte(line), &at); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	stop = func() (int, string) {
		cancel()
		code := <-done
		done <- code
		return code, errw.String()
	}
	t.Cleanup(func() { stop() })
	return at.URL, stop
}

// answerOf asks a server for a JSON value.
func answerOf(t *testing.T, url string, into any) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d %v\n%s", url, res.StatusCode, err, b)
	}
	return string(b)
}

// The page shows what the commands print: inspect, metrics.csv, and the sentences of tail.
func TestWatch_ShowsWhatCommandsPrint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--set", "minds.scripted.malformed_rate=1.0", "--set", "dormancy.wake_after_cycles=0", "--set", "store.tables=demand", "--out", dir))
	url, stop := watching(t, dir)
	var run, printed map[string]any
	answerOf(t, url+"/api/run", &run)
	if err := json.Unmarshal([]byte(must(t, in(t, "inspect", dir, "--json")).out), &printed); err != nil {
		t.Fatal(err)
	}
	if a, b := mustJSON(t, run), mustJSON(t, printed); a != b {
		t.Errorf("the page shows another run than inspect:\n%s\n%s", a, b)
	}
	var items []struct{ Level, Text string }
	for len(items) == 0 { // until the logs were read
		answerOf(t, url+"/api/timeline?limit=1000", &items)
	}
	for _, want := range []string{"warning: 3 NOPs in a row", "ACTIVE → DORMANT: nop_limit, 10 NOPs in a row"} {
		n := 0
		for _, it := range items {
			if strings.Contains(it.Text, want) {
				n++
			}
		}
		if n != 8 {
			t.Errorf("%d items say %q, want one of each of 8 agents", n, want)
		}
	}
	var rows []struct{ Cycle, NOPs int }
	for len(rows) == 0 {
		answerOf(t, url+"/api/metrics", &rows)
	}
	if len(rows) != 4 || rows[1].NOPs != 80 {
		t.Errorf("figures by cycle are %+v, want cycles 0 to 3 with 80 NOPs in cycle 1", rows)
	}
	if code, errw := stop(); code != exitOK {
		t.Errorf("Ctrl-C ends with %d: %s", code, errw)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Of a run without logs the page knows what the store tells at the end of each cycle.
func TestWatch_RunWithoutLogs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--logs=false", "--set", "minds.scripted.malformed_rate=1.0", "--set", "dormancy.wake_after_cycles=0", "--out", dir))
	url, _ := watching(t, dir)
	var items []struct{ Source, Text string }
	for len(items) == 0 {
		answerOf(t, url+"/api/timeline?limit=1000", &items)
	}
	asleep := 0
	for _, it := range items {
		if it.Source == "event" && strings.Contains(it.Text, "ACTIVE → DORMANT: nop_limit") {
			asleep++
		}
	}
	if asleep != 8 {
		t.Errorf("%d of 8 agents are seen to fall asleep: %+v", asleep, items)
	}
}

func TestWatch_WrongInput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--logs=false", "--out", dir))
	busy, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	says(t, "watch|"+dir+"-none", exitInput, "does not exist; want the directory of a run")
	says(t, "watch|"+dir+"|--listen|3000", exitInput, `--listen is "3000"; want an address and a port, such as 127.0.0.1:3000`)
	says(t, "watch|"+dir+"|--listen|"+busy.Addr().String(), exitFailure, "address already in use; choose another address, or --listen 127.0.0.1:0 for a free port")
}

// A run that is watched is the same run, and who watches it from its first cycle on hears of every cycle.
func TestWatch_ChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", dir))
	url, _ := watching(t, dir)
	must(t, in(t, "resume", dir, "--cycles", "6"))
	var rows []struct{ Cycle int }
	for len(rows) < 7 {
		answerOf(t, url+"/api/metrics", &rows)
	}
	var run struct {
		Cycle     int
		WorldHash string `json:"world_hash"`
	}
	for run.Cycle < 6 { // an inspection is good enough for some seconds
		answerOf(t, url+"/api/run", &run)
	}
	if want := runEpoch0(t, "--cycles", "6").sum.WorldHash; run.WorldHash != want {
		t.Errorf("the watched run ends in %s, an unwatched one in %s", run.WorldHash, want)
	}
}
