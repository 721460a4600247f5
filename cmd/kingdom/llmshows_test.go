package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/observe"
	"kingdom/wire"
)

// slow plays a script after a little while, or answers well.
func slow(d time.Duration, s fakellm.Script) fakellm.Script {
	return func(n int, r *fakellm.Request) fakellm.Act {
		time.Sleep(d)
		if s == nil {
			return nil
		}
		return s(n, r)
	}
}

// promptOf returns the hash of a prompt from the messages that a server was sent.
func promptOf(q *fakellm.Request) wire.Hash {
	system, user := q.Messages[0].Content, q.Messages[1].Content
	text := binary.BigEndian.AppendUint32(nil, uint32(len(system)))
	return sha256.Sum256(append(append(text, system...), user...))
}

// journaled are the prompts whose thoughts the journal of a run holds now.
func journaled(t *testing.T, dir string) map[wire.Hash]bool {
	t.Helper()
	out := map[wire.Hash]bool{}
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
		return out
	}
	src, _, err := openThoughts(dir)
	if err != nil {
		return out // killed before its journal was there
	}
	defer src.Close()
	for {
		r, err := src.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out[r.Prompt] = true
	}
}

// A run that is killed at random instants while a model answers, and resumed, asks for no
// thought that its journal holds, and ends as the undisturbed run.
func TestLLM_KilledAndResumed(t *testing.T) {
	const kills = 20
	run := "run epoch0-llm --cycles 2 --set time.base_budget=5 --set minds.models.default.output=prompt --json --out"
	bin := plainBinary(t)
	server := &fakellm.Server{Seed: 5, Key: plantedKey, Script: slow(4*time.Millisecond, nil)}
	withServer(t, server)
	clean := filepath.Join(t.TempDir(), "clean")
	began := time.Now()
	want := summaryOf(t, must(t, process(t, nil, bin, append(strings.Fields(run), clean)...)))
	whole := time.Since(began)
	journal := journaled(t, clean)
	thoughts := len(journal)
	for _, q := range server.Requests() {
		if h := promptOf(&q); !journal[h] {
			t.Fatalf("the journal of an undisturbed run lacks a prompt that was sent: %s", h)
		}
	}

	faults := rand.New(rand.NewPCG(*simSeed, 1))
	killed, rounds := 0, 0
	for killed < kills {
		if rounds++; rounds > kills {
			t.Fatalf("only %d kills in %d runs; a run is over before it can be killed", killed, rounds-1)
		}
		dir := filepath.Join(t.TempDir(), "run")
		kept, from, before := map[wire.Hash]bool{}, len(server.Requests()), killed
		begun := from
		for over := false; !over; {
			args := resumeArgs(run, dir)
			at := time.Hour
			if killed < kills {
				at = time.Duration(faults.Int64N(int64(whole) / 2))
			}
			r, dead := killAfter(t, at, bin, args...)
			for _, q := range server.Requests()[from:] {
				if h := promptOf(&q); kept[h] {
					t.Fatalf("a thought was asked for although the journal held it: prompt %s", h)
				}
				from++
			}
			kept = journaled(t, dir)
			if dead {
				killed++
				continue
			}
			over = true
			if got := summaryOf(t, must(t, r)); got.WorldHash != want.WorldHash || got.AgentTicks != want.AgentTicks {
				t.Errorf("resumed run ends in %s, undisturbed one in %s", got.WorldHash, want.WorldHash)
			}
		}
		asked := len(server.Requests()) - begun
		if len(kept) != thoughts || asked < thoughts || asked > thoughts+(killed-before)*8 {
			t.Errorf("%d thoughts in the journal, undisturbed %d; %d requests with %d kills of 8 agents", len(kept), thoughts, asked, killed-before)
		}
		t.Logf("%d thoughts, %d requests, %d kills", len(kept), asked, killed-before)
		if r := must(t, process(t, nil, bin, "replay", dir)); !strings.Contains(r.out, want.WorldHash) {
			t.Errorf("replay: %s", r.out)
		}
	}
}

// Under refusals, faults, hangs and garbage a run completes, no agent falls asleep because of it, the server never gets
// more calls at once than declared, and every failed call is in the log with its reason.
func TestLLM_RunCompletesUnderManyServerFailures(t *testing.T) {
	var mu sync.Mutex
	var now, most atomic.Int64
	dice, failed := rand.New(rand.NewPCG(3, 4)), map[string]int{}
	script := func(int, *fakellm.Request) fakellm.Act {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		time.Sleep(time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		count := func(what string, a fakellm.Act) fakellm.Act { failed[what]++; return a }
		switch x := dice.Float64(); {
		case x < 0.30:
			return count("rate", fakellm.Status(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "retry-after-ms", "3"))
		case x < 0.40:
			return count("overloaded", fakellm.Status(503, `{"error":{"message":"busy"}}`, "retry-after-ms", "3"))
		case x < 0.45:
			return count("timeout", fakellm.Hang())
		case x < 0.50:
			return count("garbled", fakellm.Status(200, "<html>"))
		}
		return nil
	}
	server := &fakellm.Server{Seed: 3, Key: plantedKey, Script: script}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	sum := summaryOf(t, must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=10", "--set", "minds.models.default.timeout=1500ms",
		"--set", "minds.models.default.concurrency=3", "--json", "--out", dir)))
	if sum.Status != "finished" || sum.Agents.Active != 8 || sum.Slept != 0 {
		t.Errorf("got %+v", sum)
	}
	if most.Load() > 3 {
		t.Errorf("%d calls at once, declared are 3", most.Load())
	}
	calls, outcomes := thinkLog(t, dir)
	if n := int(server.Counts().Requests); calls != n {
		t.Errorf("the think log tells of %d calls, the server saw %d", calls, n)
	}
	if bad := outcomes["timed_out"] + outcomes["provider_error"]; outcomes["answered"] < 3*bad {
		t.Errorf("outcomes %v", outcomes)
	}
	if seen := failuresOf(t, dir); len(seen) != len(failed) || seen["rate"] != failed["rate"] || seen["overloaded"] != failed["overloaded"] ||
		seen["garbled"] != failed["garbled"] || seen["timeout"] < failed["timeout"] {
		t.Errorf("the journal tells of the failures %v, the server made %v", seen, failed)
	}
}

// thinkLines are the lines of a think log.
func thinkLines(t *testing.T, dir string) (lines []byte) {
	t.Helper()
	err := observe.Tail(t.Context(), dir, observe.TailOptions{Streams: []observe.Stream{observe.StreamThink}}, func(l observe.Line) error {
		lines = append(append(lines, l.Raw...), '\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// thinkLog counts the calls and the outcomes in a think log.
func thinkLog(t *testing.T, dir string) (calls int, outcomes map[string]int) {
	t.Helper()
	b := thinkLines(t, dir)
	outcomes = map[string]int{}
	for line := range bytes.Lines(b) {
		var l struct {
			Outcome string `json:"outcome"`
			Calls   int    `json:"calls"`
			Error   string `json:"error"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Outcome != "answered" && l.Error == "" {
			t.Errorf("no reason: %s", line)
		}
		calls += l.Calls
		outcomes[l.Outcome]++
	}
	return calls, outcomes
}

// failuresOf counts the calls in a journal that failed, by reason.
func failuresOf(t *testing.T, dir string) map[string]int {
	t.Helper()
	src, _, err := openThoughts(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	out := map[string]int{}
	for {
		r, err := src.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Calls {
			if c.Failure != "" {
				out[c.Failure]++
			}
		}
	}
}

// An endpoint that goes down for all pauses the run before a tick, with the endpoint and the
// cause in the message; when it is back the run goes on to the end of the undisturbed one.
func TestLLM_OutagePausesAndResumes(t *testing.T) {
	var down atomic.Bool
	script := func(n int, _ *fakellm.Request) fakellm.Act {
		if down.Load() && n >= 20 {
			return fakellm.Status(http.StatusServiceUnavailable, `{"error":{"message":"the model is being moved"}}`, "retry-after-ms", "1")
		}
		return nil
	}
	server := &fakellm.Server{Seed: 3, Key: plantedKey, Script: script}
	withServer(t, server)
	run := "run epoch0-llm --cycles 1 --set time.base_budget=6 --json --out"
	want := summaryOf(t, must(t, in(t, append(strings.Fields(run), filepath.Join(t.TempDir(), "clean"))...)))
	dir := filepath.Join(t.TempDir(), "run")
	down.Store(true)
	r := in(t, append(strings.Fields(run), dir)...)
	for _, say := range []string{"paused at tick", os.Getenv(envEndpoint) + " is out", "overloaded: the model is being moved", "kingdom resume " + dir} {
		if r.code != exitOutage || !strings.Contains(r.err, say) {
			t.Errorf("exit %d, want %q: %s", r.code, say, r.err)
		}
	}
	down.Store(false)
	got := summaryOf(t, must(t, in(t, "resume", dir, "--json")))
	if got.WorldHash != want.WorldHash || got.NOPs != want.NOPs {
		t.Errorf("resumed: %+v, undisturbed: %+v", got, want)
	}
}

// A server that is lost during a run pauses the run, and each resume while it is gone, without losing a slot. Once it
// is back the run ends as the undisturbed one does.
func TestLLM_LostServerPausesRunWithoutLosingSlots(t *testing.T) {
	// Two agents make fewer calls in a tick than open the breaker.
	run := func(dir string) []string {
		return []string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--set", "population=[{role: GENERALIST, count: 2}]", "--json", "--out", dir}
	}
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	want := summaryOf(t, must(t, in(t, run(filepath.Join(t.TempDir(), "clean"))...)))
	dir := filepath.Join(t.TempDir(), "run")
	var gone *httptest.Server
	var once sync.Once
	gone = httptest.NewServer(&fakellm.Server{Seed: 3, Key: plantedKey, Script: func(n int, _ *fakellm.Request) fakellm.Act {
		if n >= 5 {
			once.Do(func() { _ = gone.Listener.Close() })
			return func(http.ResponseWriter, *http.Request, []byte) { panic(http.ErrAbortHandler) } // and ends the connection
		}
		return nil
	}})
	t.Cleanup(gone.Close)
	t.Setenv(envEndpoint, gone.URL+"/v1")
	for _, args := range [][]string{run(dir), {"resume", dir}} {
		if r := in(t, args...); r.code != exitOutage || !strings.Contains(r.err, "paused at tick") || !strings.Contains(r.err, gone.URL+"/v1 is out: transport: ") {
			t.Errorf("%s: exit %d: %s", args[0], r.code, r.err)
		}
	}
	if r := in(t, "doctor", dir); r.code != exitFailure || !strings.Contains(r.err, "kingdom resume "+dir+" --set minds.models.default.endpoint=URL") || strings.Contains(r.out, envEndpoint) {
		t.Errorf("doctor: exit %d: %s%s", r.code, r.out, r.err)
	}
	l, err := net.Listen("tcp", gone.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	back := &httptest.Server{Listener: l, Config: &http.Server{Handler: &fakellm.Server{Seed: 3, Key: plantedKey}}} //nolint:gosec // a test has no slow clients
	back.Start()
	t.Cleanup(back.Close)
	got := summaryOf(t, must(t, in(t, "resume", dir, "--json")))
	if got.WorldHash != want.WorldHash || got.NOPs != want.NOPs {
		t.Errorf("resumed: %+v, undisturbed: %+v", got, want)
	}
}

// The level of structured output does not change the world.
func TestLLM_OutputLevelsGiveTheSameWorldHash(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	worlds := map[string]string{}
	for _, level := range []string{"json_schema", "small_schema", "any_object", "json_object", "prompt"} {
		sum := summaryOf(t, must(t, in(t, "run", "epoch0-llm", "--cycles", "2", "--set", "time.base_budget=6", "--set", "minds.models.default.output="+level,
			"--json", "--out", filepath.Join(t.TempDir(), level))))
		worlds[level] = sum.WorldHash
	}
	for level, world := range worlds {
		if world != worlds["prompt"] {
			t.Errorf("the world of %s is %s, that of prompt %s", level, world, worlds["prompt"])
		}
	}
}

// A model that answers garbage cannot stop a run: its answers become NOPs with reasons, warnings and dormancy.
func TestLLM_UnusableAnswersBecomeNOPs(t *testing.T) {
	withServer(t, &fakellm.Server{Key: plantedKey, Script: fakellm.Babble(7)})
	dir := filepath.Join(t.TempDir(), "run")
	sum := summaryOf(t, must(t, in(t, "run", "epoch0-llm", "--cycles", "2", "--set", "time.base_budget=12", "--json", "--out", dir)))
	if sum.Status != "finished" || sum.NOPs != sum.AgentTicks || sum.Warnings == 0 || sum.Slept < 8 {
		t.Errorf("got %+v", sum)
	}
	nops, err := os.ReadFile(filepath.Join(dir, "log", "nop.jsonl"))
	if err != nil || strings.Count(string(nops), `"reason":"parse_failed"`) == 0 {
		t.Errorf("%v; %.300s", err, nops)
	}
	noEndpoint(t)
	if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, sum.WorldHash) {
		t.Errorf("replay: %s", r.out)
	}
}
