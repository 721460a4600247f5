package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	simSeed  = flag.Uint64("sim.seed", 42, "seed of the injected faults")
	simKills = flag.Int("sim.kills", 20, "how often the run is killed")
)

const simArgs = "run village --seed 5 --cycles 12 --json --out"

// A run that is killed at random instants and resumed ends in the hash of the
// undisturbed one.
func TestSim_KilledAndResumed(t *testing.T) {
	bin := plainBinary(t)
	clean := filepath.Join(t.TempDir(), "clean")
	began := time.Now()
	want := summaryOf(t, must(t, process(t, nil, bin, append(strings.Fields(simArgs), clean)...)))
	whole := time.Since(began)

	faults := rand.New(rand.NewPCG(*simSeed, 0))
	dir := filepath.Join(t.TempDir(), "run")
	args := append(strings.Fields(simArgs), dir)
	kills := 0
	for kills < *simKills {
		// Late enough to make progress now and then, early enough to hit every phase.
		r, killed := killAfter(t, time.Duration(faults.Int64N(int64(whole)/4)), bin, args...)
		if !killed {
			must(t, r)
			break
		}
		kills++
		args = resumeArgs(dir)
	}
	t.Logf("killed %d times (seed %d), undisturbed run took %v", kills, *simSeed, whole.Round(time.Millisecond))
	got := summaryOf(t, must(t, process(t, nil, bin, resumeArgs(dir)...)))
	if got.WorldHash != want.WorldHash || got.AgentTicks != want.AgentTicks || got.NOPs != want.NOPs {
		t.Errorf("resumed run ends in %s (%d agent-ticks, %d NOPs), undisturbed one in %s (%d, %d); again: make sim SEED=%d",
			got.WorldHash, got.AgentTicks, got.NOPs, want.WorldHash, want.AgentTicks, want.NOPs, *simSeed)
	}
	if r := process(t, nil, bin, "replay", dir); r.code != exitFine {
		t.Errorf("replay of the resumed run: exit %d\n%s%s", r.code, r.out, r.err)
	}
	if kills == 0 {
		t.Error("the run was never killed; the test shows nothing")
	}
}

// resumeArgs goes on with the run, or starts it when it was killed before it existed.
func resumeArgs(dir string) []string {
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
		os.RemoveAll(dir)
		return append(strings.Fields(simArgs), dir)
	}
	return []string{"resume", dir, "--json"}
}

// killAfter starts the command and kills it after d, unless it ends before.
func killAfter(t *testing.T, d time.Duration, bin string, args ...string) (r result, killed bool) {
	t.Helper()
	cmd := exec.Command(bin, args...)
	var out, errw strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errw
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(d, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	code := cmd.ProcessState.ExitCode()
	if err != nil && code == -1 {
		return result{}, true
	}
	return result{out.String(), errw.String(), code}, false
}

// A full disk stops the run cleanly; with space it goes on to the same hash.
func TestSim_FullDisk(t *testing.T) {
	bin := plainBinary(t)
	run := "run epoch0 --seed 42 --cycles 30 --json --out"
	want := summaryOf(t, must(t, process(t, nil, bin, append(strings.Fields(run), filepath.Join(t.TempDir(), "run"))...)))

	disk := t.TempDir()
	script := fmt.Sprintf(`
mount -t tmpfs -o size=3m none %[2]s || exit 99
%[1]s %[3]s %[2]s/run; echo "exit $?"
mount -o remount,size=500m %[2]s
%[1]s resume %[2]s/run --json
`, bin, disk, run)
	flags := []string{"-m"}
	if os.Getuid() != 0 {
		flags = []string{"-r", "-m"}
	}
	r := process(t, nil, "unshare", append(flags, "sh", "-c", script)...)
	if r.code == 99 {
		t.Fatalf("cannot mount a small file system to fill; the test needs root or user namespaces\n%s", r.err)
	}
	if !strings.Contains(r.out, "exit 1\n") || !strings.Contains(r.err, "no space left") || !strings.Contains(r.err, "kingdom resume") {
		t.Fatalf("a full disk should stop the run with exit 1, the reason and the way on\n%s\n%s", r.out, r.err)
	}
	must(t, r)
	if got := summaryOf(t, r); got.WorldHash != want.WorldHash {
		t.Errorf("after the disk was full the run ends in %s, want %s", got.WorldHash, want.WorldHash)
	}
}
