//go:build !race

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kingdom/internal/golden"
	"kingdom/wire"
)

// exported runs a scenario, exports it and returns the file of frames and that of cycles.
func exported(t *testing.T, scenario string, more ...string) (frames, cycles string) {
	t.Helper()
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	if r := in(t, append([]string{"run", scenario, "--out", run, "--logs=false"}, more...)...); r.code != 0 {
		t.Fatal(r.err)
	}
	frames, cycles = filepath.Join(dir, "run.kdom"), filepath.Join(dir, "cycles.jsonl")
	r := in(t, "journal", "export", run, "--frames", frames, "--json")
	if r.code != 0 {
		t.Fatal(r.err)
	}
	if err := os.WriteFile(cycles, []byte(r.out), 0o644); err != nil {
		t.Fatal(err)
	}
	return frames, cycles
}

// tempName is a file that has no name yet.
var tempName = regexp.MustCompile(`(/\.run\.kdom)\.\d+:`)

// All that a user sees of export and verify.
func TestJournal_Transcript(t *testing.T) {
	file, err := filepath.Abs("testdata/journal.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if r := in(t, "run", "epoch0", "--cycles", "2", "--out", "run"); r.code != 0 {
		t.Fatal(r.err)
	}
	var b strings.Builder
	for _, line := range []string{
		"journal", "journal export", "journal export run", "journal export nowhere --frames x.kdom",
		"journal export run --frames run.kdom", "journal export run --frames run.kdom",
		"journal export run --frames nowhere/run.kdom", "journal export run --frames - --json",
		"journal export run --frames two.kdom --json",
		"journal verify run.kdom", "journal verify two.kdom --json", "journal verify nowhere.kdom", "journal verify run/run.json",
	} {
		r := in(t, strings.Fields(line)...)
		out := r.out + r.err
		for _, c := range changing {
			out = c.re.ReplaceAllString(out, c.to)
		}
		b.WriteString("$ kingdom " + line + "\n" + out)
		if r.code != 0 {
			b.WriteString("[exit " + strconv.Itoa(r.code) + "]\n")
		}
		b.WriteString("\n")
	}
	golden.File(t, file, tempName.ReplaceAllString(b.String(), "$1.N:"))
}

// The chain and the hashes that verify computes from the frames equal those that export had from the run and inspect
// has from the store.
func TestJournal_VerifyComputesTheHashesOfTheRun(t *testing.T) {
	frames, cycles := exported(t, "testdata/births.yaml")
	r := in(t, "journal", "verify", frames, "--json")
	if r.code != 0 {
		t.Fatal(r.err)
	}
	want, err := os.ReadFile(cycles)
	if err != nil {
		t.Fatal(err)
	}
	got, all := strings.Split(r.out, "\n"), strings.Split(string(want), "\n")
	for c := range 4 {
		if got[c] != all[c] {
			t.Errorf("cycle %d: verify says %s, export %s", c, got[c], all[c])
		}
		var fromStore, fromFrames struct {
			Chain string `json:"envelope_chain"`
			World string `json:"world_hash"`
		}
		i := in(t, "inspect", filepath.Join(filepath.Dir(frames), "run"), "--cycle", strconv.Itoa(c), "--json")
		if err := json.Unmarshal([]byte(i.out), &fromStore); err != nil {
			t.Fatal(err, i.err)
		}
		if err := json.Unmarshal([]byte(got[c]), &fromFrames); err != nil || fromStore != fromFrames {
			t.Errorf("cycle %d: the store has %+v, the frames %+v, %v", c, fromStore, fromFrames, err)
		}
	}
}

// A file that was cut is told by the frame that lacks its end, and where that begins.
func TestJournal_VerifyOfACutFile(t *testing.T) {
	frames, _ := exported(t, "epoch0", "--cycles", "1")
	b, err := os.ReadFile(frames)
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	if n, _, err := wire.SplitFrames(b, true); err == nil {
		first = n
	}
	if err := os.WriteFile(frames, b[:first+100], 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, "journal|verify|"+frames, exitFailure, fmt.Sprintf("frame 2, which begins at byte %d of the file: split frames: bad length at byte 100, want a whole frame at the end; the frames before it are good", first))
	for text, want := range map[string]string{"": "it is empty; want a file of", "name: x\n": "it does not begin with a frame: split frames: bad magic at byte 0, want KDOM; want a file of"} {
		if err := os.WriteFile(frames, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		says(t, "journal|verify|"+frames, exitFailure, want+" kingdom journal export RUN --frames FILE\n")
	}
}

// Standard output gets the same frames, and what is told goes to standard error.
func TestJournal_ExportToStandardOutput(t *testing.T) {
	frames, _ := exported(t, "epoch0", "--cycles", "1", "--set", "signatures=lazy")
	r := in(t, "journal", "export", filepath.Join(filepath.Dir(frames), "run"), "--frames", "-")
	want, err := os.ReadFile(frames)
	if err != nil || r.code != 0 || r.out != string(want) || !strings.Contains(r.err, "frames (") {
		t.Errorf("%d bytes instead of %d, %q, %v", len(r.out), len(want), r.err, err)
	}
}

// An interrupted export says so and leaves no file, whole or half.
func TestJournal_InterruptedExportLeavesNothing(t *testing.T) {
	frames, _ := exported(t, "epoch0", "--cycles", "1")
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, errw bytes.Buffer
	code := execute(ctx, []string{"journal", "export", filepath.Join(filepath.Dir(frames), "run"), "--frames", filepath.Join(dir, "x.kdom")}, &out, &errw)
	left, err := os.ReadDir(dir)
	if code == 0 || err != nil || len(left) > 0 {
		t.Errorf("exit %d, %q; %v left, %v", code, errw.String(), left, err)
	}
}

// damaged are copies of an exported run that are no longer what the run said.
func damaged(t *testing.T, good []byte) map[string][]byte {
	t.Helper()
	var frames [][]byte
	for rest := good; len(rest) > 0; {
		n, frame, err := wire.SplitFrames(rest, true)
		if err != nil {
			t.Fatal(err)
		}
		frames, rest = append(frames, frame), rest[n:]
	}
	first := 0 // request
	for i, f := range frames {
		if e, err := wire.OpenFrame(f); err != nil {
			t.Fatal(err)
		} else if !wire.IsSystem(e.Source) {
			first = i
			break
		}
	}
	change := func(i int, f func(e *wire.Envelope)) []byte {
		e, err := wire.OpenFrame(bytes.Clone(frames[i]))
		if err != nil {
			t.Fatal(err)
		}
		f(&e)
		out := bytes.Join(frames[:i], nil)
		return append(e.AppendFrame(out), bytes.Join(frames[i+1:], nil)...)
	}
	leave := func(from, to int) []byte {
		return append(bytes.Join(frames[:from], nil), bytes.Join(frames[to:], nil)...)
	}
	swapped := bytes.Join(frames[:first], nil)
	for _, i := range []int{2, 3, 0, 1} {
		swapped = append(swapped, frames[first+i]...)
	}
	return map[string][]byte{
		"a body with another bit":     change(first, func(e *wire.Envelope) { e.Body[len(e.Body)-1] ^= 1 }),
		"a reply with another bit":    change(first+1, func(e *wire.Envelope) { e.Body[len(e.Body)-1] ^= 1 }),
		"an event with another bit":   change(0, func(e *wire.Envelope) { e.Body[len(e.Body)-1] ^= 1 }),
		"another msg_id":              change(first, func(e *wire.Envelope) { e.MsgID[31] ^= 1 }),
		"another signature":           change(first, func(e *wire.Envelope) { e.Signature[0] ^= 1 }),
		"another tick":                change(first, func(e *wire.Envelope) { e.Timestamp++ }),
		"another source":              change(first, func(e *wire.Envelope) { e.Source[0] ^= 1 }),
		"a reply left out":            leave(first+1, first+2),
		"a request left out":          leave(first, first+1),
		"genesis left out":            leave(0, 1),
		"two requests in other order": append(swapped, bytes.Join(frames[first+4:], nil)...),
		"the last frame left out":     leave(len(frames)-1, len(frames)),
		"the last byte left out":      good[:len(good)-1],
		"a byte between":              append(append(bytes.Join(frames[:first], nil), 0), bytes.Join(frames[first:], nil)...),
		"all of a request's traffic":  leave(first, first+2), // only the chain tells
	}
}

func TestJournal_VerifyFindsDamage(t *testing.T) {
	frames, cycles := exported(t, "epoch0", "--cycles", "1")
	good, err := os.ReadFile(frames)
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(cycles)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.kdom")
	for name, b := range damaged(t, good) {
		if err := os.WriteFile(bad, b, 0o644); err != nil {
			t.Fatal(err)
		}
		r := in(t, "journal", "verify", bad, "--json")
		if name == "all of a request's traffic" { // whole in itself, but not what the run says
			if r.code != 0 || strings.Split(r.out, "\n")[1] == strings.Split(string(said), "\n")[1] {
				t.Errorf("%s: %s %s", name, r.out, r.err)
			}
		} else if r.code != exitFailure || !strings.Contains(r.err, "frame") {
			t.Errorf("%s: exit %d, %q", name, r.code, r.err)
		}
	}
}

// nodeJS finds an interpreter that can run the decoder; without one the test says so and
// shows nothing.
func nodeJS(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("NOT RUN: there is no node; install Node.js 18 or newer to run examples/decoder")
		return ""
	}
	var major int
	v := process(t, nil, node, "--version").out
	if _, err := fmt.Sscanf(v, "v%d.", &major); err != nil || major < 18 {
		t.Logf("NOT RUN: examples/decoder needs Node.js 18 or newer, this is %s", v)
		return ""
	}
	return node
}

// The decoder in another language, written from docs/WIRE.md alone, verifies what this code
// exports and refuses it when damaged.
func TestDecoder_InNode(t *testing.T) {
	node := nodeJS(t)
	if node == "" {
		return
	}
	const decoder = "../../examples/decoder/decode.mjs"
	frames, cycles := exported(t, "testdata/births.yaml")
	r := process(t, nil, node, decoder, frames, "--cycles", cycles, "--seed", "42")
	if r.code != 0 || !strings.Contains(r.out, "10 agents and 4 cycles verified, every envelope chain and world hash the run's") {
		t.Fatalf("exit %d: %s%s", r.code, r.out, r.err)
	}
	t.Log(r.out)
	if r := process(t, nil, node, decoder, frames, "--seed", "43"); r.code != 1 || !strings.HasPrefix(r.err, "frame 1: ") {
		t.Errorf("another seed: exit %d, %s", r.code, r.err)
	}

	frames, cycles = exported(t, "epoch0", "--cycles", "1")
	good, err := os.ReadFile(frames)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.kdom")
	for name, b := range damaged(t, good) {
		if err := os.WriteFile(bad, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if r := process(t, nil, node, decoder, bad, "--cycles", cycles); r.code != 1 || !strings.HasPrefix(r.err, "frame ") {
			t.Errorf("%s: exit %d, %s%s", name, r.code, r.out, r.err)
		}
	}
}
