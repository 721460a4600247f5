package worldtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the outputs in testdata/*.txt")

// Run runs every transcript that matches pattern, such as "testdata/*.txt", each as
// a subtest. With -update it rewrites them instead of comparing.
func Run(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts match %s (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runFile(t, file) })
	}
}

func runFile(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := replay(t, string(raw))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(raw), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s: want -, got + (if the change is meant: go test -update, and review the diff)\n%s", file, diff)
	}
}

// replay runs the commands of a transcript and returns it with fresh outputs.
func replay(t *testing.T, text string) string {
	s := &session{t: t, names: newNames(), hidden: map[string]bool{}}
	var out strings.Builder
	for i, block := range blocks(text) {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(strings.Join(block, "\n") + "\n")
		if commands := commandsOf(block); len(commands) > 0 {
			out.WriteString("----\n")
			out.WriteString(s.run(commands))
		}
	}
	return out.String()
}

// blocks splits a transcript into its blocks, each without its output.
func blocks(text string) (list [][]string) {
	var block []string
	skip := false
	for _, line := range append(strings.Split(text, "\n"), "") {
		switch {
		case strings.TrimSpace(line) == "":
			if block != nil {
				list = append(list, block)
			}
			block, skip = nil, false
		case line == "----":
			skip = true
		case !skip:
			block = append(block, line)
		}
	}
	return list
}

func commandsOf(block []string) (list []string) {
	for _, line := range block {
		if !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}
