package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

//go:embed switch.go.txt
var switchText string

// binary is the tests of a package with all its changes in them.
type binary struct {
	path    string
	dir     string // where the package's tests run
	scratch string // of what the tests leave behind
	changes []change
	refused int               // lines on which changes did not compile
	rapid   []string          // flags of the property tests, where there are some
	real    map[string]string // of the changed files
}

// build writes the changes in and compiles the tests. A line that does not compile with
// its changes is left as it was, and all is compiled again.
func (o *options) build(ctx context.Context, p *packages.Package, scratch string) (*binary, error) {
	b := &binary{dir: filepath.Dir(p.GoFiles[0]), scratch: scratch, path: filepath.Join(scratch, "package.test")}
	refused := make(map[string]map[int]bool)
	for range 30 {
		overlay, err := o.write(p, b, refused)
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", overlay, "-o", b.path, ".")
		cmd.Dir = b.dir
		text, err := cmd.CombinedOutput()
		if err == nil {
			return b, nil
		}
		found := b.refusals(string(text), refused)
		if found == 0 {
			return nil, fmt.Errorf("compile the changed package: %w\n%s", err, text)
		}
		b.refused += found
	}
	return nil, errors.New("compile the changed package: new lines are refused again and again; try one file with -file")
}

// write makes the changed files and the overlay that puts them in the place of the real ones.
func (o *options) write(p *packages.Package, b *binary, refused map[string]map[int]bool) (string, error) {
	b.changes, b.real = nil, make(map[string]string)
	next := 1
	replace := make(map[string]string)
	for i, f := range p.Syntax {
		name := p.CompiledGoFiles[i]
		if !strings.Contains(filepath.Base(name), o.file) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("read a file of the package: %w", err)
		}
		s := rewrite(p, f, text, &next, refused[name])
		b.changes = append(b.changes, s.changes...)
		changed := filepath.Join(b.scratch, fmt.Sprintf("file%d.go", i))
		if err := os.WriteFile(changed, []byte(s.String()), 0o600); err != nil {
			return "", fmt.Errorf("write a changed file: %w", err)
		}
		replace[name], b.real[changed] = changed, name
	}
	switches := filepath.Join(b.scratch, "switch.go")
	if err := os.WriteFile(switches, []byte(strings.Replace(switchText, "package changed", "package "+p.Name, 1)), 0o600); err != nil {
		return "", fmt.Errorf("write the switches: %w", err)
	}
	replace[filepath.Join(b.dir, "mutant_switch.go")] = switches
	j, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	overlay := filepath.Join(b.scratch, "overlay.json")
	if err := os.WriteFile(overlay, j, 0o600); err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	return overlay, nil
}

// compilerError is a line of the compiler.
var compilerError = regexp.MustCompile(`(?m)^(\S+\.go):([0-9]+):[0-9]+: `)

// refusals adds the lines that the compiler complains of and counts the new ones.
func (b *binary) refusals(text string, refused map[string]map[int]bool) int {
	found := 0
	for _, m := range compilerError.FindAllStringSubmatch(text, -1) {
		name, known := b.real[m[1]]
		line, err := strconv.Atoi(m[2])
		if err != nil || !known || refused[name][line] {
			continue
		}
		if refused[name] == nil {
			refused[name] = make(map[int]bool)
		}
		refused[name][line] = true
		found++
	}
	return found
}
