package program

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestHostile_OnArm64 runs TestHostile_EndsAsItsHeaderSays as an arm64 binary under qemu: the golden file of
// verdicts, steps and traces holds there too.
func TestHostile_OnArm64(t *testing.T) {
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		if qemu, err = exec.LookPath("qemu-aarch64-static"); err != nil {
			t.Fatal("qemu-aarch64 is missing; .ci/need installs it (Debian: apt-get install qemu-user)")
		}
	}
	binary := filepath.Join(t.TempDir(), "program.test")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Env = append(build.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build for arm64: %v\n%s", err, out)
	}
	if out, err := exec.Command(qemu, binary, "-test.run", "^TestHostile_EndsAsItsHeaderSays$").CombinedOutput(); err != nil {
		t.Errorf("on arm64: %v\n%.4000s", err, out)
	}
}
