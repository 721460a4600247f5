package worldtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kingdom/wire/action"
)

// shown is a refusal as a transcript of a daemon shows it.
var shown = regexp.MustCompile(`^\$a\d+ (\w+): ERROR (\w+) (\w+) \(0x(\w+)\)(.*)$`)

// provoked collects the refusals in all transcripts: "bounty_claim CONFLICT barred" with the places where it stands, and
// complains about those whose context is not that of the catalogue, or that it does not have.
func provoked(t *testing.T) map[string][]string {
	files, err := filepath.Glob("../*/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts (%v)", err)
	}
	found := map[string][]string{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(raw), "\n") {
			m := shown.FindStringSubmatch(line)
			if m == nil || strings.HasPrefix(m[4], "00") { // codes of the protocol are anybody's
				continue
			}
			if m[1] == "nops" {
				m[1] = "agent_status"
			}
			at := fmt.Sprintf("%s:%d", file, i+1)
			key := m[1] + " " + m[2] + " " + m[3]
			found[key] = append(found[key], at)
			agrees(t, at, m)
		}
	}
	return found
}

// agrees compares a line of a transcript with the catalogue.
func agrees(t *testing.T, at string, m []string) {
	row, ok := action.ByName(m[1])
	if !ok {
		t.Fatalf("%s: no action %q", at, m[1])
	}
	i := slices.IndexFunc(row.Refusals, func(r action.Refusal) bool { return r.Category.String() == m[2] && r.Reason == m[3] })
	if i < 0 {
		t.Errorf("%s: %s is refused with %s %s, which wire/action/refusals_%s.go does not list", at, m[1], m[2], m[3], lower(row.System.String()))
		return
	}
	r := &row.Refusals[i]
	if code := fmt.Sprintf("%04X", r.Code(row)); code != m[4] {
		t.Errorf("%s: code 0x%s, the catalogue says 0x%s", at, m[4], code)
	}
	always, maybe := r.Keys()
	var have []string
	for _, word := range strings.Fields(m[5]) {
		key, _, _ := strings.Cut(word, "=")
		have = append(have, key)
	}
	for _, key := range always {
		if !slices.Contains(have, key) {
			t.Errorf("%s: no %q in the context, which the catalogue says is always there", at, key)
		}
	}
	for _, key := range have {
		if !slices.Contains(always, key) && !slices.Contains(maybe, key) {
			t.Errorf("%s: %q in the context, which the catalogue does not have", at, key)
		}
	}
}

// TestRefusals: what daemons refuse in transcripts is in the catalogue, with its code and context.
func TestRefusals(t *testing.T) { provoked(t) }
