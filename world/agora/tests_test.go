package agora

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/world/forge/program"
)

// memory is what a check may use, in bytes, as Forge has it.
const memory = 1 << 20

// checked runs the test of bounty n on a submission, as Forge does.
func checked(t *testing.T, n int, source []byte, ticks uint64) program.Result {
	t.Helper()
	test, err := program.Compile(testOf(n))
	if err != nil {
		t.Fatalf("the test of bounty %d: %v", n, err)
	}
	work, err := program.Compile(source)
	if err != nil {
		t.Fatalf("the submission: %v", err)
	}
	return program.Run(program.Input{
		Program: test, Stdin: source, Steps: ticks * program.StepsPerTick, Memory: memory,
		Bind: map[string]*program.Program{"submission": work},
	})
}

// Each test passes right submissions with half of its budget left, and its message for a wrong one contains the first
// line of that submission.
func TestSystemBounties_TestsPassRightAndFailWrongSubmissions(t *testing.T) {
	for _, s := range systemBounties {
		if !s.program {
			continue
		}
		files, err := filepath.Glob(fmt.Sprintf("testdata/submissions/%03d_*.star", s.number))
		if err != nil || len(files) < 4 {
			t.Errorf("bounty %d has the submissions %q (%v); it needs one that is right and three that are wrong", s.number, files, err)
		}
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".star"), func(t *testing.T) {
				source, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				r := checked(t, s.number, source, s.ticks)
				t.Logf("%v, %d ticks, %d bytes: %s", r.State, r.Ticks(), r.Memory, r.Message)
				if strings.Contains(file, "right") {
					if r.State != program.Halted || 2*r.Ticks() > s.ticks {
						t.Errorf("%v in line %d after %d of %d ticks: %s", r.State, r.Line, r.Ticks(), s.ticks, r.Message)
					}
					return
				}
				first, _, _ := strings.Cut(string(source), "\n")
				want := strings.TrimPrefix(first, "# ")
				if r.State != program.Faulted || !strings.Contains(r.Message, want) {
					t.Errorf("%v after %d ticks says %q, want %q", r.State, r.Ticks(), r.Message, want)
				}
			})
		}
	}
}

// TestSystemBounties_AreThoseOfTheDocs: number, reward and terms.
func TestSystemBounties_AreThoseOfTheDocs(t *testing.T) {
	sum := uint64(0)
	for i, s := range systemBounties {
		if s.number != i+1 {
			t.Errorf("bounty %d is at place %d", s.number, i+1)
		}
		sum += s.reward
		b := s.bounty(91)
		terms, malformed, absurd := readTerms(b.Requirements)
		if malformed || absurd || terms.judged != s.reviewed {
			t.Errorf("bounty %d: %+v", s.number, terms)
		}
		if len(b.Title) > 256 || len(b.Specification) > 600 {
			t.Errorf("bounty %d has a specification of %d bytes; agents read it in every prompt", s.number, len(b.Specification))
		}
	}
	if sum != 205 {
		t.Errorf("they pay %d ⚡, want 205", sum)
	}
}
