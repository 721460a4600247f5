package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kingdom/internal/golden"
)

// changing are the parts of output that differ from run to run.
var changing = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`"wall_ms":\s*\d+`), `"wall_ms":0`},
	{regexp.MustCompile(`agent-ticks in [\d.]+ s`), "agent-ticks in 0.0 s"},
	{regexp.MustCompile(`(?m)^cycle \d+/.*\n`), ""},
	{regexp.MustCompile(`"(version|revision|go|platform)": ?"[^"]*"`), `"$1":"…"`},
	{regexp.MustCompile(`(?m)^kingdom \S+ \(.*`), "kingdom …"},
	{regexp.MustCompile(`"ts":"[^"]*"`), `"ts":"…"`},
}

// Every command's text, JSON and complaints, as a user sees them. Each case is a
// command line run in one folder, in order; the golden file holds all output.
func TestCLI_Transcript(t *testing.T) {
	file, err := filepath.Abs("testdata/cli.txt")
	if err != nil {
		t.Fatal(err)
	}
	broken, err := os.ReadFile("testdata/broken.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("broken.yaml", broken, 0o644); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range []string{
		"version", "version --json",
		"scenario list", "scenario list --json",
		"scenario validate epoch0", "scenario validate epoch0 --json",
		"scenario validate broken.yaml", "scenario validate broken.yaml --json",
		"scenario validate nosuch",
		"actions bounty_claim", "actions bounty_claim --json", "actions bounty_claim --schema", "actions bounty_clam",
		"run epoch0 --cycles 2", "run epoch0 --cycles 2 --json", "run epoch0 --cycles 2 --out runs/epoch0-42 --json",
		"run epoch0 --cycles nine", "run epoch0 --set mint.initial_balence=3", "run epoch0 --store mysql://x", "run", "runn",
		"inspect runs/epoch0-42", "inspect runs/epoch0-42 --cycle 1", "inspect runs/epoch0-42 --cycle 9", "inspect runs/epoch0-42 --agent nobody", "inspect nowhere",
		"replay runs/epoch0-42", "replay runs/epoch0-42 --json",
		"resume runs/epoch0-42 --cycles 3", "resume runs/epoch0-42 --cycles 1", "resume runs/epoch0-42",
		"tail runs/epoch0-42 --dormancy", "tail nowhere", "tail runs/epoch0-42 --agent zz",
		"run epoch0 --cycles 1 --set minds.scripted.malformed_rate=1.0 --out stuck",
		"tail stuck --dormancy", "tail stuck --nop --since 2",
	} {
		r := in(t, strings.Fields(line)...)
		b.WriteString("$ kingdom " + line + "\n")
		out := r.out + r.err
		for _, c := range changing {
			out = c.re.ReplaceAllString(out, c.to)
		}
		b.WriteString(out)
		if r.code != 0 {
			b.WriteString("[exit " + strconv.Itoa(r.code) + "]\n")
		}
		b.WriteString("\n")
	}
	golden.File(t, file, b.String())
}
