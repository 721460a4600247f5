package scenarios

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed adversaries.yaml adversaries-all.yaml adversaries-code.yaml adversaries-market.yaml epoch0.yaml epoch0-llm.yaml society.yaml village.yaml works.yaml
var embedded embed.FS

// Listing is one built-in scenario.
type Listing struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Agents      uint64 `json:"agents"`
	Cycles      uint64 `json:"cycles"`
}

// Load reads a scenario: a built-in one by name, or a file by path. An argument with a slash or a file extension is a
// path.
func Load(nameOrPath string) (*Scenario, error) {
	if !strings.ContainsAny(nameOrPath, "/\\.") {
		b, err := embedded.ReadFile(nameOrPath + ".yaml")
		if err == nil {
			return Parse(nameOrPath+".yaml", b)
		}
	}
	b, err := readFile(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		right := "want the path of a file, or one of " + strings.Join(names(), ", ")
		if nameOrPath == "-" {
			right = "want the path of a file; /dev/stdin is that of standard input"
		}
		if near := Nearest(nameOrPath, names()); near != "" {
			right = fmt.Sprintf("did you mean %s? %s", near, right)
		}
		return nil, &Error{Problems: []Problem{{File: nameOrPath, Wrong: "no such scenario", Right: right}}}
	}
	if info, failed := os.Stat(nameOrPath); failed == nil && info.IsDir() {
		right := "want the path of a file, such as " + filepath.Join(nameOrPath, "scenario.yaml")
		return nil, &Error{Problems: []Problem{{File: nameOrPath, Wrong: "is a directory", Right: right}}}
	}
	if long := (*Error)(nil); errors.As(err, &long) {
		return nil, long
	}
	if err != nil {
		return nil, fmt.Errorf("read scenario: %w", err)
	}
	return Parse(nameOrPath, b)
}

// readFile reads a scenario file. Of one that is too long, such as a device without an end, it reads no more than needed to know it.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil || len(b) <= maxFile {
		return b, err
	}
	has := fmt.Sprintf("has more than %d bytes", maxFile)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		has = fmt.Sprintf("has %d bytes", info.Size())
	}
	return nil, &Error{Problems: []Problem{{File: name, Wrong: has, Right: fmt.Sprintf("want at most %d", maxFile)}}}
}

// List returns the built-in scenarios, by name.
func List() []Listing {
	var out []Listing
	for _, name := range names() {
		s, err := Load(name)
		if err != nil {
			panic(fmt.Sprintf("scenarios: embedded %s: %v", name, err))
		}
		out = append(out, Listing{Name: s.Name, Description: s.Description, Agents: s.Agents(), Cycles: s.Cycles})
	}
	return out
}

func names() []string {
	files, err := fs.Glob(embedded, "*.yaml")
	if err != nil {
		panic(err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, path.Ext(f))
	}
	slices.Sort(files)
	return files
}
