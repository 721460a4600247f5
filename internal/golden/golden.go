// Package golden compares what a test made with a committed file. go test -update
// rewrites the files instead; the diff is then read like any other. It stands outside
// the tick.
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files instead of comparing with them")

// Updating reports whether golden files are to be rewritten.
func Updating() bool { return *update }

// File compares got with the content of a file, which -update rewrites.
func File(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s: want -, got +; if the change is meant: go test -update, read the diff, and say why in the commit\n%s", path, d)
	}
}
