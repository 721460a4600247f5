//go:build !race

package house

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// What docs/HACKING.md sends a reader to is there.
func TestHacking_NamesWhatExists(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(top(), "docs", "HACKING.md"))
	if err != nil {
		t.Fatal(err)
	}
	paths := regexp.MustCompile("`((?:[a-z0-9_]+/)+[a-z0-9_]*(?:\\.go)?)`").FindAllSubmatch(page, -1)
	if len(paths) < 20 {
		t.Fatalf("only %d paths found; did the page change its form?", len(paths))
	}
	for _, m := range paths {
		if _, err := os.Stat(filepath.Join(top(), filepath.FromSlash(string(m[1])))); err != nil {
			t.Errorf("docs/HACKING.md names %s, which does not exist", m[1])
		}
	}
}
