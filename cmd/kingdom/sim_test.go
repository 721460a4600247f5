package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kingdom/engine"
)

var (
	simSeed  = flag.Uint64("sim.seed", 42, "seed of the injected faults")
	simKills = flag.Int("sim.kills", 20, "how often the run is killed")
)

const simArgs = "run testdata/sim.yaml --json --out"

// A run that is killed at random instants and resumed ends in the hash of the
// undisturbed one.
func TestSim_KilledAndResumed(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	killedAndResumed(t, simArgs, *simKills, nil)
}

// If every cycle writes a snapshot and most are removed again, kills lose none that is needed: every cycle of the
// resumed run can be reached, with the hash that it had.
func TestSim_KilledWhileThinning(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	args := strings.Replace(simArgs, "--json", "--set checkpoint.every_cycles=1 --json", 1)
	hashes := map[uint64]string{}
	killedAndResumed(t, args, *simKills, func(dir string) {
		left, err := filepath.Glob(filepath.Join(dir, "snapshots", "*"))
		if err != nil || len(left) == 0 || len(left) > 7 { // 4 new ones and of the others at most 3; nothing of one that a kill cut off
			t.Errorf("%d snapshots of 10 are left: %v", len(left), err)
		}
		for _, cycle := range []uint64{1, 4, 6, 9} { // far from a snapshot and near one
			in := inspectionIn(t, process(t, nil, plainBinary(t), "inspect", dir, "--json", "--cycle", strconv.FormatUint(cycle, 10)))
			if want := hashes[cycle]; want != "" && in.WorldHash != want {
				t.Errorf("cycle %d has the hash %s, in the undisturbed run %s", cycle, in.WorldHash, want)
			}
			hashes[cycle] = in.WorldHash
		}
	})
}

// killedAndResumed kills runs of the command at random instants, as often as asked for, until they end as
// the undisturbed one did, which is returned. look is shown the directory of each run that ended, of the undisturbed one first; nil:
// nobody is.
func killedAndResumed(t *testing.T, command string, most int, look func(dir string)) summaryJSON {
	t.Helper()
	bin := plainBinary(t)
	began := time.Now()
	clean := filepath.Join(t.TempDir(), "clean")
	want := summaryOf(t, must(t, process(t, nil, bin, append(strings.Fields(command), clean)...)))
	whole := time.Since(began)
	if look != nil {
		look(clean)
	}
	faults := rand.New(rand.NewPCG(*simSeed, 0))
	kills, rounds := 0, 0
	for kills < most {
		rounds++
		if rounds > 5*most {
			t.Fatalf("only %d kills in %d rounds; the run is over before it can be killed", kills, rounds)
		}
		dir := filepath.Join(t.TempDir(), "run")
		args := append(strings.Fields(command), dir)
		for fresh := true; ; fresh = false {
			var r result
			killed, began := false, time.Now()
			if kills < most {
				r, killed = killAfter(t, time.Duration(faults.Int64N(int64(whole)*3/4)), bin, args...)
			} else {
				r = process(t, nil, bin, args...)
			}
			args = resumeArgs(command, dir)
			if killed {
				kills++
				continue
			}
			if fresh { // what else the machine has to do may be less than it was
				whole = min(whole, time.Since(began))
			}
			got := summaryOf(t, must(t, r))
			if got.WorldHash != want.WorldHash || got.AgentTicks != want.AgentTicks || got.NOPs != want.NOPs {
				t.Errorf("resumed run ends in %s (%d agent-ticks, %d NOPs), undisturbed one in %s (%d, %d); again: make sim SEED=%d",
					got.WorldHash, got.AgentTicks, got.NOPs, want.WorldHash, want.AgentTicks, want.NOPs, *simSeed)
			}
			if r := process(t, nil, bin, "replay", dir); r.code != exitOK {
				t.Errorf("replay of the resumed run: exit %d\n%s%s", r.code, r.out, r.err)
			}
			if look != nil {
				look(dir)
			}
			break
		}
	}
	t.Logf("killed %d times in %d runs (seed %d); undisturbed, a run takes %v", kills, rounds, *simSeed, whole.Round(time.Millisecond))
	return want
}

// resumeArgs goes on with the run, or starts it when it was killed in the first instant, before
// its directory said what it is.
func resumeArgs(command, dir string) []string {
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
		os.RemoveAll(dir)
		return append(strings.Fields(command), dir)
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
mount --make-rprivate / 2>/dev/null
mount -t tmpfs -o size=3m none %[2]s || exit 99
trap 'umount %[2]s' EXIT
%[1]s %[3]s %[2]s/run; echo "exit $?"
mount -o remount,size=500m %[2]s
%[1]s resume %[2]s/run --json
`, bin, disk, run)
	flags := []string{"-m", "--propagation", "unchanged"} // the script makes it private where it can
	if os.Getuid() != 0 {
		flags = append(flags, "-r")
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

// Ctrl-C stops a run at a tick boundary; the exit code and the last words say how
// to go on, and going on ends in the hash of the undisturbed run.
func TestSim_Interrupted(t *testing.T) {
	bin := plainBinary(t)
	want := summaryOf(t, must(t, process(t, nil, bin, append(strings.Fields(simArgs), filepath.Join(t.TempDir(), "clean"))...)))
	dir := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command(bin, append(strings.Fields(simArgs), dir)...)
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !cycleDone(dir, 2) { // the run is under way
		runtime.Gosched()
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	words, err := io.ReadAll(errs)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(string(words), "kingdom resume "+dir) {
		t.Fatalf("exit %d, want %d and how to go on\n%s", code, exitInterrupted, words)
	}
	if s := summaryOf(t, result{out: out.String(), code: exitInterrupted}); s.Status != engine.StatusInterrupted {
		t.Errorf("status %q, want interrupted", s.Status)
	}
	got := summaryOf(t, must(t, process(t, nil, bin, resumeArgs(simArgs, dir)...)))
	if got.WorldHash != want.WorldHash {
		t.Errorf("resumed run ends in %s, want %s", got.WorldHash, want.WorldHash)
	}
}

// A terminal that is closed stops a run as Ctrl-C does, also if the signal comes twice; a run under nohup goes on.
func TestSim_ClosedTerminal(t *testing.T) {
	bin := plainBinary(t)
	// Tests may run under nohup themselves. A signal that is caught here is not ignored in the processes started below.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	closed := func(cycles, dir string, command ...string) (code int, words string) {
		cmd := exec.Command(command[0], append(command[1:], "run", "epoch0", "--cycles", cycles, "--out", dir)...)
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for !cycleDone(dir, 2) {
			runtime.Gosched()
		}
		for range 2 {
			if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
		}
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode(), errs.String()
	}
	dir := filepath.Join(t.TempDir(), "run")
	if code, words := closed("100000", dir, bin); code != exitInterrupted || !strings.Contains(words, "kingdom resume "+dir) {
		t.Errorf("exit %d, want %d and how to go on\n%s", code, exitInterrupted, words)
	}
	if is := inspectOf(t, dir); is.Status != engine.StatusInterrupted {
		t.Errorf("status %q, want interrupted", is.Status)
	}
	if code, words := closed("12", filepath.Join(t.TempDir(), "run"), "nohup", bin); code != exitOK {
		t.Errorf("under nohup: exit %d\n%s", code, words)
	}
}

// cycleDone says whether metrics.csv has the row of the cycle.
func cycleDone(dir string, cycle int) bool {
	b, err := os.ReadFile(filepath.Join(dir, "metrics.csv"))
	return err == nil && strings.Contains(string(b), fmt.Sprintf("\n%d,", cycle))
}
