//go:build !race

package house

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Fused multiply-adds round once where the sources say twice, and each
// architecture fuses elsewhere. The compiled core of arm64 and of GOAMD64=v3 must
// therefore hold none (docs/DETERMINISM.md).
func TestCore_AssemblyHasNoFusedMultiplyAdd(t *testing.T) {
	fused := regexp.MustCompile(`\t(FN?M(ADD|SUB)[SD]?|VFN?M(ADD|SUB)\w+)\t`)
	for _, target := range [][]string{{"GOARCH=arm64"}, {"GOARCH=amd64", "GOAMD64=v3"}} {
		t.Run(strings.Join(target, " "), func(t *testing.T) {
			args := []string{"build"}
			for _, p := range pure {
				args = append(args, "-gcflags="+module+"/"+p+"=-S")
			}
			for _, p := range pure {
				args = append(args, module+"/"+p)
			}
			cmd := exec.Command("go", args...)
			cmd.Dir = top()
			cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0"), target...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("compile the core: %v\n%s", err, tail(out))
			}
			if !bytes.Contains(out, []byte("STEXT")) {
				t.Fatal("the compiler printed no assembly; the check would pass on anything")
			}
			for _, line := range strings.Split(string(out), "\n") {
				if fused.MatchString(line) {
					t.Errorf("fused multiply-add in the core: %s; write float64(a*b)", strings.TrimSpace(line))
				}
			}
		})
	}
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }
