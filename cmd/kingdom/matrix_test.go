package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"kingdom/sql/pgserver"
)

// The determinism matrix: one seed, every way to run it, one world hash.
func TestMatrix_OneSeedGivesOneHash(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	const cycles = "12"
	base := []string{"run", "epoch0", "--seed", "42", "--cycles", cycles, "--json"}
	for _, v := range []struct {
		name string
		bin  func(testing.TB) string
		env  []string
		args []string
	}{
		{"again", plainBinary, nil, nil},
		{"one core", plainBinary, []string{"GOMAXPROCS=1"}, nil},
		{"two cores", plainBinary, []string{"GOMAXPROCS=2"}, nil},
		{"eight cores", plainBinary, []string{"GOMAXPROCS=8"}, nil},
		{"race detector", raceBinary, nil, nil},
		{"race detector, eight cores", raceBinary, []string{"GOMAXPROCS=8"}, nil},
		{"postgres", plainBinary, nil, []string{"--store", pgserver.Database(t)}},
		{"lazy signatures", plainBinary, nil, []string{"--set", "signatures=lazy"}},
		{"no logs", plainBinary, nil, []string{"--logs=false"}},
		{"snapshots each cycle", plainBinary, nil, []string{"--set", "checkpoint.every_cycles=1"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			args := append(append([]string{}, base...), "--out", filepath.Join(t.TempDir(), "run"))
			got := summaryOf(t, must(t, process(t, v.env, v.bin(t), append(args, v.args...)...)))
			if want := reference(t); got.WorldHash != want.WorldHash || got.AgentTicks != want.AgentTicks {
				t.Errorf("world hash %s after %d agent-ticks, want %s after %d", got.WorldHash, got.AgentTicks, want.WorldHash, want.AgentTicks)
			}
		})
	}
	t.Run("another seed differs", func(t *testing.T) {
		args := []string{"run", "epoch0", "--seed", "43", "--cycles", cycles, "--json", "--out", filepath.Join(t.TempDir(), "run")}
		got := summaryOf(t, must(t, process(t, nil, plainBinary(t), args...)))
		if got.WorldHash == reference(t).WorldHash {
			t.Error("seed 43 gives the world hash of seed 42: the seed decides nothing")
		}
	})
}

var referenceSummary *summaryJSON

func reference(t *testing.T) summaryJSON {
	t.Helper()
	if referenceSummary == nil {
		s := summaryOf(t, must(t, process(t, nil, plainBinary(t),
			"run", "epoch0", "--seed", "42", "--cycles", "12", "--json", "--out", filepath.Join(t.TempDir(), "run"))))
		referenceSummary = &s
	}
	return *referenceSummary
}

// A small run on another architecture: emulation is 5 to 20 times slower.
func TestMatrix_Arm64GivesTheSameHash(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	if runtime.GOARCH != "amd64" {
		t.Logf("this machine is %s itself; the amd64 hash is in scenarios/golden.yaml", runtime.GOARCH)
		return
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		if qemu, err = exec.LookPath("qemu-aarch64-static"); err != nil {
			t.Fatal("qemu-aarch64 is missing; .ci/need installs it (Debian: apt-get install qemu-user)")
		}
	}
	args := []string{"run", "epoch0", "--seed", "42", "--cycles", "3", "--json", "--out"}
	want := summaryOf(t, must(t, process(t, nil, plainBinary(t), append(args, filepath.Join(t.TempDir(), "run"))...)))
	got := summaryOf(t, must(t, process(t, nil, qemu, append([]string{arm64Binary(t)}, append(args, filepath.Join(t.TempDir(), "run"))...)...)))
	if got.WorldHash != want.WorldHash {
		t.Errorf("arm64 gives %s, amd64 %s: look for a fused product or a function of math in the core", got.WorldHash, want.WorldHash)
	}
}
