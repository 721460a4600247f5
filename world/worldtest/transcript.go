package worldtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/golden"
)

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
	golden.File(t, file, replay(t, string(raw)))
}

// replay runs the commands of a transcript and returns it with fresh outputs.
func replay(t *testing.T, text string) string {
	s := &session{t: t, names: newNames(), hidden: map[string]bool{}, web: outside{}}
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
