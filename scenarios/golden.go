package scenarios

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Golden is one entry of scenarios/golden.yaml: a run with the hashes that it must have.
type Golden struct {
	Name        string   `yaml:"name,omitempty"` // for people
	Scenario    string   `yaml:"scenario"`       // name, or path from the list's directory
	Seed        string   `yaml:"seed"`
	Cycles      uint64   `yaml:"cycles"`
	Set         []string `yaml:"set,omitempty"`          // overrides, path=value
	WorldHash   string   `yaml:"world_hash"`             // at the end
	CycleHashes []string `yaml:"cycle_hashes,omitempty"` // at the end of each cycle from 1 on; none: they are not compared
}

// Title returns a name of the entry for messages.
func (g *Golden) Title() string {
	if g.Name != "" {
		return g.Name
	}
	title := g.Scenario + " seed " + g.Seed
	if len(g.Set) > 0 {
		title += " " + strings.Join(g.Set, " ")
	}
	return title
}

// IsFile reports whether the scenario is a file, and not the name of a built-in one.
func (g *Golden) IsFile() bool { return strings.ContainsAny(g.Scenario, "/\\.") }

// Path returns the argument for Load: names of built-in scenarios unchanged, paths relative to the directory of the
// list.
func (g *Golden) Path(list string) string {
	if !g.IsFile() || filepath.IsAbs(g.Scenario) {
		return g.Scenario
	}
	return filepath.Join(filepath.Dir(list), g.Scenario)
}

// Check returns an error if a hash of the entry is missing or malformed, or if its hashes contradict each other.
func (g *Golden) Check() error {
	if g.WorldHash == "" {
		return errors.New("it holds no world_hash yet; kingdom verify --update writes it")
	}
	for _, h := range append([]string{g.WorldHash}, g.CycleHashes...) {
		if !hexHash.MatchString(h) {
			return fmt.Errorf("%q is not 64 hex digits in lower case; kingdom verify --update writes the hash", h)
		}
	}
	if n := len(g.CycleHashes); n > 0 && g.CycleHashes[n-1] != g.WorldHash {
		return errors.New("world_hash is not the last of cycle_hashes, though both are of the last cycle; restore the entry, or kingdom verify --update writes both")
	}
	return nil
}

var hexHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// GoldenList is a list of such entries, with its text.
type GoldenList struct {
	Entries []Golden

	file  string
	lines []string
	nodes []*yaml.Node // of the entries
}

const goldenForm = "want a list of {name?, scenario, seed, cycles, set?, world_hash, cycle_hashes?}"

// ParseGolden reads such a list. file names it in errors. Hashes may be missing or malformed, because they can be
// written anew.
func ParseGolden(file string, b []byte) (*GoldenList, error) {
	l := &GoldenList{file: file, lines: strings.SplitAfter(string(b), "\n")}
	if !hasContent.Match(b) {
		return nil, fmt.Errorf("%s has no entries; %s", file, goldenForm)
	}
	root, err := document(func(line, column int, wrong, right string) error {
		return &Error{Problems: []Problem{{File: file, Line: line, Column: column, Wrong: wrong, Right: right}}}
	}, b, "keep all entries in one list")
	if errors.Is(err, io.EOF) { // only the marks of a document
		return nil, fmt.Errorf("%s has no entries; %s", file, goldenForm)
	}
	if err != nil {
		return nil, err
	}
	if problems := goldenProblems(file, root); len(problems) > 0 {
		return nil, &Error{Problems: problems}
	}
	if err := yaml.Load(b, &l.Entries, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("read %s: %w; %s", file, err, goldenForm)
	}
	if len(l.Entries) == 0 {
		return nil, fmt.Errorf("%s has no entries; %s", file, goldenForm)
	}
	l.nodes = root.Content
	for i := range l.Entries {
		g := &l.Entries[i]
		wrong, line := "", l.nodes[i].Line
		switch n := uint64(len(g.CycleHashes)); {
		case g.Scenario == "":
			wrong = "scenario is missing; name a scenario or a file"
		case g.Seed == "":
			wrong = "seed is missing"
		case g.Cycles == 0:
			wrong = "cycles is missing or 0; give the number of cycles to run"
		case n != 0 && n != g.Cycles: // the first of a shorter list would not be the first cycle that differs
			wrong = fmt.Sprintf("cycle_hashes has %d hashes for %d cycles; want one for each cycle, or [], which kingdom verify --update fills in", n, g.Cycles)
			if value := valueNode(resolve(l.nodes[i]), "cycle_hashes"); value != nil { // else it is merged from elsewhere
				line = value.Line
			}
		default:
			at := slices.IndexFunc(g.Set, func(set string) bool {
				path, _, _ := strings.Cut(set, "=")
				return path == "seed" || path == "cycles"
			})
			if at < 0 {
				continue
			}
			wrong = fmt.Sprintf("set has %s, and the entry has a key for it; give it there", g.Set[at])
		}
		return nil, fmt.Errorf("%s:%d: entry %d: %s", file, line, i+1, wrong)
	}
	return l, nil
}

// goldenKeys are the keys of an entry, and what their values are.
var goldenKeys = []struct {
	name, want string
	ok         func(n *yaml.Node) bool
}{
	{"name", "want text", isScalar},
	{"scenario", "want the name of a scenario, or a path", isScalar},
	{"seed", "want a number or text", isScalar},
	{"cycles", "want a whole number from 1 on", func(n *yaml.Node) bool {
		_, ok := whole(n.ShortTag(), n.Value)
		return isScalar(n) && ok
	}},
	{"set", "want a list of path=value", isTexts},
	{"world_hash", "want 64 hex digits; kingdom verify --update writes them", isScalar},
	{"cycle_hashes", "want a list of 64 hex digits for each cycle, or [], which kingdom verify --update fills in", isTexts},
}

func isScalar(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode }

func isTexts(n *yaml.Node) bool {
	return n.Kind == yaml.SequenceNode && !slices.ContainsFunc(n.Content, func(n *yaml.Node) bool { return !isScalar(resolve(n)) })
}

// goldenProblems finds items that are not mappings, unknown keys, and values of the wrong form.
func goldenProblems(file string, root *yaml.Node) (out []Problem) {
	if root.Kind != yaml.SequenceNode {
		return []Problem{{File: file, Line: root.Line, Column: root.Column, Wrong: "is " + describe(root), Right: goldenForm}}
	}
	var names []string
	for _, k := range goldenKeys {
		names = append(names, k.name)
	}
	for i, n := range root.Content {
		entry := resolve(n)
		fail := func(at *yaml.Node, key, wrong, right string) {
			out = append(out, Problem{File: file, Line: at.Line, Column: at.Column, Field: strings.TrimSuffix(fmt.Sprintf("entry %d: %s", i+1, key), ": "), Wrong: wrong, Right: right})
		}
		if entry.Kind != yaml.MappingNode {
			fail(n, "", "is "+describe(entry), "want a mapping with the keys "+strings.Join(names, ", "))
			continue
		}
		seen := map[string]bool{}
		for k := 0; k+1 < len(entry.Content); k += 2 {
			key, value := entry.Content[k], resolve(entry.Content[k+1])
			at := slices.Index(names, key.Value)
			twice := seen[key.Value]
			seen[key.Value] = true
			switch {
			case twice:
				fail(key, key.Value, "is written twice", "keep one")
			case key.Value == "<<": // what it merges is checked where it is written
			case at < 0:
				right := "the keys are " + strings.Join(names, ", ")
				if near := Nearest(key.Value, names); near != "" {
					right = "did you mean " + near + "? " + right
				}
				fail(key, key.Value, "unknown key", right)
			case !goldenKeys[at].ok(value):
				fail(value, key.Value, "is "+describe(value), goldenKeys[at].want)
			}
		}
	}
	return out
}

// hasContent matches a text that is more than comments and space.
var hasContent = regexp.MustCompile(`(?m)^[ \t]*[^#\s]`)

// Update writes hashes into the text of entry i: the world hash, and those of its cycles if it has a list of them.
// Nothing else changes. cycles are the hashes of cycle 1, 2, ….
func (l *GoldenList) Update(i int, world string, cycles []string) error {
	fail := func(what string) error {
		return fmt.Errorf("%s:%d: entry %d: %s", l.file, l.nodes[i].Line, i+1, what)
	}
	entry := l.nodes[i]
	if entry.Kind != yaml.MappingNode {
		return fail("is an alias; write it out to have its hash updated")
	}
	if merges(entry) { // a hash that is merged stands in another entry, and cycles, behind which one is written, may do so too
		return fail("merges keys of another one (<<); write them out to have its hash updated")
	}
	if n := valueNode(entry, "cycle_hashes"); n != nil {
		if err := l.updateCycles(n, cycles); err != nil {
			return fail(err.Error())
		}
		now, err := ParseGolden(l.file, l.Bytes()) // places may have moved
		if err != nil {
			return err
		}
		l.lines, l.nodes = now.lines, now.nodes
		entry = l.nodes[i]
	}
	if key := keyNode(entry, "world_hash"); key != nil {
		if !l.replaceValue(key, world) {
			return fail("write world_hash and its value on one line to have it updated")
		}
		return nil
	}
	l.insertAfter(valueNode(entry, "cycles"), keyNode(entry, "cycles"), world, entry.Style&yaml.FlowStyle != 0)
	return nil
}

// Bytes returns the text of the list.
func (l *GoldenList) Bytes() []byte { return []byte(strings.Join(l.lines, "")) }

// updateCycles writes the hashes of an entry's cycles.
func (l *GoldenList) updateCycles(list *yaml.Node, cycles []string) error {
	if len(list.Content) == 0 {
		line := l.lines[list.Line-1]
		at := list.Column - 1
		if list.Kind != yaml.SequenceNode || !strings.HasPrefix(line[at:], "[]") {
			return errors.New("write cycle_hashes: [] to have it filled in")
		}
		l.lines[list.Line-1] = line[:at] + `["` + strings.Join(cycles, `", "`) + `"]` + line[at+2:]
		return nil
	}
	for k := len(list.Content) - 1; k >= 0; k-- {
		n := list.Content[k]
		line := l.lines[n.Line-1]
		text := line[n.Column-1:]
		end := scalarEnd(text)
		if n.Kind != yaml.ScalarNode || end == 0 {
			return errors.New("write each of cycle_hashes on one line to have it updated")
		}
		l.lines[n.Line-1] = line[:n.Column-1] + `"` + cycles[k] + `"` + text[end:]
	}
	return nil
}

// replaceValue writes a hash as the value of a key. It returns false if the old value does not end on the line of the key.
func (l *GoldenList) replaceValue(key *yaml.Node, hash string) bool {
	line := l.lines[key.Line-1]
	_, after, ok := strings.Cut(line[key.Column-1:], ":")
	if !ok {
		return false
	}
	old := strings.TrimLeft(after, " ")
	if strings.HasPrefix(old, "|") || strings.HasPrefix(old, ">") || strings.HasPrefix(old, "[") || strings.HasPrefix(old, "{") || strings.HasPrefix(old, "*") {
		return false
	}
	rest := old[scalarEnd(old):]
	if strings.HasPrefix(rest, "#") {
		rest = " " + rest
	}
	l.lines[key.Line-1] = line[:len(line)-len(after)] + ` "` + hash + `"` + rest
	return true
}

// insertAfter writes a world hash after the value of cycles, which is always present.
func (l *GoldenList) insertAfter(n, key *yaml.Node, hash string, flow bool) {
	line := l.lines[n.Line-1]
	if flow {
		at := n.Column - 1 + scalarEnd(line[n.Column-1:])
		l.lines[n.Line-1] = line[:at] + `, world_hash: "` + hash + `"` + line[at:]
		return
	}
	if !strings.HasSuffix(line, "\n") {
		line += "\n"
	}
	l.lines[n.Line-1] = line + strings.Repeat(" ", key.Column-1) + `world_hash: "` + hash + "\"\n"
}

// scalarEnd returns the length of the scalar that a text begins with, without space behind it.
func scalarEnd(text string) int {
	if m := scalar.FindString(text); m != "" {
		return len(strings.TrimRight(m, " \r\n"))
	}
	return 0
}

var scalar = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|'[^']*'|(?:[^,}\]#\n]|[^ ,}\]\n]#)*)`)

func keyNode(entry *yaml.Node, name string) *yaml.Node {
	for k := 0; k+1 < len(entry.Content); k += 2 {
		if entry.Content[k].Value == name {
			return entry.Content[k]
		}
	}
	return nil
}

func valueNode(entry *yaml.Node, name string) *yaml.Node {
	for k := 0; k+1 < len(entry.Content); k += 2 {
		if entry.Content[k].Value == name {
			return entry.Content[k+1]
		}
	}
	return nil
}
