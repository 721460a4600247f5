package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// result is what became of a package's changes.
type result struct {
	name                                  string
	all, noticed, lived, untried, refused int
	took                                  time.Duration
}

// percent is the share noticed; what no test comes through counts as not noticed.
func (r *result) percent() int { return r.noticed * 100 / max(r.all, 1) }

func (r *result) String() string {
	s := fmt.Sprintf("%s: %d of %d changes noticed (%d %%); %d lived, untried %d", r.name, r.noticed, r.all, r.percent(), r.lived, r.untried)
	if r.refused > 0 {
		s += fmt.Sprintf("; %d lines do not compile with their changes and were left out", r.refused)
	}
	return s + fmt.Sprintf("; %s", r.took.Round(time.Second))
}

// row is the package's row for the page.
func (r *result) row() string {
	return fmt.Sprintf("| `%s` | %d %% | %d of %d | %s |", r.name, r.percent(), r.noticed, r.all, time.Now().Format(time.DateOnly))
}

// test is one test of the package, alone.
type test struct {
	name    string
	took    time.Duration
	reaches map[int]bool
}

// measure tries all changes of a package and writes what was not noticed.
func (o *options) measure(ctx context.Context, out io.Writer, p *packages.Package) (*result, error) {
	began := time.Now()
	scratch, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the changed files: %w", err)
	}
	defer os.RemoveAll(scratch)
	if err := os.Chmod(scratch, 0o755); err != nil { // tests start servers as other users
		return nil, fmt.Errorf("open the folder to the tests: %w", err)
	}
	b, err := o.build(ctx, p, scratch)
	if err != nil {
		return nil, err
	}
	tests, err := b.tests(ctx, out)
	if err != nil {
		return nil, err
	}
	r := &result{name: pathInModule(p), refused: b.refused}
	for i, c := range b.changes {
		if i%o.every != 0 {
			continue
		}
		where := fmt.Sprintf("%s/%s:%d:%d", r.name, filepath.Base(c.pos.Filename), c.pos.Line, c.pos.Column)
		r.all++
		var through []*test
		for _, t := range tests {
			if t.reaches[c.id] {
				through = append(through, t)
			}
		}
		if len(through) == 0 {
			r.untried++
			fmt.Fprintf(out, "untried  %s  %s\n", where, c.what)
			continue
		}
		noticed, err := b.noticed(ctx, c.id, through)
		if err != nil {
			return nil, err
		}
		if noticed {
			r.noticed++
			continue
		}
		r.lived++
		fmt.Fprintf(out, "lived  %s  %s\n", where, c.what)
	}
	r.took = time.Since(began)
	return r, nil
}

// tests runs each test alone without a change, to see how long it takes and what it comes
// through; the quickest come first. One that fails so cannot notice anything and is named.
func (b *binary) tests(ctx context.Context, out io.Writer) ([]*test, error) {
	if usage, _ := b.run(ctx, 0, "", time.Minute, "-h"); strings.Contains(usage, "-rapid.seed") {
		b.rapid = []string{"-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=0s"}
	}
	text, err := b.run(ctx, 0, "", time.Minute, "-test.list", "^(Test|Fuzz|Example)")
	if err != nil {
		return nil, fmt.Errorf("list the tests: %w\n%s", err, text)
	}
	var tests []*test
	for name := range strings.Lines(text) {
		t := &test{name: strings.TrimSpace(name), reaches: make(map[int]bool)}
		if !strings.HasPrefix(t.name, "Test") && !strings.HasPrefix(t.name, "Fuzz") && !strings.HasPrefix(t.name, "Example") {
			continue
		}
		log := filepath.Join(b.scratch, "reached")
		began := time.Now()
		if text, err := b.run(ctx, 0, log, 5*time.Minute, "-test.run", "^"+t.name+"$"); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			fmt.Fprintf(out, "left out: %s does not pass alone, with the switches in the code: %s\n", t.name, lastLine(text))
			continue
		}
		t.took = time.Since(began)
		reached, err := os.ReadFile(log)
		if err != nil {
			return nil, fmt.Errorf("read what %s comes through: %w", t.name, err)
		}
		for line := range strings.Lines(string(reached)) {
			id, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				return nil, fmt.Errorf("read what %s comes through: %w", t.name, err)
			}
			t.reaches[id] = true
		}
		tests = append(tests, t)
	}
	slices.SortStableFunc(tests, func(x, y *test) int { return int(x.took - y.took) })
	return tests, nil
}

// quickTests tests run before the others, for most changes are noticed by many.
const quickTests = 8

// noticed tells whether one of the tests fails, or does not end, with the change.
func (b *binary) noticed(ctx context.Context, id int, tests []*test) (bool, error) {
	for _, some := range [][]*test{tests[:min(quickTests, len(tests))], tests[min(quickTests, len(tests)):]} {
		if len(some) == 0 {
			continue
		}
		names := make([]string, len(some))
		limit := 3 * time.Second
		for i, t := range some {
			names[i] = t.name
			limit += 5 * t.took
		}
		_, err := b.run(ctx, id, "", limit, "-test.failfast", "-test.run", "^("+strings.Join(names, "|")+")$")
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("run the tests: %w", err)
		}
	}
	return false, nil
}

// run runs the tests with a change switched on, or with none. Property tests draw what they
// always draw and store nothing; a change that eats memory ends at a limit.
func (b *binary) run(ctx context.Context, id int, reached string, limit time.Duration, args ...string) (string, error) {
	left := filepath.Join(b.scratch, "left")
	if err := os.MkdirAll(left, 0o755); err != nil {
		return "", fmt.Errorf("make a folder for the tests: %w", err)
	}
	defer os.RemoveAll(left)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", slices.Concat([]string{"-c", `ulimit -v 12000000; exec "$@"`, "sh", b.path, "-test.count=1"}, b.rapid, args)...)
	cmd.Dir = b.dir
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "TMPDIR="+left, "MUTATE_CHANGE="+strconv.Itoa(id), "MUTATE_REACHED="+reached)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	return text.String(), err
}

// lastLine is the last line of an output that says something.
func lastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line != "FAIL" && line != "PASS" {
			last = line
		}
	}
	return last
}
